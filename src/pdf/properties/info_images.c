#include "pdf/properties/info_images.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/operators.h"
#include "pdf/content/overlay.h"
#include "pdf/object/idmap.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/matrix.h"
#include "pdf/properties/json_values.h"

#define MAX_DEPTH    12
#define MAX_SAVED    128
#define MAX_BYTES    (1ull << 31) /* of content that is read, forms as often as they are shown */
#define FORM_BYTES   4096         /* what beginning a stream costs, in bytes of content */
#define MAX_IMAGES   20000
#define MAX_USES     1000 /* of one image */
#define MAX_ALL_USES 100000

struct finder {
    struct pdf_doc *doc;
    json_t *out;
    struct idmap images; /* from ids to indexes in `out` */
    size_t page;
    struct page_view view;
    double seen[6]; /* from the page's content to what is shown, y upwards */
    uint64_t bytes;
    size_t uses;
    bool cut, failed;
};

/* The graphics state of one content stream. */
struct state {
    struct finder *finder;
    struct obj resources;
    double matrix[6];
    double saved[MAX_SAVED][6];
    size_t n_saved; /* may be more than are kept */
    int depth;
};

static void put_bounds(const double m[6], const struct page_view *view, json_t *use)
{
    static const double unit[4] = { 0, 0, 1, 1 };
    double box[4];
    json_t *list = json_array();

    matrix_box(m, unit, box);
    const double flipped[4] = { box[0], view->height - box[3], box[2], view->height - box[1] };
    for (int i = 0; i < 4; i++)
        json_array_append_new(list, json_values_number(flipped[i]));
    json_object_set_new(use, "box", list);
}

static void add_use(struct finder *f, json_t *image, const double matrix[6])
{
    json_t *uses = json_object_get(image, "uses"), *use, *dpi;
    double w = (double) json_integer_value(json_object_get(image, "width"));
    double h = (double) json_integer_value(json_object_get(image, "height")), m[6];

    if (json_array_size(uses) >= MAX_USES || ++f->uses > MAX_ALL_USES) {
        f->cut = true;
        return;
    }
    overlay_multiply(matrix, f->seen, m);
    double across = hypot(m[0], m[1]), up = hypot(m[2], m[3]);
    use = json_object();
    json_object_set_new(use, "page", json_integer((json_int_t) f->page));
    put_bounds(m, &f->view, use);
    dpi = json_array();
    json_array_append_new(dpi, json_values_number(across > 0 ? w * 72 / across : 0));
    json_array_append_new(dpi, json_values_number(up > 0 ? h * 72 / up : 0));
    json_object_set_new(use, "dpi", dpi);
    json_array_append_new(uses, use);
}

static json_t *color_space(struct obj dict)
{
    AUTO_OBJ struct obj space = obj_key(dict, "/ColorSpace");
    AUTO_OBJ struct obj first = obj_item(space, 0);

    return json_values_name(obj_is_array(space) ? first : space);
}

static json_t *filters(struct obj dict)
{
    AUTO_OBJ struct obj filter = obj_key(dict, "/Filter");
    json_t *out = json_array();
    int n = obj_count(filter);

    if (obj_is_name(filter))
        json_array_append_new(out, json_values_name(filter));
    for (int i = 0; i < n && i < 10; i++) {
        AUTO_OBJ struct obj one = obj_item(filter, i);

        if (obj_is_name(one))
            json_array_append_new(out, json_values_name(one));
    }
    return out;
}

static json_t *image_json(struct obj stream)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_OBJ struct obj mask = obj_key(dict, "/ImageMask");
    json_t *out = json_object(), *space = color_space(dict);
    long long width = 0, height = 0, bits, bytes;
    bool stencil = false;

    obj_key_int(dict, "/Width", &width);
    obj_key_int(dict, "/Height", &height);
    obj_is_bool(mask, &stencil);
    json_object_set_new(out, "object", json_integer(OBJ_NUMBER(obj_id(stream))));
    json_object_set_new(out, "width", json_integer(width));
    json_object_set_new(out, "height", json_integer(height));
    if (obj_key_int(dict, "/BitsPerComponent", &bits))
        json_object_set_new(out, "bitsPerComponent", json_integer(bits));
    if (space)
        json_object_set_new(out, "colorSpace", space);
    json_object_set_new(out, "filters", filters(dict));
    if (obj_key_int(dict, "/Length", &bytes))
        json_object_set_new(out, "bytes", json_integer(bytes));
    json_object_set_new(out, "stencil", json_boolean(stencil));
    json_object_set_new(out, "softMask", json_boolean(obj_has(dict, "/SMask")));
    json_object_set_new(out, "uses", json_array());
    return out;
}

static void show_image(struct finder *f, struct obj stream, const double matrix[6])
{
    int64_t id = obj_id(stream);
    size_t i = idmap_find(&f->images, id);

    if (i == IDMAP_NONE) {
        i = json_array_size(f->out);
        if (i >= MAX_IMAGES) {
            f->cut = true;
            return;
        }
        if (!idmap_add(&f->images, id, i) ||
            json_array_append_new(f->out, image_json(stream)) < 0) {
            f->failed = true;
            return;
        }
    }
    add_use(f, json_array_get(f->out, i), matrix);
}

static void read_content(struct finder *f, const unsigned char *data, size_t n,
                         struct obj resources, const double matrix[6], int depth);

static void show_form(const struct state *s, struct obj stream)
{
    AUTO_OBJ struct obj own = obj_key(stream, "/Resources");
    AUTO_OBJ struct obj array = obj_key(stream, "/Matrix");
    AUTO_FREE unsigned char *data = NULL;
    double m[6] = { 1, 0, 0, 1, 0, 0 };
    size_t n;

    if (s->depth >= MAX_DEPTH || !obj_stream_data(stream, &data, &n))
        return;
    for (int i = 0; i < 6 && obj_count(array) == 6; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        obj_is_number(item, &m[i]);
    }
    overlay_multiply(m, s->matrix, m);
    read_content(s->finder, data, n, obj_is_dict(own) ? own : s->resources, m, s->depth + 1);
}

static void show_object(const struct state *s, const char *name)
{
    AUTO_OBJ struct obj objects = obj_key(s->resources, "/XObject");
    AUTO_OBJ struct obj one = obj_key(objects, name);

    if (!obj_is_stream(one))
        return;
    if (obj_key_is(one, "/Subtype", "/Image"))
        show_image(s->finder, one, s->matrix);
    else if (obj_key_is(one, "/Subtype", "/Form"))
        show_form(s, one);
}

static bool on_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct state *s = arg;

    if (strcmp(op, "q") == 0) {
        if (s->n_saved < MAX_SAVED)
            memcpy(s->saved[s->n_saved], s->matrix, sizeof s->matrix);
        s->n_saved++;
    } else if (strcmp(op, "Q") == 0 && s->n_saved > 0) {
        if (--s->n_saved < MAX_SAVED)
            memcpy(s->matrix, s->saved[s->n_saved], sizeof s->matrix);
    } else if (strcmp(op, "cm") == 0) {
        double m[6];

        for (size_t i = 0; i < 6; i++)
            m[i] = operators_number(operands, n, i);
        overlay_multiply(m, s->matrix, s->matrix);
    } else if (strcmp(op, "Do") == 0 && n > 0 && operands[0].type == OPERAND_NAME) {
        show_object(s, operands[0].bytes);
    }
    return !s->finder->cut && !s->finder->failed;
}

static void read_content(struct finder *f, const unsigned char *data, size_t n,
                         struct obj resources, const double matrix[6], int depth)
{
    struct state *state = calloc(1, sizeof *state);

    f->bytes += n + FORM_BYTES;
    f->cut |= f->bytes > MAX_BYTES;
    f->failed |= !state;
    if (state && !f->cut) {
        state->finder = f;
        state->resources = resources;
        state->depth = depth;
        memcpy(state->matrix, matrix, sizeof state->matrix);
        operators_read(data, n, on_operator, state);
    }
    free(state);
}

json_t *info_images(struct pdf_doc *doc, bool *cut)
{
    AUTO_PAGE_HERITAGE struct page_heritage heritage = { 0 };
    static const double whole[6] = { 1, 0, 0, 1, 0, 0 };
    struct finder f = { .doc = doc, .out = json_array() };

    for (size_t i = 0; i < doc->n_pages && !f.cut && !f.failed; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
        AUTO_FREE unsigned char *data = NULL;
        size_t n;

        /* Pages that can show nothing but text need no reading. */
        if (!obj_has(resources, "/XObject") || !obj_page_content(page, &data, &n))
            continue;
        f.page = i + 1;
        page_view_read_next(page, &heritage, &f.view);
        matrix_invert(f.view.matrix, f.seen);
        read_content(&f, data, n, resources, whole, 0);
    }
    *cut |= f.cut;
    idmap_free(&f.images);
    if (f.failed) {
        json_decref(f.out);
        return NULL;
    }
    return f.out;
}
