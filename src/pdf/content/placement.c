#include "pdf/content/placement.h"

#include <math.h>

#define DPI_MIN 10.0 /* values below this and above the maximum are not meant seriously */
#define DPI_MAX 10000.0
#define INCH    72.0

/* Resolutions of whole numbers, written in metres or as a fraction, come back a little off. */
static double tidy(double dpi)
{
    double whole = round(dpi);

    return fabs(dpi - whole) < 0.02 ? whole : dpi;
}

static bool makes_sense(double dpi)
{
    return dpi >= DPI_MIN && dpi <= DPI_MAX;
}

/* Width and height of the picture as it is to be seen. */
static void natural_size(const struct image *image, double *width, double *height)
{
    double x = image->dpi_x, y = image->dpi_y;

    if (!makes_sense(x))
        x = y;
    if (!makes_sense(y))
        y = x;
    if (!makes_sense(x) || x > 10 * y || y > 10 * x)
        x = y = PLACEMENT_DPI;
    *width = image->width * INCH / tidy(x);
    *height = image->height * INCH / tidy(y);
    if (image->orientation > 4) {
        double swap = *width;

        *width = *height;
        *height = swap;
    }
}

/* The page is the picture and its margins; one too large or too small for a PDF is scaled. */
static void fit_page(double width, double height, double margin, struct placement *p)
{
    double most = PAPER_POINT_MAX - 2 * margin, scale = 1;

    if (width > most || height > most)
        scale = fmin(most / width, most / height);
    p->width = fmax(width * scale + 2 * margin, PAPER_POINT_MIN);
    p->height = fmax(height * scale + 2 * margin, PAPER_POINT_MIN);
}

static void turn_paper(const struct placement_rules *rules, double width, double height,
                       struct placement *p)
{
    bool wide = rules->paper.width > rules->paper.height, want = wide;

    if (rules->turn == PLACEMENT_PORTRAIT)
        want = false;
    else if (rules->turn == PLACEMENT_LANDSCAPE)
        want = true;
    else if (rules->paper.named)
        want = width > height;
    p->width = want == wide ? rules->paper.width : rules->paper.height;
    p->height = want == wide ? rules->paper.height : rules->paper.width;
}

/* Places what is `width` by `height` as it is to be seen, upright by its orientation. */
static int place_upright(double width, double height, int orientation,
                         const struct placement_rules *rules, struct placement *p, struct err *err)
{
    /* From the unit square to itself, for each orientation: the first row is on top, the first
     * column on the left, and so on (TIFF 6.0, "Orientation"). */
    static const signed char unit[8][6] = {
        { 1, 0, 0, 1, 0, 0 },  { -1, 0, 0, 1, 1, 0 },  { -1, 0, 0, -1, 1, 1 },
        { 1, 0, 0, -1, 0, 1 }, { 0, -1, -1, 0, 1, 1 }, { 0, -1, 1, 0, 0, 1 },
        { 0, 1, 1, 0, 0, 0 },  { 0, 1, -1, 0, 1, 0 },
    };
    const signed char *m = unit[orientation >= 1 && orientation <= 8 ? orientation - 1 : 0];
    double x, y;
    double *box = p->box;

    *p = (struct placement){ 0 };
    if (rules->paper.fit)
        fit_page(width, height, rules->margin, p);
    else
        turn_paper(rules, width, height, p);
    box[0] = box[1] = rules->margin;
    box[2] = p->width - 2 * rules->margin;
    box[3] = p->height - 2 * rules->margin;
    if (!paper_has_room(p->width, p->height, rules->margin))
        return err_field(err, ERR_INVALID_PARAMETER, "margin",
                         "margin leaves nothing of a page of this size");
    if (rules->fit == PLACEMENT_STRETCH) {
        width = box[2];
        height = box[3];
    } else {
        double a = box[2] / width, b = box[3] / height;
        double scale = rules->fit == PLACEMENT_COVER ? fmax(a, b) : fmin(a, b);

        width *= scale;
        height *= scale;
    }
    x = box[0] + (box[2] - width) / 2;
    y = box[1] + (box[3] - height) / 2;
    p->clip = width > box[2] + 0.01 || height > box[3] + 0.01;
    p->matrix[0] = m[0] * width;
    p->matrix[1] = m[1] * height;
    p->matrix[2] = m[2] * width;
    p->matrix[3] = m[3] * height;
    p->matrix[4] = m[4] * width + x;
    p->matrix[5] = m[5] * height + y;
    return 0;
}

int placement_make(const struct image *image, const struct placement_rules *rules,
                   struct placement *placement, struct err *err)
{
    double width, height;

    natural_size(image, &width, &height);
    return place_upright(width, height, image->orientation, rules, placement, err);
}

int placement_make_sized(double width, double height, const struct placement_rules *rules,
                         struct placement *placement, struct err *err)
{
    return place_upright(width, height, 1, rules, placement, err);
}
