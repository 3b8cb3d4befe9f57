#include "pdf/text_layer/straighten.h"

#include <math.h>

#include "pdf/object/page_view.h"

/* The inverse of a view's matrix, which turns and scales and thus has one. */
static void invert(const double m[static 6], double out[static 6])
{
    double d = m[0] * m[3] - m[1] * m[2];

    out[0] = m[3] / d;
    out[1] = -m[1] / d;
    out[2] = -m[2] / d;
    out[3] = m[0] / d;
    out[4] = (m[2] * m[5] - m[3] * m[4]) / d;
    out[5] = (m[1] * m[4] - m[0] * m[5]) / d;
}

int straighten_page(struct overlay *overlay, struct obj page, int turn, double skew,
                    struct err *err)
{
    double c = cos(skew * M_PI / 180), s = sin(skew * M_PI / 180), x, y, matrix[6];
    struct page_view view;

    if (turn)
        obj_set_int(page, "/Rotate", (page_view_rotation(page) + turn) % 360);
    if (fpclassify(skew) == FP_ZERO)
        return 0;
    page_view_read(page, &view);
    x = view.width / 2;
    y = view.height / 2;
    /* Clockwise, in coordinates of the displayed page, whose y axis points up. */
    const double about_centre[6] = { c, -s, s, c, x - c * x - s * y, y + s * x - c * y };
    invert(view.matrix, matrix);
    overlay_multiply(matrix, about_centre, matrix);
    overlay_multiply(matrix, view.matrix, matrix);
    return overlay_transform(overlay, page, matrix, err);
}
