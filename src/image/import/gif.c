/*
 * gif: the first picture of a GIF file (GIF89a, CompuServe 1990), on its whole screen. What the
 * picture does not cover is transparent, as in browsers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "image/import/lzw.h"
#include "image/import/split.h"

#define SCREEN    13 /* bytes: signature and screen descriptor */
#define INTERLACE 0x40
#define TABLE     0x80

struct gif {
    struct image_file *file;
    size_t at;
    uint32_t width, height; /* of the screen */
    const uint8_t *colours;
    unsigned n_colours;
    int transparent; /* an index, or -1 */
    struct {
        uint32_t x, y, width, height;
        bool interlaced;
    } frame;
};

static bool has_bytes(const struct gif *g, size_t n)
{
    return g->file->n - g->at >= n;
}

static int cut_off(const struct gif *g, struct err *err)
{
    return image_corrupt(g->file, err, "it is cut off");
}

static int read_colours(struct gif *g, unsigned flags, struct err *err)
{
    if (!(flags & TABLE))
        return 0;
    g->n_colours = 2U << (flags & 7);
    if (!has_bytes(g, (size_t) 3 * g->n_colours))
        return cut_off(g, err);
    g->colours = g->file->data + g->at;
    g->at += (size_t) 3 * g->n_colours;
    return 0;
}

/* Skips data blocks: each has a length byte and that number of bytes; a length of 0 ends the
 * data. */
static int skip_blocks(struct gif *g, struct err *err)
{
    while (has_bytes(g, 1)) {
        size_t n = g->file->data[g->at];

        if (!has_bytes(g, n + 1))
            break;
        g->at += n + 1;
        if (n == 0)
            return 0;
    }
    return cut_off(g, err);
}

static int read_extension(struct gif *g, struct err *err)
{
    const uint8_t *p = g->file->data + g->at;

    if (!has_bytes(g, 2))
        return cut_off(g, err);
    if (p[1] == 0xf9 && has_bytes(g, 7) && p[2] == 4)
        g->transparent = p[3] & 1 ? p[6] : -1;
    g->at += 2;
    return skip_blocks(g, err);
}

/* Finds the first picture's descriptor. */
static int find_frame(struct gif *g, struct err *err)
{
    const uint8_t *data = g->file->data;

    if (!has_bytes(g, SCREEN))
        return cut_off(g, err);
    g->width = octets_le16(data + 6);
    g->height = octets_le16(data + 8);
    g->at = SCREEN;
    if (read_colours(g, data[10], err) < 0)
        return -1;
    while (has_bytes(g, 1) && data[g->at] == '!')
        if (read_extension(g, err) < 0)
            return -1;
    if (!has_bytes(g, 10))
        return cut_off(g, err);
    const uint8_t *p = data + g->at;
    if (*p != ',')
        return image_corrupt(g->file, err, "there is no picture in it");
    g->frame.x = octets_le16(p + 1);
    g->frame.y = octets_le16(p + 3);
    g->frame.width = octets_le16(p + 5);
    g->frame.height = octets_le16(p + 7);
    g->frame.interlaced = p[9] & INTERLACE;
    g->at += 10;
    if (read_colours(g, p[9], err) < 0)
        return -1;
    /* A screen smaller than its picture is enlarged, as in browsers. */
    if (g->frame.x + g->frame.width > g->width)
        g->width = g->frame.x + g->frame.width;
    if (g->frame.y + g->frame.height > g->height)
        g->height = g->frame.y + g->frame.height;
    if (image_check_size(g->file, g->frame.width, g->frame.height, err) < 0)
        return -1;
    return image_check_size(g->file, g->width, g->height, err);
}

/* Joins the blocks of the picture's data and decodes them into one byte for each pixel. */
static int decode_frame(struct gif *g, uint8_t *pixels, struct err *err)
{
    AUTO_BUF struct buf joined = BUF_EMPTY;
    const uint8_t *data = g->file->data;
    unsigned bits;

    if (!has_bytes(g, 1))
        return cut_off(g, err);
    bits = data[g->at++];
    for (size_t n = 1; n;) {
        if (!has_bytes(g, 1) || !has_bytes(g, (n = data[g->at]) + 1))
            return cut_off(g, err);
        buf_put(&joined, data + g->at + 1, n);
        g->at += n + 1;
    }
    if (joined.failed)
        return image_no_memory(err);
    if (bits < 1 || bits > 8 ||
        !lzw_decode((const uint8_t *) joined.data, joined.len, bits, pixels,
                    (size_t) g->frame.width * g->frame.height))
        return image_corrupt(g->file, err,
                             "it has less data than its width and height need, or damaged data");
    return 0;
}

/* The position of the nth row of the data. */
static uint32_t interlaced_row(const struct gif *g, uint32_t n)
{
    static const struct {
        uint32_t first, step;
    } passes[] = { { 0, 8 }, { 4, 8 }, { 2, 4 }, { 1, 2 } };

    if (!g->frame.interlaced)
        return n;
    for (size_t i = 0; i < COUNT(passes); i++) {
        uint32_t first = passes[i].first, step = passes[i].step;
        uint32_t rows = g->frame.height > first ? (g->frame.height - first + step - 1) / step : 0;

        if (n < rows)
            return first + n * step;
        n -= rows;
    }
    return 0;
}

/* Returns, for each row of the picture, its index in the data. */
static uint32_t *order_rows(const struct gif *g)
{
    uint32_t *order = calloc(g->frame.height, sizeof *order);

    for (uint32_t n = 0; order && n < g->frame.height; n++)
        order[interlaced_row(g, n)] = n;
    return order;
}

/* Opacity is one bit of each pixel: the indexes go to the picture, opacity to the mask. */
static int write_masked(struct gif *g, const uint8_t *pixels, const uint32_t *order,
                        struct split *split, struct err *err)
{
    AUTO_FREE uint8_t *row = malloc((size_t) 2 * g->width);

    if (!row)
        return image_no_memory(err);
    for (uint32_t y = 0; y < g->height; y++) {
        bool inside = y >= g->frame.y && y - g->frame.y < g->frame.height;
        const uint8_t *in =
            inside ? pixels + (size_t) order[y - g->frame.y] * g->frame.width : NULL;

        memset(row, 0, (size_t) 2 * g->width);
        for (uint32_t x = 0; in && x < g->frame.width; x++) {
            size_t at = 2 * ((size_t) x + g->frame.x);

            row[at] = in[x];
            row[at + 1] = in[x] == g->transparent ? 0 : 255;
        }
        if (split_row(split, row, err) < 0)
            return -1;
    }
    return 0;
}

static int write_rows(struct gif *g, const uint8_t *pixels, struct image *image, struct err *err)
{
    AUTO_FREE uint32_t *order = order_rows(g);
    AUTO_SPLIT struct split split = { 0 };
    bool whole = g->transparent < 0 && g->frame.width == g->width && g->frame.height == g->height;
    struct split_shape shape = { .width = g->width,
                                 .height = g->height,
                                 .components = 1,
                                 .bits = 8,
                                 .alpha = !whole,
                                 .indexed = true };

    if (!order)
        return image_no_memory(err);
    if (split_start(&split, g->file, &shape, err) < 0)
        return -1;
    if (!whole && write_masked(g, pixels, order, &split, err) < 0)
        return -1;
    for (uint32_t y = 0; whole && y < g->height; y++)
        if (split_row(&split, pixels + (size_t) order[y] * g->width, err) < 0)
            return -1;
    return split_finish(&split, image, err);
}

/* Looks for a second picture. Errors after the first one are ignored. */
static bool has_another(const struct gif *g)
{
    struct gif rest = *g;
    struct err ignored;

    while (has_bytes(&rest, 1) && rest.file->data[rest.at] == '!')
        if (read_extension(&rest, &ignored) < 0)
            break;
    return has_bytes(&rest, 1) && rest.file->data[rest.at] == ',';
}

static int next_gif(struct image_file *file, struct image *image, struct err *err)
{
    struct gif g = { .file = file, .transparent = -1 };
    AUTO_FREE uint8_t *pixels = NULL;

    if (file->index > 0)
        return 0;
    if (find_frame(&g, err) < 0)
        return -1;
    if (!g.colours) {
        image_corrupt(file, err, "its palette is missing");
        return -1;
    }
    pixels = malloc((size_t) g.frame.width * g.frame.height);
    if (!pixels)
        return image_no_memory(err);
    if (decode_frame(&g, pixels, err) < 0)
        return -1;
    image->width = g.width;
    image->height = g.height;
    image->bits = 8;
    image->space = IMAGE_INDEXED;
    image->n_palette = IMAGE_PALETTE; /* indexes beyond the palette are black */
    memcpy(image->palette, g.colours, (size_t) 3 * g.n_colours);
    file->animated = has_another(&g);
    return write_rows(&g, pixels, image, err) < 0 ? -1 : 1;
}

const struct image_format image_import_gif = { "gif", next_gif, NULL };
