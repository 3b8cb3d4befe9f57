/* image_samples: images whose samples are at hand, unspoilt. See image.h. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/compress/image.h"
#include "compress/compress/recode_flate.h"
#include "image/codec/jbig2_write.h"
#include "image/codec/png_rows.h"
#include "syntax/inflate/flate.h"

#define KEEP_LOSSLESS 1.2    /* a lossless result may be this many times as large as JPEG */
#define MASK_LOSSLESS 4.0    /* a soft mask's edges show first */
#define QUICK         3      /* a level to compare by */
#define LARGE         100000 /* bytes: above this, the best level takes too long for a per cent */
#define HOPELESS      1.6    /* times the limit: not worth packing all rows */

/* Whether PNG rows take less than plain ones; `least`: the bytes of those that do. */
static bool compare_rows(const uint8_t *data, size_t row, size_t height, size_t pixel, bool *png,
                         size_t *least)
{
    AUTO_BUF struct buf rows = BUF_EMPTY, plain = BUF_EMPTY, filtered = BUF_EMPTY;

    if (!png_rows(data, row, height, pixel, &rows) ||
        !flate_pack(rows.data, rows.len, QUICK, &filtered) ||
        !flate_pack(data, row * height, QUICK, &plain))
        return false;
    *png = filtered.len < plain.len;
    *least = *png ? filtered.len : plain.len;
    return true;
}

/* The same by some of the rows, of which there must be many; `least`: as of all. */
static bool compare_some(const uint8_t *data, size_t row, size_t height, size_t pixel, bool *png,
                         size_t *least)
{
    AUTO_BUF struct buf some = BUF_EMPTY;
    size_t part = height / 16, parts = 3;

    for (size_t i = 0; i < parts; i++)
        buf_put(&some, data + (2 * i + 1) * height / (2 * parts) * row, row * part);
    if (some.failed ||
        !compare_rows((const uint8_t *) some.data, row, part * parts, pixel, png, least))
        return false;
    *least = (size_t) ((double) *least * (double) height / (double) (part * parts));
    return true;
}

/* Packs as PNG rows or without, whichever is smaller; not if it would surely take more. */
static bool pack(const uint8_t *data, size_t row, size_t height, size_t pixel, int level,
                 size_t limit, struct buf *out, bool *predicted)
{
    AUTO_BUF struct buf rows = BUF_EMPTY;
    bool is_large = row * height > LARGE && height / 16 >= 4;
    size_t least;

    if (height / 16 >= 4 && (!compare_some(data, row, height, pixel, predicted, &least) ||
                             (double) least > HOPELESS * (double) limit))
        return false;
    if (!is_large && !compare_rows(data, row, height, pixel, predicted, &least))
        return false;
    if (!*predicted)
        return flate_pack(data, row * height, level, out);
    return png_rows(data, row, height, pixel, &rows) && flate_pack(rows.data, rows.len, level, out);
}

/* What a reader takes for granted (table 8) is not said. */
static void write_predictor(struct image *image, size_t channels, unsigned bits)
{
    AUTO_BUF struct buf parms = BUF_EMPTY;

    buf_printf(&parms, "<</Predictor 15/Columns %zu", image->width);
    if (channels != 1)
        buf_printf(&parms, "/Colors %zu", channels);
    if (bits != 8)
        buf_printf(&parms, "/BitsPerComponent %u", bits);
    buf_puts(&parms, ">>");
    pack_edit(image->out, "/DecodeParms", "%s", buf_text(&parms));
}

/*
 * Compresses samples without loss, and makes them the image if that needs less than `limit` bytes.
 * `row`: bytes of a row.
 */
static bool try_pack(struct image *image, const uint8_t *data, size_t row, size_t channels,
                     unsigned bits, size_t limit)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    size_t pixel = channels * bits / 8;
    bool predicted;

    if (pixel == 0)
        pixel = 1;
    if (!pack(data, row, image->height, pixel,
              image->profile.jpeg > 0 && row * image->height > LARGE ? FLATE_GOOD : FLATE_FINE,
              limit, &packed, &predicted) ||
        packed.len >= limit ||
        !image_replace(image, &packed, "/FlateDecode", image->width, image->height))
        return false;
    if (predicted)
        write_predictor(image, channels, bits);
    return true;
}

bool image_expand(const struct image_info *info, const uint8_t *data, struct raster *out)
{
    static const size_t channels[] = { 1, 3, 4, 0, 0 };
    size_t n = info->indexed ? channels[info->space] : info->channels;
    size_t per_row = (info->width * info->channels * info->bits + 7) / 8;
    uint8_t *to;

    if (n == 0 || !raster_new(out, info->width, info->height, n))
        return false;
    to = out->data;
    if (info->bits == 8 && !info->indexed) {
        memcpy(to, data, per_row * info->height);
        return true;
    }
    for (size_t y = 0; y < info->height; y++)
        for (size_t i = 0; i < info->width * info->channels; i++) {
            const uint8_t *p = data + y * per_row + i * info->bits / 8;
            unsigned max = (1u << info->bits) - 1;
            unsigned value = *p >> (8 - info->bits - i * info->bits % 8) & max;

            if (!info->indexed)
                *to++ = (uint8_t) (value * 255 / max);
            else {
                memcpy(to, info->palette + (value < info->n_colours ? value : 0) * n, n);
                to += n;
            }
        }
    return true;
}

/* Whether there are but two values, and they are the darkest and the brightest. */
static bool is_bilevel(const struct raster *raster)
{
    size_t n = raster->width * raster->height;

    for (size_t i = 0; i < n; i++)
        if (raster->data[i] != 0 && raster->data[i] != 255)
            return false;
    return raster->channels == 1;
}

static bool try_bilevel(struct image *image, const struct raster *raster)
{
    AUTO_BITMAP struct bitmap bitmap = { 0 };
    AUTO_BUF struct buf packed = BUF_EMPTY;

    if (!raster_bitmap_new(&bitmap, raster->width, raster->height))
        return false;
    for (size_t y = 0; y < raster->height; y++)
        for (size_t x = 0; x < raster->width; x++)
            if (raster->data[y * raster->width + x] == 0)
                bitmap.data[y * bitmap.stride + x / 8] |= (uint8_t) (0x80 >> x % 8);
    return jbig2_write(&bitmap, &packed) && packed.len < image_limit(image) &&
           image_replace(image, &packed, "/JBIG2Decode", raster->width, raster->height) &&
           pack_edit(image->out, "/BitsPerComponent", "1");
}

struct palette {
    uint32_t colours[256];
    size_t n;
    uint16_t slots[1024]; /* 0: free, else the number of a colour, from 1 */
};

/* The number of a colour; -1 if there are too many. */
static int palette_number(struct palette *palette, uint32_t colour)
{
    size_t i = (colour * 2654435761u) >> 22;

    for (; palette->slots[i]; i = (i + 1) % COUNT(palette->slots))
        if (palette->colours[palette->slots[i] - 1] == colour)
            return palette->slots[i] - 1;
    if (palette->n == COUNT(palette->colours))
        return -1;
    palette->colours[palette->n] = colour;
    palette->slots[i] = (uint16_t) ++palette->n;
    return (int) palette->n - 1;
}

static uint8_t *index_pixels(const struct raster *raster, struct palette *palette)
{
    size_t n = raster->width * raster->height;
    uint8_t *numbers = malloc(n);
    const uint8_t *p = raster->data;

    for (size_t i = 0; numbers && i < n; i++, p += 3) {
        int number = palette_number(palette, (uint32_t) (p[0] << 16 | p[1] << 8 | p[2]));

        if (number < 0) {
            free(numbers);
            return NULL;
        }
        numbers[i] = (uint8_t) number;
    }
    return numbers;
}

static bool set_palette(struct image *image, const struct palette *palette, unsigned bits)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_printf(&text, "[/Indexed %s %zu<", image->info.base, palette->n - 1);
    for (size_t i = 0; i < palette->n; i++)
        buf_printf(&text, "%06x", palette->colours[i]);
    buf_puts(&text, ">]");
    return !text.failed && image_set_space(image, buf_text(&text), bits);
}

/* At most 256 colours: one byte a pixel instead of three, or less. */
static bool try_palette(struct image *image, const struct raster *raster, size_t limit)
{
    struct palette palette = { .n = 0 };
    AUTO_FREE uint8_t *numbers = index_pixels(raster, &palette);
    unsigned bits = palette.n <= 2 ? 1 : palette.n <= 4 ? 2 : palette.n <= 16 ? 4 : 8;
    size_t row = (raster->width * bits + 7) / 8;
    AUTO_FREE uint8_t *packed = NULL;

    if (!numbers || limit < palette.n * 6 + 60 || !(packed = calloc(raster->height, row)))
        return false;
    for (size_t y = 0; y < raster->height; y++)
        for (size_t x = 0; x < raster->width; x++)
            packed[y * row + x * bits / 8] |=
                (uint8_t) (numbers[y * raster->width + x] << (8 - bits - x * bits % 8));
    return try_pack(image, packed, row, 1, bits, limit - palette.n * 6 - 60) &&
           set_palette(image, &palette, bits);
}

void image_halve_bits(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size / 2; i++)
        data[i] = data[2 * i];
}

/* How much JPEG would take if it may be taken; 0 if not. */
static size_t write_jpeg(struct image *image, const struct raster *raster, struct buf *jpeg)
{
    const struct image_info *info = &image->info;

    if (image->profile.jpeg == 0 || info->keyed ||
        (raster->channels != 1 && raster->channels != 3 && raster->channels != 4) ||
        info->space == SPACE_NONE || (info->space == SPACE_OTHER && raster->channels != 1) ||
        raster->width * raster->height < 1024 || !image_write_dct(image, raster, NULL, 0, jpeg) ||
        jpeg->len >= image_limit(image))
        return 0;
    return jpeg->len;
}

void image_note_reduced(struct image *image, const struct raster *raster)
{
    image_lost_nothing(image);
    if (image->profile.loss > 0 && image_shrinks(image))
        image->likeness = image_raster_likeness(image, raster);
}

bool image_pack_raster(struct image *image, const struct raster *raster, const char *space,
                       size_t limit)
{
    if (raster->channels == 3 && *image->info.base && !image->info.decode && !image->info.matted &&
        try_palette(image, raster, limit))
        return true;
    return try_pack(image, raster->data, raster->width * raster->channels, raster->channels, 8,
                    limit) &&
           (!space || image_set_space(image, space, 8));
}

/* `space`: of the raster's samples. */
static void choose(struct image *image, const struct raster *raster, const char *space)
{
    AUTO_BUF struct buf jpeg = BUF_EMPTY;
    const struct usage_image *use = usage_image(image->recode->usage, obj_id(image->obj));
    double more = use && use->mask ? MASK_LOSSLESS : KEEP_LOSSLESS;
    size_t limit = image_limit(image), size;

    if (raster->channels == 1 && is_bilevel(raster) && try_bilevel(image, raster)) {
        image_set_space(image, space, 1);
        image_note_reduced(image, raster);
        return;
    }
    size = write_jpeg(image, raster, &jpeg);
    if (size > 0 && (double) size * more < (double) limit)
        limit = (size_t) ((double) size * more);
    if (image_pack_raster(image, raster, space, limit)) {
        image_note_reduced(image, raster);
    } else if (size > 0 &&
               image_replace(image, &jpeg, "/DCTDecode", raster->width, raster->height)) {
        image_set_space(image, space, 8);
    } else {
        image_lost_nothing(image);
    }
}

/* As they are: fewer or more bits than eight, or numbers that are no colours. */
static void repack(struct image *image, const uint8_t *data)
{
    size_t row = (image->info.width * image->info.channels * image->info.bits + 7) / 8;

    image->width = image->info.width;
    image->height = image->info.height;
    if (!try_pack(image, data, row, image->info.channels, image->info.bits, image->out->data.len))
        recode_flate(image->obj, image->out);
}

static void recode_raster(struct image *image)
{
    AUTO_RASTER struct raster raster = { 0 };
    const struct image_info *info = &image->info;
    const char *space = info->base;

    if (!image_reduce(image, &raster))
        return;
    if (image->gray)
        pack_remove(image->out, "/Decode");
    if (image->gray && info->keyed)
        pack_edit(image->out, "/Mask", "[0 0]");
    if (raster.channels == 3 && info->space == SPACE_RGB && info->device && !info->decode &&
        !info->keyed && !info->matted && raster_is_gray(&raster, image->profile.jpeg > 0 ? 2 : 0)) {
        raster_to_gray(&raster);
        space = "/DeviceGray";
    }
    choose(image, &raster, space);
}

/* Whether the samples are those of a raster already. */
static bool is_raster(const struct image_info *info)
{
    return info->bits == 8 && !info->indexed && info->channels > 0 && info->channels <= 4 &&
           info->width > 0 && info->width <= RASTER_MAX_SIDE && info->height > 0 &&
           info->height <= RASTER_MAX_SIDE;
}

void image_recode_samples(struct image *image)
{
    const struct image_info *info = &image->info;
    struct image_info eight = *info;
    AUTO_FREE unsigned char *data = NULL;
    size_t n, row = (info->width * info->channels * info->bits + 7) / 8, size;

    if (image->large.data) {
        recode_raster(image);
        return;
    }
    if (!obj_stream_data(image->obj, &data, &n) || !num_mul(row, info->height, &size) || n < size ||
        size > RASTER_MAX) {
        recode_flate(image->obj, image->out);
        return;
    }
    if (!*info->base || (info->bits == 16 && image->profile.jpeg == 0) || info->stencil ||
        info->keyed || (info->bits < 8 && !image_shrinks(image)) ||
        (info->indexed && (info->decode || !image_shrinks(image)))) {
        repack(image, data);
        return;
    }
    if (info->bits == 16) {
        image_halve_bits(data, size);
        eight.bits = 8;
    }
    if (is_raster(&eight)) {
        image->large =
            (struct raster){ info->width, info->height, info->channels, scope_take_ptr(&data) };
        recode_raster(image);
    } else if (image_expand(&eight, data, &image->large)) {
        free(scope_take_ptr(&data));
        recode_raster(image);
    } else if (eight.bits == info->bits) {
        repack(image, data);
    } else {
        recode_flate(image->obj, image->out);
    }
}
