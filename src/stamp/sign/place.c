#include "stamp/sign/place.h"

#include <math.h>
#include <string.h>

#include "pdf/object/page_view.h"
#include "stamp/draw/drawing.h"

#define MAX_ANNOTS 10000 /* looked at for signatures in the way */
#define MAX_MOVES  50
#define FAR        1e7 /* coordinates beyond are nonsense */
#define GAP        6.0
#define SLACK      0.5  /* by which rounded coordinates may lie beyond the page */
#define EDGE       28.0 /* between the box and the page's edge, points */

/* A box as displayed, in points, y upwards from the bottom left corner. */
struct box {
    double x, y, width, height;
};

/* The rectangle in the coordinates of the page's content. */
static void to_content(const struct page_view *view, const struct box *box, double rect[static 4])
{
    const double *m = view->matrix;
    double x[2] = { box->x, box->x + box->width }, y[2] = { box->y, box->y + box->height };
    double u[2], v[2];

    for (int i = 0; i < 2; i++) {
        u[i] = m[0] * x[i] + m[2] * y[i] + m[4];
        v[i] = m[1] * x[i] + m[3] * y[i] + m[5];
    }
    rect[0] = fmin(u[0], u[1]);
    rect[1] = fmin(v[0], v[1]);
    rect[2] = fmax(u[0], u[1]);
    rect[3] = fmax(v[0], v[1]);
}

/* Reads a rectangle and sorts its corners. False if it is not one, or has no area. */
static bool read_rect(struct obj dict, double rect[static 4])
{
    AUTO_OBJ struct obj array = obj_key(dict, "/Rect");
    double v[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!obj_is_number(item, &v[i]) || !(fabs(v[i]) <= FAR))
            return false;
    }
    rect[0] = fmin(v[0], v[2]);
    rect[1] = fmin(v[1], v[3]);
    rect[2] = fmax(v[0], v[2]);
    rect[3] = fmax(v[1], v[3]);
    return rect[2] > rect[0] && rect[3] > rect[1];
}

static bool overlaps(const double a[static 4], const double b[static 4])
{
    return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/* Whether a signature on the page is in the way. */
static bool is_occupied(struct obj page, const double rect[static 4])
{
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

    for (int i = 0, n = obj_count(annots); i < n && i < MAX_ANNOTS; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);
        AUTO_OBJ struct obj type = page_view_inherited(annot, "/FT", NULL);
        double other[4];

        if (obj_name_is(type, "/Sig") && read_rect(annot, other) && overlaps(rect, other))
            return true;
    }
    return false;
}

void place_on_page(struct place *place, struct obj page, const char *position, double width,
                   double height)
{
    struct page_view view;

    page_view_read(page, &view);
    double edge = fmin(EDGE, fmin(view.width - width, view.height - height) / 2);
    struct box box = { (view.width - width) / 2, (view.height - height) / 2, width, height };
    double step = -(height + GAP);

    if (strstr(position, "left"))
        box.x = edge;
    if (strstr(position, "right"))
        box.x = view.width - edge - width;
    if (strncmp(position, "bottom", 6) == 0) {
        box.y = edge;
        step = height + GAP;
    }
    if (strncmp(position, "top", 3) == 0)
        box.y = view.height - edge - height;
    *place = (struct place){ .width = width, .height = height, .rotation = view.rotation };
    to_content(&view, &box, place->rect);
    struct box other = box;
    for (int i = 0; i < MAX_MOVES; i++) {
        double rect[4];

        other.y = box.y + i * step;
        if (other.y < 0 || other.y + height > view.height)
            return; /* no room: over the other one, where it was wanted */
        to_content(&view, &other, rect);
        if (!is_occupied(page, rect)) {
            memcpy(place->rect, rect, sizeof rect);
            return;
        }
    }
}

int place_in_area(struct place *place, struct obj page, const struct area_param *area,
                  struct err *err)
{
    struct page_view view;

    page_view_read(page, &view);
    struct box box = { area->x, view.height - area->y - area->height, area->width, area->height };
    if (box.x + box.width > view.width + SLACK || box.y < -SLACK)
        return err_field(err, ERR_INVALID_PARAMETER, "box",
                         "box must lie on the page, which is %.10g by %.10g points large",
                         view.width, view.height);
    *place = (struct place){ .width = ceil(box.width),
                             .height = ceil(box.height),
                             .rotation = view.rotation };
    to_content(&view, &box, place->rect);
    return 0;
}

bool place_of_widget(struct place *place, struct obj page, struct obj widget)
{
    struct page_view view;

    *place = (struct place){ 0 };
    if (!read_rect(widget, place->rect))
        return false;
    page_view_read(page, &view);
    double across = (place->rect[2] - place->rect[0]) * view.unit;
    double up = (place->rect[3] - place->rect[1]) * view.unit;
    place->rotation = view.rotation;
    bool sideways = view.rotation == 90 || view.rotation == 270;
    place->width = fmin(ceil(sideways ? up : across), DRAWING_SIDE);
    place->height = fmin(ceil(sideways ? across : up), DRAWING_SIDE);
    return true;
}

size_t place_page_of(struct obj widget, qpdf_data q, size_t n_pages)
{
    AUTO_OBJ struct obj named = obj_key(widget, "/P");
    int64_t id = obj_id(named);

    for (size_t i = 0; i < n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(q, i);

        if (id && obj_id(page) == id)
            return i;
        if (id)
            continue;
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
        for (int k = 0, n = obj_count(annots); k < n && k < MAX_ANNOTS; k++) {
            AUTO_OBJ struct obj annot = obj_item(annots, k);

            if (obj_id(annot) && obj_id(annot) == obj_id(widget))
                return i;
        }
    }
    return n_pages;
}

void place_matrix(const struct place *place, double matrix[static 6])
{
    double w = place->width, h = place->height;
    const double turned[4][6] = {
        { 1, 0, 0, 1, 0, 0 },
        { 0, 1, -1, 0, h, 0 },
        { -1, 0, 0, -1, w, h },
        { 0, -1, 1, 0, 0, w },
    };

    memcpy(matrix, turned[place->rotation / 90], 6 * sizeof *matrix);
}
