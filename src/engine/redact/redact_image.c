#include "engine/redact/redact_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/redact/redact_parse.h"
#include "image/codec/dct.h"
#include "image/codec/jbig2_write.h"
#include "image/codec/jpx_boxes.h"

#define TOUCHED 0.01 /* of a pixel: an area that reaches less far into it leaves it as it is */

/* An image as it was decoded: its samples, 8 bits each, and opacity after them if `alpha`. */
struct pixels {
    unsigned char *at;
    size_t w, h, n; /* n: samples of a pixel, without opacity */
    bool alpha;
    bool mask;          /* a stencil: n is 0 and opacity is what it paints */
    bool bilevel;       /* each sample is 0 or 255 */
    bool scan;          /* it was packed as fax or JBIG2, which suits it better than deflate */
    struct buf profile; /* the ICC profile of an image that has its own; or empty */
};

static void free_pixels(struct pixels *pixels)
{
    free(pixels->at);
    buf_free(&pixels->profile);
}

struct source {
    int number; /* of the object of an image; or 0, and these are set: */
    const char *dict;
    const unsigned char *data;
    size_t n;
};

static fz_image *load_image(fz_context *ctx, pdf_document *pdf, const struct source *source)
{
    fz_stream *stream = NULL;
    fz_image *image = NULL;
    pdf_obj *dict = NULL;

    fz_var(stream);
    fz_var(dict);
    fz_var(image);
    fz_try(ctx)
    {
        dict = source->number ? pdf_new_indirect(ctx, pdf, source->number, 0)
                              : redact_parse(ctx, pdf, source->dict);
        if (source->number) {
            image = pdf_load_image(ctx, pdf, dict);
        } else {
            stream = fz_open_memory(ctx, source->data, source->n);
            image = pdf_load_inline_image(ctx, pdf, NULL, dict, stream);
        }
    }
    fz_always(ctx)
    {
        fz_drop_stream(ctx, stream);
        pdf_drop_obj(ctx, dict);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return image;
}

static void copy_pixels(const fz_pixmap *pixmap, struct pixels *to)
{
    size_t row = (size_t) pixmap->w * pixmap->n;

    to->w = (size_t) pixmap->w;
    to->h = (size_t) pixmap->h;
    to->alpha = pixmap->alpha != 0;
    to->n = pixmap->n - (size_t) to->alpha;
    to->at = malloc(row * to->h + 1);
    for (size_t y = 0; to->at && y < to->h; y++)
        memcpy(to->at + y * row, pixmap->samples + (ptrdiff_t) y * pixmap->stride, row);
}

/* How a picture is packed: by a code for bitmaps, or as JPEG 2000, which may have the profile that
 * the dictionary has no colour space for. */
static void look_at_filter(struct redact_edit *edit, int number, struct obj dict,
                           struct pixels *pixels)
{
    AUTO_OBJ struct obj filter = obj_key(dict, "/Filter");
    AUTO_OBJ struct obj last = obj_item(filter, obj_is_array(filter) ? obj_count(filter) - 1 : 0);
    struct obj used = obj_is_array(filter) ? last : filter;
    AUTO_OBJ struct obj image = number ? obj_by_number(edit->doc->q, number) : OBJ_NONE;
    AUTO_FREE unsigned char *data = NULL;
    const uint8_t *profile;
    size_t n, n_profile;

    pixels->scan = obj_name_is(used, "/JBIG2Decode") || obj_name_is(used, "/CCITTFaxDecode") ||
                   obj_name_is(used, "/CCF");
    if (obj_name_is(used, "/JPXDecode") && !obj_has(dict, "/ColorSpace") && image.q &&
        obj_stream_raw(image, &data, &n) && jpx_boxes_profile(data, n, &profile, &n_profile))
        buf_put(&pixels->profile, profile, n_profile);
}

/* False: the image cannot be decoded. */
static bool decode_image(struct redact_edit *edit, const struct source *source, struct pixels *to)
{
    fz_context *ctx = edit->fonts.ctx;
    fz_pixmap *pixmap = NULL;
    fz_image *image = NULL;

    fz_var(image);
    fz_var(pixmap);
    fz_try(ctx)
    {
        image = load_image(ctx, edit->fonts.pdf, source);
        pixmap = fz_get_unscaled_pixmap_from_image(ctx, image);
        to->mask = image->imagemask;
        to->bilevel = image->bpc == 1 && pixmap->n == 1;
        copy_pixels(pixmap, to);
    }
    fz_always(ctx)
    {
        fz_drop_pixmap(ctx, pixmap);
        fz_drop_image(ctx, image);
    }
    fz_catch(ctx)
    {
        return false;
    }
    edit->no_memory |= !to->at;
    return to->at != NULL;
}

/* The columns of the row of pixels `row` that an area covers, in part or wholly. */
static bool find_columns(const double *corners, double row, double *low, double *high)
{
    double top = row + TOUCHED, bottom = row + 1 - TOUCHED;
    static const int around[4] = { 0, 1, 3, 2 };

    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        const double *p = corners + 2 * around[i], *q = corners + 2 * around[(i + 1) % 4];
        double from = 0, to = 1, dy = q[1] - p[1];

        if (dy == 0 && (p[1] < top || p[1] > bottom))
            continue;
        if (dy != 0) {
            from = (top - p[1]) / dy;
            to = (bottom - p[1]) / dy;
        }
        if (fmax(from, to) < 0 || fmin(from, to) > 1)
            continue;
        from = fmin(fmax(from, 0), 1);
        to = fmin(fmax(to, 0), 1);
        *low = fmin(*low, fmin(p[0] + from * (q[0] - p[0]), p[0] + to * (q[0] - p[0])));
        *high = fmax(*high, fmax(p[0] + from * (q[0] - p[0]), p[0] + to * (q[0] - p[0])));
    }
    return *low <= *high;
}

/* Sets the pixels of an area, whose corners are in pixels from the top left one. */
static void cut_area(struct pixels *pixels, const double *corners, unsigned char value)
{
    size_t step = pixels->n + pixels->alpha;

    for (size_t y = 0; y < pixels->h; y++) {
        double low, high;

        if (!find_columns(corners, (double) y, &low, &high))
            continue;
        size_t from = (size_t) fmin(fmax(floor(low + TOUCHED), 0), (double) pixels->w);
        size_t to = (size_t) fmin(fmax(ceil(high - TOUCHED), 0), (double) pixels->w);
        for (size_t x = from; x < to; x++) {
            unsigned char *at = pixels->at + (y * pixels->w + x) * step;

            memset(at, pixels->mask ? 0 : value, step);
            if (pixels->alpha && !pixels->mask)
                at[pixels->n] = 255;
        }
    }
}

void redact_image_fill(unsigned char *samples, size_t w, size_t h, size_t n,
                       const double corners[static 8], unsigned char value)
{
    struct pixels pixels = { .at = samples, .w = w, .h = h, .n = n };

    cut_area(&pixels, corners, value);
}

/* The sample that is black or white, as far as that is the same for all components. */
static unsigned char find_value(const struct redact_edit *edit, size_t n_components)
{
    return n_components == 4 ? (unsigned char) (255 - edit->pixel) : edit->pixel;
}

static bool cut_areas(struct redact_edit *edit, struct pixels *pixels, struct redact_matrix ctm,
                      unsigned char value)
{
    struct redact_matrix back;
    bool any = false;

    if (!redact_shape_invert(ctm, &back))
        return false;
    for (size_t i = 0; i < edit->n_areas; i++) {
        struct redact_quad unit = redact_shape_quad(ctm, 0, 0, 1, 1);
        double corners[8];

        if (!redact_shape_meet(&edit->areas[i], &unit))
            continue;
        memcpy(corners, edit->areas[i].quad.at, sizeof corners);
        for (int k = 0; k < 4; k++) {
            redact_shape_move(back, &corners[2 * k], &corners[2 * k + 1]);
            corners[2 * k] *= (double) pixels->w;
            corners[2 * k + 1] = (1 - corners[2 * k + 1]) * (double) pixels->h;
        }
        cut_area(pixels, corners, value);
        any = true;
    }
    return any;
}

/* Whether something of an image is to be cut now. */
static bool is_met(struct redact_edit *edit, struct redact_matrix ctm)
{
    struct redact_quad unit = redact_shape_quad(ctm, 0, 0, 1, 1);
    bool met = false;

    for (size_t i = 0; i < edit->n_areas; i++)
        if (redact_shape_meet(&edit->areas[i], &unit))
            met = edit->areas[i].picture = true;
    return met && !edit->measuring;
}

/* The samples from `first` on of each pixel, `n` of them, as the data of an image. */
static bool pack(const struct pixels *pixels, size_t first, size_t n, bool bits, struct buf *out)
{
    size_t step = pixels->n + pixels->alpha, row = bits ? (pixels->w + 7) / 8 : pixels->w * n;
    unsigned char *to = buf_room(out, row * pixels->h + 1);
    const unsigned char *at = pixels->at + first;

    if (!to)
        return false;
    memset(to, 0, row * pixels->h);
    for (size_t y = 0; y < pixels->h; y++, to += row)
        for (size_t x = 0; x < pixels->w; x++, at += step) {
            if (bits && (*at >= 128) != pixels->mask)
                to[x / 8] = (unsigned char) (to[x / 8] | 0x80 >> x % 8);
            else if (!bits)
                memcpy(to + x * n, at, n);
        }
    buf_added(out, row * pixels->h);
    return true;
}

/* The same bits as JBIG2, in which black, the sample 0, is 1. */
static bool code_bits(const struct pixels *pixels, struct buf *bits, struct buf *out)
{
    struct bitmap bitmap = { .width = pixels->w,
                             .height = pixels->h,
                             .stride = (pixels->w + 7) / 8,
                             .data = (uint8_t *) bits->data };

    for (size_t i = 0; i < bits->len; i++)
        bitmap.data[i] = (uint8_t) ~bitmap.data[i];
    return jbig2_write(&bitmap, out);
}

static struct obj new_image(struct redact_edit *edit, const struct pixels *pixels, size_t first,
                            size_t n, bool bits)
{
    AUTO_BUF struct buf data = BUF_EMPTY, coded = BUF_EMPTY;
    bool scan = bits && pixels->scan;

    if (!pack(pixels, first, n, bits, &data) || (scan && !code_bits(pixels, &data, &coded))) {
        edit->no_memory = true;
        return OBJ_NONE;
    }
    struct obj stream = obj_new_stream(edit->doc->q, scan ? "" : data.data, scan ? 0 : data.len);
    AUTO_OBJ struct obj dict = obj_dict(stream);
    if (scan) {
        obj_set_name(dict, "/Filter", "/JBIG2Decode");
        obj_set_stream(stream, coded.data, coded.len);
    }
    obj_set_name(dict, "/Type", "/XObject");
    obj_set_name(dict, "/Subtype", "/Image");
    obj_set_int(dict, "/Width", (long long) pixels->w);
    obj_set_int(dict, "/Height", (long long) pixels->h);
    obj_set_int(dict, "/BitsPerComponent", bits ? 1 : 8);
    if (!pixels->mask)
        obj_set_name(dict, "/ColorSpace", "/DeviceGray");
    return stream;
}

static void set_profile(struct obj to, const struct pixels *pixels)
{
    AUTO_OBJ struct obj profile = obj_new_stream(to.q, pixels->profile.data, pixels->profile.len);
    AUTO_OBJ struct obj dict = obj_dict(profile);
    AUTO_OBJ struct obj space = obj_parse(to.q, "[/ICCBased]");

    obj_set_int(dict, "/N", (long long) pixels->n);
    obj_append(space, profile);
    obj_set(to, "/ColorSpace", space);
}

/* The colour space of the decoded samples: that of the image, or that of its table's colours, or,
 * of JPEG 2000 data, that of its profile. */
static void set_space(struct obj to, struct obj from, const struct pixels *pixels)
{
    static const char *const devices[] = { "/DeviceGray", "/DeviceGray", "/DeviceRGB", "/DeviceRGB",
                                           "/DeviceCMYK" };
    static const char *const shorts[][2] = { { "/G", "/DeviceGray" },
                                             { "/RGB", "/DeviceRGB" },
                                             { "/CMYK", "/DeviceCMYK" } };
    AUTO_OBJ struct obj space = obj_key(from, "/ColorSpace");
    AUTO_OBJ struct obj family = obj_item(space, 0);
    AUTO_OBJ struct obj base = obj_item(space, 1);
    bool indexed = obj_name_is(family, "/Indexed") || obj_name_is(family, "/I");
    struct obj used = indexed ? base : space;
    size_t n = pixels->n;

    obj_set_name(to, "/ColorSpace", devices[n < COUNT(devices) ? n : 3]);
    for (size_t i = 0; i < COUNT(shorts); i++)
        if (obj_name_is(used, shorts[i][0])) {
            obj_set_name(to, "/ColorSpace", shorts[i][1]);
            return;
        }
    if (obj_is_name(used) || obj_is_array(used))
        obj_set(to, "/ColorSpace", used);
    else if (pixels->profile.len)
        set_profile(to, pixels);
}

static struct obj write_image(struct redact_edit *edit, const struct pixels *pixels,
                              struct obj from)
{
    static const char *const kept[] = { "/Interpolate", "/Intent", "/OC", "/StructParent",
                                        "/Name" };
    bool bits = pixels->bilevel || pixels->mask;
    size_t first = pixels->mask ? pixels->n : 0;
    struct obj image = new_image(edit, pixels, first, pixels->mask ? 1 : pixels->n, bits);

    if (!image.q)
        return image;
    AUTO_OBJ struct obj dict = obj_dict(image);
    if (pixels->mask) {
        AUTO_OBJ struct obj yes = obj_parse(edit->doc->q, "true");

        obj_set(dict, "/ImageMask", yes);
    } else {
        set_space(dict, from, pixels);
    }
    for (size_t i = 0; i < COUNT(kept); i++) {
        AUTO_OBJ struct obj value = obj_key(from, kept[i]);

        if (!obj_is_null(value))
            obj_set(dict, kept[i], value);
    }
    if (pixels->alpha && !pixels->mask) {
        AUTO_OBJ struct obj alpha = new_image(edit, pixels, pixels->n, 1, false);

        if (alpha.q)
            obj_set(dict, "/SMask", alpha);
    }
    return image;
}

/* A mask of an image gets another one, which is opaque where the image was cut. */
static void set_mask(struct redact_edit *edit, struct obj image, struct obj from, const char *key,
                     struct redact_matrix ctm)
{
    AUTO_OBJ struct obj mask = obj_key(from, key);
    AUTO_OBJ struct obj dict = obj_is_stream(mask) ? obj_dict(mask) : OBJ_NONE;
    AUTO_OBJ struct obj to = obj_dict(image);
    struct source source = { .number = OBJ_NUMBER(obj_id(mask)) };
    struct pixels pixels = { 0 };

    if (!dict.q || obj_has(to, "/SMask"))
        return;
    if (!source.number || !decode_image(edit, &source, &pixels)) {
        edit->unread = true;
        return;
    }
    look_at_filter(edit, source.number, dict, &pixels);
    cut_areas(edit, &pixels, ctm, 255);
    AUTO_OBJ struct obj edited = write_image(edit, &pixels, dict);
    if (edited.q)
        obj_set(to, key, edited);
    free_pixels(&pixels);
}

/* The samples of a JPEG image that are covered by areas, a byte for each pixel. */
static bool cover(struct redact_edit *edit, const struct raster *raster, struct redact_matrix ctm,
                  struct pixels *covered)
{
    *covered = (struct pixels){ .w = raster->width, .h = raster->height, .n = 1 };
    covered->at = calloc(raster->width * raster->height + 1, 1);
    return covered->at && cut_areas(edit, covered, ctm, 1);
}

/* Whether /Decode leaves samples as they are, or, which `turned` says then, exchanges the least and
 * the greatest of all components. */
static bool is_plain_decode(struct obj dict, bool *turned)
{
    AUTO_OBJ struct obj decode = obj_key(dict, "/Decode");
    int n = obj_is_array(decode) ? obj_count(decode) : 0;

    *turned = false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj value = obj_item(decode, i);
        double number = -1;

        obj_is_number(value, &number);
        if (i == 0)
            *turned = number == 1;
        if (number != ((i % 2 == 0) == *turned ? 1 : 0))
            return false;
    }
    return obj_is_null(decode) || n > 0;
}

/* Whether black and white of the image are those of its JPEG data, or its negative. */
static bool is_plain_jpeg(struct obj dict, bool *turned)
{
    static const char *const others[] = { "/DecodeParms", "/F" };
    AUTO_OBJ struct obj filter = obj_key(dict, "/Filter");
    AUTO_OBJ struct obj only = obj_count(filter) == 1 ? obj_item(filter, 0) : OBJ_NONE;
    AUTO_OBJ struct obj space = obj_key(dict, "/ColorSpace");
    AUTO_OBJ struct obj family = obj_item(space, 0);
    AUTO_OBJ struct obj mask = obj_key(dict, "/Mask");
    bool plain = obj_name_is(filter, "/DCTDecode") || (only.q && obj_name_is(only, "/DCTDecode"));

    plain &= is_plain_decode(dict, turned);
    for (size_t i = 0; i < COUNT(others); i++)
        plain &= !obj_has(dict, others[i]);
    return plain && !obj_is_array(mask) &&
           (obj_name_is(space, "/DeviceRGB") || obj_name_is(space, "/DeviceGray") ||
            obj_name_is(space, "/DeviceCMYK") || obj_name_is(family, "/ICCBased") ||
            obj_name_is(family, "/CalRGB") || obj_name_is(family, "/CalGray"));
}

static bool patch_jpeg(struct redact_edit *edit, struct obj old, struct redact_matrix ctm,
                       bool turned, struct buf *out)
{
    AUTO_FREE unsigned char *data = NULL;
    struct raster raster = { 0 };
    struct pixels covered = { 0 }, cut;
    bool ok = false;
    size_t n;

    if (!obj_stream_raw(old, &data, &n) || !dct_read(data, n, -1, 8, &raster))
        return false;
    cut = (struct pixels){
        .at = raster.data, .w = raster.width, .h = raster.height, .n = raster.channels
    };
    if (cover(edit, &raster, ctm, &covered)) {
        unsigned char value = find_value(edit, cut.n);

        cut_areas(edit, &cut, ctm, turned ? (unsigned char) (255 - value) : value);
        ok = dct_patch(data, n, -1, &raster, covered.at, out);
    }
    free(covered.at);
    raster_free(&raster);
    return ok;
}

/* A JPEG image of which only the blocks in the areas change; null if that cannot be done. */
static struct obj cut_jpeg(struct redact_edit *edit, struct obj old, struct obj dict,
                           struct redact_matrix ctm)
{
    static const char *const kept[] = { "/Width",       "/Height", "/BitsPerComponent",
                                        "/ColorSpace",  "/Decode", "/OC",
                                        "/Interpolate", "/Intent", "/Name",
                                        "/StructParent" };
    AUTO_BUF struct buf data = BUF_EMPTY;
    long long width, height;
    bool turned;

    if (!is_plain_jpeg(dict, &turned) || !patch_jpeg(edit, old, ctm, turned, &data))
        return OBJ_NONE;
    struct obj image = obj_new_stream(edit->doc->q, "", 0);
    AUTO_OBJ struct obj to = obj_dict(image);
    obj_set_name(to, "/Type", "/XObject");
    obj_set_name(to, "/Subtype", "/Image");
    obj_set_name(to, "/Filter", "/DCTDecode");
    for (size_t i = 0; i < COUNT(kept); i++) {
        AUTO_OBJ struct obj value = obj_key(dict, kept[i]);

        if (!obj_is_null(value))
            obj_set(to, kept[i], value);
    }
    obj_set_stream(image, data.data, data.len);
    if (obj_key_int(dict, "/Width", &width) && obj_key_int(dict, "/Height", &height))
        return image;
    obj_drop(&image);
    return OBJ_NONE;
}

static struct obj cut_image(struct redact_edit *edit, const struct source *source, struct obj dict,
                            struct redact_matrix ctm)
{
    struct pixels pixels = { 0 };
    struct obj image = OBJ_NONE;

    if (!decode_image(edit, source, &pixels)) {
        edit->unread = true;
        return OBJ_NONE;
    }
    look_at_filter(edit, source->number, dict, &pixels);
    if (cut_areas(edit, &pixels, ctm, find_value(edit, pixels.n)))
        image = write_image(edit, &pixels, dict);
    if (image.q) {
        edit->images++;
        set_mask(edit, image, dict, "/SMask", ctm);
        set_mask(edit, image, dict, "/Mask", ctm);
    }
    free_pixels(&pixels);
    return image;
}

struct obj redact_image_cut(struct redact_edit *edit, struct obj image, struct redact_matrix ctm)
{
    struct source source = { .number = OBJ_NUMBER(obj_id(image)) };

    if (!is_met(edit, ctm))
        return OBJ_NONE;
    AUTO_OBJ struct obj dict = obj_dict(image);
    struct obj jpeg = cut_jpeg(edit, image, dict, ctm);
    if (!jpeg.q)
        return cut_image(edit, &source, dict, ctm);
    edit->images++;
    set_mask(edit, jpeg, dict, "/SMask", ctm);
    set_mask(edit, jpeg, dict, "/Mask", ctm);
    return jpeg;
}

struct obj redact_image_cut_inline(struct redact_edit *edit, struct obj dict, struct obj resources,
                                   const unsigned char *data, size_t n, struct redact_matrix ctm)
{
    AUTO_OBJ struct obj spaces = obj_key(resources, "/ColorSpace");
    AUTO_OBJ struct obj space = obj_key(dict, "/ColorSpace");
    AUTO_FREE char *text = NULL;
    const char *name = obj_is_name(space) ? obj_bytes(space, &(size_t){ 0 }) : NULL;

    if (!is_met(edit, ctm))
        return OBJ_NONE;
    if (!obj_is_dict(dict)) {
        edit->unread = true;
        return OBJ_NONE;
    }
    AUTO_FREE char *key = name ? strdup(name) : NULL;
    AUTO_OBJ struct obj named = key ? obj_key(spaces, key) : OBJ_NONE;
    if (named.q && !obj_is_null(named))
        obj_set(dict, "/ColorSpace", named);
    text = strdup(obj_value_text(dict));
    if (!text) {
        edit->no_memory = true;
        return OBJ_NONE;
    }
    struct source source = { .dict = text, .data = data, .n = n };
    return cut_image(edit, &source, dict, ctm);
}
