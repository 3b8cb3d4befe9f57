/*
 * bmp: Windows and OS/2 bitmaps: 1 to 32 bits, with masks, run-length encoded, top-down or
 * bottom-up. The format is documented only in the manuals of Windows' BITMAPINFOHEADER and its
 * successors.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/octets.h"
#include "base/scope.h"
#include "image/import/split.h"

#define FILE_HEADER 14
#define CORE_HEADER 12
#define OS2_SHORT   16 /* an OS/2 2 header may end after any of its fields */
#define INFO_HEADER 40
#define OS2_HEADER  64
#define METRE       0.0254 /* metres in an inch: converts pixels per metre to pixels per inch */
#define WHOLE_MAX   ((size_t) 1 << 29)

enum { PLAIN = 0, RLE8 = 1, RLE4 = 2, BITFIELDS = 3, ALPHABITFIELDS = 6 };

struct channel {
    uint32_t mask;
    unsigned shift, max;
};

struct bmp {
    struct image_file *file;
    uint32_t width, height;
    bool top_down;
    unsigned bits, compression;
    uint32_t colours;
    size_t header, pixels;      /* header: its bytes; pixels: their offset */
    struct channel channels[4]; /* red, green, blue, opacity */
    bool gray;                  /* the palette is a gray ramp from 0 to the highest index */
};

static int read_core(struct bmp *b, const uint8_t *p)
{
    b->width = octets_le16(p + 4);
    b->height = octets_le16(p + 6);
    b->bits = octets_le16(p + 10);
    return 0;
}

static int read_info(struct bmp *b, const uint8_t *from, struct image *image, struct err *err)
{
    uint8_t p[INFO_HEADER] = { 0 };
    uint32_t height;

    memcpy(p, from, b->header < INFO_HEADER ? b->header : INFO_HEADER);
    height = octets_le32(p + 8);

    b->top_down = height > INT32_MAX;
    b->width = octets_le32(p + 4);
    b->height = b->top_down ? 0U - height : height;
    b->bits = octets_le16(p + 14);
    b->compression = octets_le32(p + 16);
    b->colours = octets_le32(p + 32);
    image->dpi_x = octets_le32(p + 24) * METRE;
    image->dpi_y = octets_le32(p + 28) * METRE;
    if (b->width > INT32_MAX)
        return image_corrupt(b->file, err, "its width or height is 0");
    /* OS/2 uses two of these numbers for other encodings. */
    if ((b->compression > BITFIELDS && b->compression != ALPHABITFIELDS) ||
        (b->compression == BITFIELDS && b->header == OS2_HEADER))
        return image_unsupported(b->file, err, "an unusual compression");
    return 0;
}

static bool is_sound(const struct bmp *b)
{
    switch (b->compression) {
    case RLE8:
        return b->bits == 8;
    case RLE4:
        return b->bits == 4;
    case BITFIELDS:
    case ALPHABITFIELDS:
        return b->bits == 16 || b->bits == 32;
    default:
        return b->bits == 1 || b->bits == 2 || b->bits == 4 || b->bits == 8 || b->bits == 16 ||
               b->bits == 24 || b->bits == 32;
    }
}

static int read_header(struct bmp *b, struct image *image, struct err *err)
{
    const uint8_t *data = b->file->data;
    size_t n = b->file->n;

    if (n < FILE_HEADER + CORE_HEADER)
        return image_corrupt(b->file, err, "it is cut off");
    b->pixels = octets_le32(data + 10);
    b->header = octets_le32(data + FILE_HEADER);
    if (b->header < CORE_HEADER || b->header > n - FILE_HEADER || b->pixels > n ||
        (b->header > CORE_HEADER && b->header < OS2_SHORT))
        return image_corrupt(b->file, err, "its header is wrong");
    if (b->header == CORE_HEADER)
        read_core(b, data + FILE_HEADER);
    else if (read_info(b, data + FILE_HEADER, image, err) < 0)
        return -1;
    if (!is_sound(b))
        return image_corrupt(b->file, err, "its header is wrong");
    return image_check_size(b->file, b->width, b->height, err);
}

static void set_channel(struct channel *c, uint32_t mask)
{
    *c = (struct channel){ .mask = mask, .shift = mask ? (unsigned) __builtin_ctz(mask) : 0 };
    c->max = mask >> c->shift;
}

static int read_masks(struct bmp *b, struct err *err)
{
    static const uint32_t usual16[] = { 0x7c00, 0x3e0, 0x1f, 0 };
    static const uint32_t usual32[] = { 0xff0000, 0xff00, 0xff, 0 };
    const uint32_t *usual = b->bits == 16 ? usual16 : usual32;
    bool said = b->compression == BITFIELDS || b->compression == ALPHABITFIELDS;
    /* The masks follow a header of the first kind, and are within a later one. */
    size_t at = FILE_HEADER + INFO_HEADER;
    size_t n =
        said ? (b->header >= INFO_HEADER + 16 || b->compression == ALPHABITFIELDS ? 4 : 3) : 0;

    if (n && b->file->n < at + 4 * n)
        return image_corrupt(b->file, err, "it is cut off");
    for (size_t i = 0; i < 4; i++) {
        struct channel *c = &b->channels[i];

        set_channel(c, i < n ? octets_le32(b->file->data + at + 4 * i) : said ? 0 : usual[i]);
        if ((c->max & (c->max + 1)) != 0 || c->max > 0xffff || (c->max == 0 && i < 3))
            return image_corrupt(b->file, err, "its colour masks are wrong");
    }
    return 0;
}

/* An alpha channel that is 0 everywhere was never set: many programs write that, and none shows
 * a blank picture. */
static void check_opacity(struct bmp *b)
{
    size_t step = b->bits / 8, left = b->file->n - b->pixels;
    const uint8_t *p = b->file->data + b->pixels;

    if (b->channels[3].max == 0 || b->bits < 16)
        return;
    for (; left >= step; left -= step, p += step)
        if ((b->bits == 16 ? octets_le16(p) : octets_le32(p)) & b->channels[3].mask)
            return;
    set_channel(&b->channels[3], 0);
}

static int read_palette(struct bmp *b, struct image *image, struct err *err)
{
    size_t entry = b->header == CORE_HEADER ? 3 : 4, at = FILE_HEADER + b->header;
    size_t room = b->pixels > at ? (b->pixels - at) / entry : 0;
    size_t n = (size_t) 1 << b->bits;

    if (b->colours && b->colours < n)
        n = b->colours;
    n = n < room ? n : room;
    if (n == 0)
        return image_corrupt(b->file, err, "its palette is missing");
    b->gray = b->bits == 8 && n == 256;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *p = b->file->data + at + i * entry; /* blue first */

        for (size_t k = 0; k < 3; k++) {
            image->palette[3 * i + k] = p[2 - k];
            b->gray = b->gray && p[k] == i;
        }
    }
    /* Indexes beyond the palette are black, as in Windows. */
    image->n_palette = 1U << b->bits;
    image->space = b->gray ? IMAGE_GRAY : IMAGE_INDEXED;
    return 0;
}

static unsigned scale(uint32_t pixel, const struct channel *c)
{
    unsigned value = (pixel & c->mask) >> c->shift;

    return c->max == 255 ? value : (value * 255U + c->max / 2) / c->max;
}

/* Converts a row of the file to RGB, or RGB and alpha. */
static void spread_row(const struct bmp *b, const uint8_t *in, uint8_t *out)
{
    size_t step = b->bits / 8, n = b->channels[3].max ? 4 : 3;

    for (uint32_t x = 0; x < b->width; x++, in += step, out += n) {
        if (b->bits == 24) {
            out[0] = in[2];
            out[1] = in[1];
            out[2] = in[0];
            continue;
        }
        uint32_t pixel = b->bits == 16 ? octets_le16(in) : octets_le32(in);
        for (size_t i = 0; i < n; i++)
            out[i] = (uint8_t) scale(pixel, &b->channels[i]);
    }
}

static int read_plain(struct bmp *b, struct split *split, struct err *err)
{
    size_t row = ((size_t) b->width * b->bits + 31) / 32 * 4, total;
    AUTO_FREE uint8_t *out = calloc(b->width, 4);

    if (!out)
        return image_no_memory(err);
    if (!num_mul(row, b->height, &total) || total > b->file->n - b->pixels)
        return image_corrupt(b->file, err, "it has less data than its width and height need");
    for (uint32_t y = 0; y < b->height; y++) {
        const uint8_t *in = b->file->data + b->pixels + row * (b->top_down ? y : b->height - 1 - y);

        if (b->bits > 8) {
            spread_row(b, in, out);
            in = out;
        }
        if (split_row(split, in, err) < 0)
            return -1;
    }
    return 0;
}

/* The picture with one byte for each pixel. */
struct canvas {
    uint8_t *pixels;
    size_t width, height, x, y; /* y from the bottom */
};

static void draw_pixel(struct canvas *c, unsigned index)
{
    if (c->x < c->width && c->y < c->height)
        c->pixels[(c->height - 1 - c->y) * c->width + c->x] = (uint8_t) index;
    c->x++;
}

static unsigned nth(const struct bmp *b, const uint8_t *p, unsigned i)
{
    if (b->compression == RLE8)
        return p[i];
    return i % 2 ? p[i / 2] & 15 : p[i / 2] >> 4;
}

/* False if the data ends before the picture does. */
static bool run_lengths(const struct bmp *b, struct canvas *c)
{
    const uint8_t *p = b->file->data + b->pixels, *end = b->file->data + b->file->n;

    while (end - p >= 2) {
        unsigned n = p[0], what = p[1];

        p += 2;
        if (n) {
            for (unsigned i = 0; i < n; i++)
                draw_pixel(c, b->compression == RLE8 ? what : i % 2 ? what & 15 : what >> 4);
        } else if (what == 0) {
            c->x = 0;
            c->y++;
        } else if (what == 1) {
            return true;
        } else if (what == 2) {
            if (end - p < 2)
                return false;
            c->x += p[0];
            c->y += p[1];
            p += 2;
        } else {
            size_t bytes = b->compression == RLE8 ? what : (what + 1) / 2;

            if ((size_t) (end - p) < bytes)
                return false;
            for (unsigned i = 0; i < what; i++)
                draw_pixel(c, nth(b, p, i));
            bytes += bytes % 2;
            p += (size_t) (end - p) < bytes ? (size_t) (end - p) : bytes;
        }
        if (c->y >= c->height && c->x > 0)
            return true;
    }
    return c->y + 1 >= c->height; /* some files lack the end mark */
}

static int read_runs(struct bmp *b, struct split *split, struct err *err)
{
    AUTO_FREE uint8_t *pixels = NULL;
    size_t total = (size_t) b->width * b->height;
    struct canvas canvas = { .width = b->width, .height = b->height };

    if (total > WHOLE_MAX)
        return image_no_memory(err);
    pixels = calloc(b->height, b->width);
    if (!pixels)
        return image_no_memory(err);
    canvas.pixels = pixels;
    if (!run_lengths(b, &canvas))
        return image_corrupt(b->file, err, "it is cut off");
    for (uint32_t y = 0; y < b->height; y++) {
        size_t row = b->top_down ? b->height - 1 - y : y;

        if (split_row(split, pixels + row * b->width, err) < 0)
            return -1;
    }
    return 0;
}

static int next_bmp(struct image_file *file, struct image *image, struct err *err)
{
    struct bmp b = { .file = file };
    AUTO_SPLIT struct split split = { 0 };

    if (file->index > 0)
        return 0;
    if (read_header(&b, image, err) < 0)
        return -1;
    bool runs = b.compression == RLE8 || b.compression == RLE4;
    image->width = b.width;
    image->height = b.height;
    image->space = IMAGE_RGB;
    image->bits = b.bits > 8 || runs ? 8 : b.bits;
    if (b.bits <= 8 ? read_palette(&b, image, err) < 0 : read_masks(&b, err) < 0)
        return -1;
    check_opacity(&b);
    struct split_shape shape = {
        .width = b.width,
        .height = b.height,
        .components = image->space == IMAGE_RGB ? 3 : 1,
        .bits = image->bits,
        .alpha = b.channels[3].max != 0,
        .indexed = image->space == IMAGE_INDEXED,
    };
    if (split_start(&split, file, &shape, err) < 0 ||
        (runs ? read_runs(&b, &split, err) : read_plain(&b, &split, err)) < 0 ||
        split_finish(&split, image, err) < 0)
        return -1;
    return 1;
}

const struct image_format image_import_bmp = { "bmp", next_bmp, NULL };
