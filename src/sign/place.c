#include "sign/place.h"

#include <math.h>
#include <string.h>

#define MAX_ANCESTORS 64
#define MAX_ANNOTS    10000 /* looked at for signatures in the way */
#define MAX_MOVES     50
#define GAP           6.0
#define EDGE          28.0 /* between the box and the page's edge, points */
#define LARGEST       1e6  /* coordinates beyond are nonsense */

/* A page as it is displayed: its visible box in user space. */
struct view {
    double left, bottom, right, top;
    double unit; /* points in one unit of user space */
    int rotation;
};

/* A page's attribute, which may be inherited (7.7.3.4). */
static struct obj inherited(struct obj page, const char *key)
{
    struct obj node = obj_same(page);

    for (int i = 0; i < MAX_ANCESTORS && obj_is_dict(node); i++) {
        struct obj value = obj_key(node, key);

        if (!obj_is_null(value)) {
            obj_drop(&node);
            return value;
        }
        obj_drop(&value);
        struct obj parent = obj_key(node, "/Parent");
        obj_drop(&node);
        node = parent;
    }
    obj_drop(&node);
    return OBJ_NONE;
}

static bool number_of(struct obj obj, double *out)
{
    double value = 0;

    if (!obj.q || !qpdf_oh_get_value_as_number(obj.q, obj.oh, &value) || !isfinite(value) ||
        fabs(value) > LARGEST)
        return false;
    *out = value;
    return true;
}

/* Four numbers, put in order. False for what is none, or has no area. */
static bool read_box(struct obj array, double box[static 4])
{
    if (obj_count(array) < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!number_of(item, &box[i]))
            return false;
    }
    for (int i = 0; i < 2; i++)
        if (box[i] > box[i + 2]) {
            double low = box[i + 2];

            box[i + 2] = box[i];
            box[i] = low;
        }
    return box[2] - box[0] > 0 && box[3] - box[1] > 0;
}

static void read_view(struct view *view, struct obj page)
{
    AUTO_OBJ struct obj media_box = inherited(page, "/MediaBox");
    AUTO_OBJ struct obj crop_box = inherited(page, "/CropBox");
    AUTO_OBJ struct obj rotate = inherited(page, "/Rotate");
    AUTO_OBJ struct obj user_unit = obj_key(page, "/UserUnit");
    double media[4] = { 0, 0, 612, 792 }, crop[4];
    long long degrees = 0;

    if (!read_box(media_box, media))
        memcpy(media, (double[4]){ 0, 0, 612, 792 }, sizeof media);
    if (read_box(crop_box, crop) && fmax(crop[0], media[0]) < fmin(crop[2], media[2]) &&
        fmax(crop[1], media[1]) < fmin(crop[3], media[3])) {
        for (int i = 0; i < 2; i++) {
            media[i] = fmax(crop[i], media[i]);
            media[i + 2] = fmin(crop[i + 2], media[i + 2]);
        }
    }
    obj_is_int(rotate, &degrees);
    degrees %= 360;
    *view = (struct view){ media[0], media[1], media[2], media[3], 1, 0 };
    if (degrees % 90 == 0)
        view->rotation = (int) (degrees + 360) % 360;
    if (!number_of(user_unit, &view->unit) || view->unit <= 0)
        view->unit = 1;
}

static bool is_sideways(int rotation)
{
    return rotation == 90 || rotation == 270;
}

static void view_size(const struct view *view, double *width, double *height)
{
    double across = (view->right - view->left) * view->unit;
    double up = (view->top - view->bottom) * view->unit;

    *width = is_sideways(view->rotation) ? up : across;
    *height = is_sideways(view->rotation) ? across : up;
}

void place_page_size(struct obj page, double *width, double *height)
{
    struct view view;

    read_view(&view, page);
    view_size(&view, width, height);
}

/* A box in displayed points, y upwards from the bottom left corner. */
struct box {
    double x, y, width, height;
};

static void to_user_space(const struct view *view, const struct box *box, double rect[static 4])
{
    double x0 = box->x / view->unit, x1 = (box->x + box->width) / view->unit;
    double y0 = box->y / view->unit, y1 = (box->y + box->height) / view->unit;
    const double turned[4][4] = {
        { view->left + x0, view->bottom + y0, view->left + x1, view->bottom + y1 },
        { view->right - y1, view->bottom + x0, view->right - y0, view->bottom + x1 },
        { view->right - x1, view->top - y1, view->right - x0, view->top - y0 },
        { view->left + y0, view->top - x1, view->left + y1, view->top - x0 },
    };

    memcpy(rect, turned[view->rotation / 90], 4 * sizeof *rect);
}

static bool overlaps(const double a[static 4], const double b[static 4])
{
    return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/* Whether a signature on the page is in the way. */
static bool is_taken(struct obj page, const double rect[static 4])
{
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

    for (int i = 0, n = obj_count(annots); i < n && i < MAX_ANNOTS; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);
        AUTO_OBJ struct obj type = inherited(annot, "/FT");
        AUTO_OBJ struct obj array = obj_key(annot, "/Rect");
        double other[4];

        if (obj_name_is(type, "/Sig") && read_box(array, other) && overlaps(rect, other))
            return true;
    }
    return false;
}

void place_on_page(struct place *place, struct obj page, const char *position, double width,
                   double height)
{
    struct view view;
    double page_width, page_height;

    read_view(&view, page);
    view_size(&view, &page_width, &page_height);
    double edge = fmin(EDGE, fmin(page_width - width, page_height - height) / 2);
    struct box box = { (page_width - width) / 2, (page_height - height) / 2, width, height };
    double step = -(height + GAP);

    if (strstr(position, "left"))
        box.x = edge;
    if (strstr(position, "right"))
        box.x = page_width - edge - width;
    if (strncmp(position, "bottom", 6) == 0) {
        box.y = edge;
        step = height + GAP;
    }
    if (strncmp(position, "top", 3) == 0)
        box.y = page_height - edge - height;
    *place = (struct place){ .width = width, .height = height, .rotation = view.rotation };
    to_user_space(&view, &box, place->rect);
    struct box other = box;
    for (int i = 0; i < MAX_MOVES; i++, other.y += step) {
        double rect[4];

        if (other.y < 0 || other.y + height > page_height)
            return; /* no room: over the other one, where it was wanted */
        to_user_space(&view, &other, rect);
        if (!is_taken(page, rect)) {
            memcpy(place->rect, rect, sizeof rect);
            return;
        }
    }
}

bool place_of_widget(struct place *place, struct obj page, struct obj widget)
{
    AUTO_OBJ struct obj rect = obj_key(widget, "/Rect");
    struct view view;

    *place = (struct place){ 0 };
    if (!read_box(rect, place->rect))
        return false;
    read_view(&view, page);
    double across = (place->rect[2] - place->rect[0]) * view.unit;
    double up = (place->rect[3] - place->rect[1]) * view.unit;
    place->rotation = view.rotation;
    place->width = ceil(is_sideways(view.rotation) ? up : across);
    place->height = ceil(is_sideways(view.rotation) ? across : up);
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
