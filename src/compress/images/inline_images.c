#include "compress/images/inline_images.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/content/content.h"
#include "compress/images/image_info.h"
#include "image/codec/raster.h"
#include "pdf/content/inline_image.h"
#include "pdf/content/operators.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"
#include "pdf/object/page_view.h"
#include "syntax/inflate/flate.h"

#define WORTH_MOVING 2048 /* bytes of data: an object of its own takes about 200 */
#define MOST_MOVED   10000
#define QUICK        1 /* level for data that is compressed again later */

/* What is known of the whole document. */
struct moving {
    unsigned number; /* of the last name that was tried */
    struct idmap *before;
};

/* One content stream whose images are moved. */
struct content {
    struct obj resources;
    const unsigned char *data;
    struct operators_place place;
    struct buf *out;
    size_t copied; /* input up to this offset is in `out` */
    size_t n_moved;
    double packing; /* bytes in the file for each byte of the content */
    size_t before;  /* bytes in the file of what was moved */
    struct moving *moving;
};

static const char *const spaces[][2] = {
    { "/G", "/DeviceGray" },
    { "/RGB", "/DeviceRGB" },
    { "/CMYK", "/DeviceCMYK" },
    { "/I", "/Indexed" },
};

static struct obj full_space(struct obj name)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (obj_name_is(name, spaces[i][0]))
            return obj_new_name(name.q, spaces[i][1]);
    return obj_same(name);
}

static void expand_filters(struct obj image)
{
    AUTO_OBJ struct obj filter = obj_key(image, "/Filter");
    AUTO_OBJ struct obj made = obj_new_array(image.q);
    int n = obj_is_array(filter) ? obj_count(filter) : 1;

    if (obj_is_null(filter))
        return;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj name = obj_is_array(filter) ? obj_item(filter, i) : obj_same(filter);
        AUTO_OBJ struct obj full = inline_image_filter(name);

        obj_append(made, full);
    }
    if (n == 1) {
        AUTO_OBJ struct obj only = obj_item(made, 0);

        obj_set(image, "/Filter", only);
    } else {
        obj_set(image, "/Filter", made);
    }
}

/* Looks a name up in the resources if it is not a device space's. Null if it is not known. */
static struct obj find_space(struct obj name, struct obj resources)
{
    AUTO_OBJ struct obj full = full_space(name);
    AUTO_OBJ struct obj named = obj_key(resources, "/ColorSpace");
    const char *bytes;
    size_t n;

    if (obj_name_is(full, "/DeviceGray") || obj_name_is(full, "/DeviceRGB") ||
        obj_name_is(full, "/DeviceCMYK"))
        return obj_same(full);
    bytes = obj_is_name(name) ? obj_bytes(name, &n) : NULL;
    return bytes && obj_is_dict(named) ? obj_key(named, bytes) : OBJ_NONE;
}

static bool expand_space(struct obj image, struct obj resources)
{
    AUTO_OBJ struct obj space = obj_key(image, "/ColorSpace");
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj full = full_space(kind);
    AUTO_OBJ struct obj base = obj_item(space, 1);
    AUTO_OBJ struct obj found = OBJ_NONE;

    if (obj_is_null(space))
        return true;
    found = find_space(obj_is_array(space) ? base : space, resources);
    if (!found.q || obj_is_null(found))
        return false;
    if (!obj_is_array(space)) {
        obj_set(image, "/ColorSpace", found);
        return true;
    }
    if (!obj_name_is(full, "/Indexed") || obj_count(space) != 4)
        return false;
    obj_set_item(space, 0, full);
    obj_set_item(space, 1, found);
    return true;
}

/* An image from its dictionary's text, from after BI to before ID, and data to before EI; null if
 * it is not understood. */
static struct obj read_image(struct content *c, const char *text, size_t n,
                             const unsigned char *data, size_t n_data)
{
    AUTO_OBJ struct obj dict = inline_image_dict(c->resources.q, text, n);
    AUTO_OBJ struct obj image = OBJ_NONE;

    if (!obj_is_dict(dict))
        return OBJ_NONE;
    image = obj_new_stream(dict.q, data, n_data);
    inline_image_copy(dict, image);
    obj_set_name(image, "/Type", "/XObject");
    obj_set_name(image, "/Subtype", "/Image");
    expand_filters(image);
    if (!expand_space(image, c->resources))
        return OBJ_NONE;
    return obj_same(image);
}

/* Whether there are exactly the samples that the image must have, or its file for JPEG and fax. */
static bool is_whole(struct obj image, size_t n_data)
{
    AUTO_FREE unsigned char *samples = NULL;
    struct image_info info;
    size_t n, size, row;

    if (!image_info_read(image, &info) || info.space == SPACE_NONE)
        return false;
    if (info.filter != IMAGE_LOSSLESS)
        return info.filter == IMAGE_DCT || info.filter == IMAGE_CCITT;
    row = (info.width * info.channels * info.bits + 7) / 8;
    if (!num_mul(row, info.height, &size) || size > RASTER_MAX)
        return false;
    if (!obj_has(image, "/Filter")) /* white space may stand before EI */
        return n_data >= size && n_data <= size + 2;
    return obj_stream_data(image, &samples, &n) && n >= size;
}

/* Sets new data, packed. False when out of memory. */
static bool set_data(struct obj stream, const void *data, size_t n)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    AUTO_OBJ struct obj flate = obj_new_name(stream.q, "/FlateDecode");

    if (!flate_pack(data, n, QUICK, &packed))
        return false;
    obj_remove(stream, "/DecodeParms");
    obj_set(stream, "/Filter", flate);
    obj_set_stream(stream, buf_text(&packed), packed.len);
    return true;
}

/* Names the image in the resources; `name` has room for 32 bytes. */
static void add_name(struct content *c, struct obj image, char *name)
{
    AUTO_OBJ struct obj held = obj_key(c->resources, "/XObject");

    if (!obj_is_dict(held)) {
        AUTO_OBJ struct obj made = obj_new_dict(c->resources.q);

        obj_set(c->resources, "/XObject", made);
        obj_drop(&held);
        held = obj_key(c->resources, "/XObject");
    }
    do
        snprintf(name, 32, "/I%u", ++c->moving->number);
    while (obj_has(held, name));
    obj_set(held, name, image);
}

static bool move_image(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct content *c = arg;
    const struct operators_place *place = &c->place;
    AUTO_OBJ struct obj image = OBJ_NONE;
    size_t text = place->begin + 2, end = place->end - 2, bytes;
    char name[32];

    (void) operands, (void) n;
    if (c->moving->number >= MOST_MOVED)
        return false;
    if (strcmp(op, "EI") != 0 || place->image < text + 3 || end < place->image + WORTH_MOVING ||
        memcmp(c->data + place->begin, "BI", 2) != 0)
        return true;
    image = read_image(c, (const char *) c->data + text, place->image - text - 3,
                       c->data + place->image, end - place->image);
    if (!image.q || !is_whole(image, end - place->image))
        return true;
    if (!obj_has(image, "/Filter") && !set_data(image, c->data + place->image, end - place->image))
        return false;
    add_name(c, image, name);
    bytes = (size_t) ((double) (place->end - place->begin) * c->packing);
    if (!idmap_add(c->moving->before, obj_id(image), bytes))
        return false;
    c->before += bytes;
    buf_put(c->out, c->data + c->copied, place->begin - c->copied);
    buf_printf(c->out, "%s Do\n", name);
    c->copied = place->end;
    c->n_moved++;
    return !c->out->failed;
}

/* False when out of memory. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the content counts in it. */
static bool move_from(struct obj stream, struct obj resources, struct moving *moving)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct content c = { .resources = resources, .out = &out, .moving = moving };
    size_t n, bytes = content_bytes(stream, moving->before);

    if (!obj_is_dict(resources) || !obj_stream_data(stream, &data, &n) || n < WORTH_MOVING ||
        !memmem(data, n, "EI", 2))
        return true;
    c.data = data;
    c.packing = (double) bytes / (double) n;
    operators_read_at(data, n, move_image, &c, &c.place);
    if (c.n_moved == 0)
        return !out.failed;
    buf_put(&out, data + c.copied, n - c.copied);
    bytes -= c.before < bytes ? c.before : bytes;
    if (!idmap_add(moving->before, obj_id(stream), bytes))
        return false;
    idmap_set(moving->before, obj_id(stream), bytes);
    return !out.failed && set_data(stream, out.data, out.len);
}

/* The only content stream of a page; null if it has several. */
static struct obj content_of(struct obj page)
{
    AUTO_OBJ struct obj content = obj_key(page, "/Contents");

    if (obj_is_array(content) && obj_count(content) != 1)
        return OBJ_NONE;
    return obj_is_array(content) ? obj_item(content, 0) : obj_same(content);
}

/* Content that pages share may have other resources on each. */
static bool move_from_pages(struct pdf_doc *doc, struct moving *moving)
{
    AUTO_IDMAP struct idmap uses = { 0 };

    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj content = content_of(page);
        size_t before;

        if (!content.q || !obj_is_stream(content))
            continue;
        before = idmap_find(&uses, obj_id(content));
        if (before != IDMAP_NONE)
            idmap_set(&uses, obj_id(content), before + 1);
        else if (!idmap_add(&uses, obj_id(content), 1))
            return false;
    }
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj content = content_of(page);
        AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);

        if (content.q && obj_is_stream(content) && idmap_find(&uses, obj_id(content)) == 1 &&
            !move_from(content, resources, moving))
            return false;
    }
    return true;
}

/* Forms and patterns with resources of their own. */
static bool move_from_others(struct pdf_doc *doc, struct moving *moving)
{
    int end = pdf_doc_next_number(doc);

    for (int id = 1; id < end; id++) {
        AUTO_OBJ struct obj stream = obj_by_id(doc->q, id, 0);
        long long kind = 0;

        if (!obj_is_stream(stream) || !obj_has(stream, "/Resources") ||
            (!obj_key_is(stream, "/Subtype", "/Form") &&
             (!obj_key_int(stream, "/PatternType", &kind) || kind != 1)))
            continue;
        AUTO_OBJ struct obj resources = obj_key(stream, "/Resources");
        if (!move_from(stream, resources, moving))
            return false;
    }
    return true;
}

int inline_images_move(struct pdf_doc *doc, struct idmap *before, struct err *err)
{
    struct moving moving = { .before = before };

    return move_from_pages(doc, &moving) && move_from_others(doc, &moving) ? 0
                                                                           : pdf_doc_no_memory(err);
}
