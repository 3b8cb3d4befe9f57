/* image_pack: stores samples without loss: as rows with or without predictors, or as numbers of
 * palette colours. See image_job.h. */
#include <stdlib.h>

#include "base/scope.h"
#include "compress/images/image_job.h"
#include "image/codec/png_rows.h"
#include "syntax/inflate/flate.h"

#define QUICK    3      /* a level to compare by */
#define LARGE    100000 /* bytes: above this, the best level takes too long for a per cent */
#define HOPELESS 1.6    /* times the limit: not worth packing all rows */

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
static void write_predictor(struct image_job *image, size_t channels, unsigned bits)
{
    AUTO_BUF struct buf parms = BUF_EMPTY;

    buf_printf(&parms, "<</Predictor 15/Columns %zu", image->width);
    if (channels != 1)
        buf_printf(&parms, "/Colors %zu", channels);
    if (bits != 8)
        buf_printf(&parms, "/BitsPerComponent %u", bits);
    buf_puts(&parms, ">>");
    new_stream_set(image->out, "/DecodeParms", "%s", buf_text(&parms));
}

bool image_pack_rows(struct image_job *image, const uint8_t *data, size_t row, size_t channels,
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

static bool set_palette(struct image_job *image, const struct palette *palette, unsigned bits)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_printf(&text, "[/Indexed %s %zu<", image->info.base, palette->n - 1);
    for (size_t i = 0; i < palette->n; i++)
        buf_printf(&text, "%06x", palette->colours[i]);
    buf_puts(&text, ">]");
    return !text.failed && image_set_space(image, buf_text(&text), bits);
}

/* At most 256 colours: one byte a pixel instead of three, or less. */
static bool try_palette(struct image_job *image, const struct raster *raster, size_t limit)
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
    return image_pack_rows(image, packed, row, 1, bits, limit - palette.n * 6 - 60) &&
           set_palette(image, &palette, bits);
}

bool image_pack_raster(struct image_job *image, const struct raster *raster, const char *space,
                       size_t limit)
{
    if (raster->channels == 3 && *image->info.base && !image->info.decode && !image->info.matted &&
        try_palette(image, raster, limit))
        return true;
    return image_pack_rows(image, raster->data, raster->width * raster->channels, raster->channels,
                           8, limit) &&
           (!space || image_set_space(image, space, 8));
}
