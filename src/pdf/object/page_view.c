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

void page_heritage_free(struct page_heritage *heritage)
{
    for (int i = 0; i < PAGE_ATTRIBUTES; i++)
        obj_drop(&heritage->values[i]);
    *heritage = (struct page_heritage){ 0 };
}

static const char *const keys[] = { "/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox" };

/* Reads what the page's node has, unless the page before had the same. False: it has none. */
static bool find_heritage(struct obj page, struct page_heritage *heritage)
{
    if (page.q == heritage->page.q && page.oh == heritage->page.oh)
        return heritage->has_node;
    AUTO_OBJ struct obj node = obj_key(page, "/Parent");
    int64_t id = obj_id(node);

    if (id != 0 && id != heritage->node)
        page_heritage_free(heritage);
    heritage->page = page;
    heritage->has_node = id != 0;
    if (id == 0 || id == heritage->node)
        return id != 0;
    heritage->node = id;
    for (int i = 0; i < PAGE_ATTRIBUTES; i++)
        heritage->values[i] = page_view_inherited(node, keys[i], NULL);
    heritage->rotation = page_view_rotation(node);
    return true;
}

struct obj page_view_attribute(struct obj page, enum page_attribute attribute,
                               struct page_heritage *heritage)
{
    struct obj own = obj_key(page, keys[attribute]);

    if (!obj_is_null(own))
        return own;
    obj_drop(&own);
    return find_heritage(page, heritage) ? obj_same(heritage->values[attribute])
                                         : page_view_inherited(page, keys[attribute], NULL);
}

static bool is_area(const double box[4])
{
    return box[2] - box[0] >= 1e-3 && box[3] - box[1] >= 1e-3;
}

/* The corners may be any two that face each other (7.9.5). */
static bool read_box(struct obj page, enum page_attribute attribute, struct page_heritage *heritage,
                     double out[4])
{
    AUTO_OBJ struct obj array = page_view_attribute(page, attribute, heritage);
    double v[4];

    if (!obj_numbers(array, v, 4))
        return false;
    for (int i = 0; i < 4; i++)
        v[i] = fmin(fmax(v[i], -FAR), FAR);
    out[0] = fmin(v[0], v[2]);
    out[1] = fmin(v[1], v[3]);
    out[2] = fmax(v[0], v[2]);
    out[3] = fmax(v[1], v[3]);
    return is_area(out);
}

static void read_shown_box(struct obj page, struct page_heritage *heritage, double out[4])
{
    static const double letter[4] = { 0, 0, 612, 792 };
    double media[4], crop[4];

    if (!read_box(page, PAGE_MEDIA_BOX, heritage, media))
        memcpy(media, letter, sizeof media);
    memcpy(out, media, sizeof media);
    if (!read_box(page, PAGE_CROP_BOX, heritage, crop))
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

static int read_rotation(struct obj page, struct page_heritage *heritage)
{
    long long degrees;

    return !obj_key_int(page, "/Rotate", &degrees) && find_heritage(page, heritage)
               ? heritage->rotation
               : page_view_rotation(page);
}

void page_view_read(struct obj page, struct page_view *view)
{
    AUTO_PAGE_HERITAGE struct page_heritage heritage = { 0 };

    page_view_read_next(page, &heritage, view);
}

void page_view_read_next(struct obj page, struct page_heritage *heritage, struct page_view *view)
{
    double *b = view->box, k;

    read_shown_box(page, heritage, view->box);
    view->unit = read_unit(page);
    view->rotation = read_rotation(page, heritage);
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
