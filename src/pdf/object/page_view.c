#include "pdf/object/page_view.h"

#include <math.h>
#include <string.h>

#define MAX_ANCESTORS 64
#define MAX_UNIT      75000.0
#define FAR           1e7 /* coordinates are taken to lie within */

struct obj page_view_inherited(struct obj page, const char *key, struct obj *from)
{
    AUTO_OBJ struct obj node = obj_same(page);

    for (int i = 0; i < MAX_ANCESTORS && obj_is_dict(node); i++) {
        struct obj value = obj_key(node, key);

        if (!obj_is_null(value)) {
            if (from)
                *from = obj_same(node);
            return value;
        }
        obj_drop(&value);
        struct obj parent = obj_key(node, "/Parent");
        obj_drop(&node);
        node = parent;
    }
    return obj_key(page, key); /* null */
}

int page_view_rotation(struct obj page)
{
    AUTO_OBJ struct obj node = obj_same(page);
    long long degrees = 0;

    for (int i = 0; i < MAX_ANCESTORS && obj_is_dict(node); i++) {
        if (obj_key_int(node, "/Rotate", &degrees))
            break;
        struct obj parent = obj_key(node, "/Parent");
        obj_drop(&node);
        node = parent;
    }
    degrees %= 360;
    return degrees % 90 ? 0 : (int) (degrees + 360) % 360;
}

static bool is_area(const double box[4])
{
    return box[2] - box[0] >= 1e-3 && box[3] - box[1] >= 1e-3;
}

/* The corners may be any two that face each other (7.9.5). */
static bool read_box(struct obj page, const char *key, double out[4])
{
    AUTO_OBJ struct obj array = page_view_inherited(page, key, NULL);
    double v[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!obj_is_number(item, &v[i]))
            return false;
        v[i] = fmin(fmax(v[i], -FAR), FAR);
    }
    out[0] = fmin(v[0], v[2]);
    out[1] = fmin(v[1], v[3]);
    out[2] = fmax(v[0], v[2]);
    out[3] = fmax(v[1], v[3]);
    return is_area(out);
}

static void read_shown_box(struct obj page, double out[4])
{
    static const double letter[4] = { 0, 0, 612, 792 };
    double media[4], crop[4];

    if (!read_box(page, "/MediaBox", media))
        memcpy(media, letter, sizeof media);
    memcpy(out, media, sizeof media);
    if (!read_box(page, "/CropBox", crop))
        return;
    for (int i = 0; i < 2; i++) {
        crop[i] = fmax(crop[i], media[i]);
        crop[i + 2] = fmin(crop[i + 2], media[i + 2]);
    }
    if (is_area(crop))
        memcpy(out, crop, sizeof crop);
}

static double read_unit(struct obj page)
{
    AUTO_OBJ struct obj value = obj_key(page, "/UserUnit");
    double unit;

    if (!obj_is_number(value, &unit) || !(unit > 0))
        return 1;
    return fmin(fmax(unit, 1 / MAX_UNIT), MAX_UNIT);
}

void page_view_read(struct obj page, struct page_view *view)
{
    double *b = view->box, k;

    read_shown_box(page, view->box);
    view->unit = read_unit(page);
    view->rotation = page_view_rotation(page);
    k = 1 / view->unit;
    bool sideways = view->rotation % 180 != 0;
    double width = fmax((b[2] - b[0]) * view->unit, 1);
    double height = fmax((b[3] - b[1]) * view->unit, 1);
    /* The bottom left corner of what is shown is another corner of the box after each turn. */
    const double matrices[4][6] = {
        { k, 0, 0, k, b[0], b[1] },
        { 0, k, -k, 0, b[2], b[1] },
        { -k, 0, 0, -k, b[2], b[3] },
        { 0, -k, k, 0, b[0], b[3] },
    };

    view->width = sideways ? height : width;
    view->height = sideways ? width : height;
    memcpy(view->matrix, matrices[view->rotation / 90], sizeof view->matrix);
}
