/* pixel_row: converts rows of a pixmap to their pixel class; the second half of pixel_class.h. */
#include <string.h>

#include "image/encode/pixel.h"
#include "image/encode/pixel_class.h"

size_t pixel_class_row_size(const struct pixel_class *class, uint32_t width)
{
    static const uint8_t channels[] = {
        [PIXEL_GRAY] = 1,       [PIXEL_RGB] = 3,  [PIXEL_PALETTE] = 1,
        [PIXEL_GRAY_ALPHA] = 2, [PIXEL_RGBA] = 4,
    };

    return ((size_t) width * channels[class->type] * class->bits + 7) / 8;
}

/* Packs n values of `bits` bits, the first in the highest bits (ISO/IEC 15948, 7.2). May work in
 * place. */
static void pack_values(const uint8_t *values, size_t n, unsigned bits, uint8_t *out)
{
    size_t a_byte = 8 / bits;

    for (size_t x = 0; x < n; x += a_byte) {
        unsigned byte = 0;

        for (size_t i = 0; i < a_byte; i++)
            byte = byte << bits | (x + i < n ? values[x + i] : 0U);
        *out++ = (uint8_t) byte;
    }
}

static inline __attribute__((always_inline)) void
indexes(const struct pixel_class *class, const uint8_t *row, size_t n, size_t pixel, uint8_t *out)
{
    uint32_t last = ~pixel_load(row, pixel);
    uint8_t index = 0;

    for (size_t x = 0; x < n; x++) {
        uint32_t color = pixel_load(row + x * pixel, pixel);

        if (color != last)
            index = (uint8_t) class->index[pixel_slot(class, color)];
        last = color;
        out[x] = index;
    }
}

static void palette_row(const struct pixel_class *class, const struct pixmap *pixmap,
                        const uint8_t *row, uint8_t *out)
{
    size_t n = pixmap->width;

    switch (pixmap->kind) {
    case PIXMAP_GRAY:
        indexes(class, row, n, 1, out);
        break;
    case PIXMAP_GRAY_ALPHA:
        indexes(class, row, n, 2, out);
        break;
    case PIXMAP_RGB:
        indexes(class, row, n, 3, out);
        break;
    case PIXMAP_RGBA:
    default:
        indexes(class, row, n, 4, out);
    }
}

static inline __attribute__((always_inline)) void
first_channels(const uint8_t *row, size_t n, size_t pixel, size_t colors, uint8_t *restrict out)
{
    for (size_t x = 0; x < n; x++) {
        for (size_t i = 0; i < colors; i++)
            out[x * colors + i] = row[x * pixel + i];
    }
}

/* Copies only colours, 1 or 3. */
static void color_row(const struct pixmap *pixmap, const uint8_t *row, size_t colors, uint8_t *out)
{
    if (colors == 3)
        first_channels(row, pixmap->width, 4, 3, out);
    else if (pixmap->kind == PIXMAP_RGB)
        first_channels(row, pixmap->width, 3, 1, out);
    else if (pixmap->kind == PIXMAP_RGBA)
        first_channels(row, pixmap->width, 4, 1, out);
    else
        first_channels(row, pixmap->width, 2, 1, out);
}

/* Copies 1 or 3 colours, and alpha. */
static void alpha_row(const struct pixmap *pixmap, const uint8_t *row, size_t colors, uint8_t *out)
{
    for (size_t x = 0; x < pixmap->width; x++, row += pixmap->kind) {
        uint8_t alpha = row[pixmap->kind - 1];

        for (size_t i = 0; i < colors; i++)
            *out++ = pixmap->premultiplied ? pixel_straight(row[i], alpha) : row[i];
        *out++ = alpha;
    }
}

const uint8_t *pixel_class_row(const struct pixel_class *class, const struct pixmap *pixmap,
                               uint32_t y, uint8_t *room)
{
    const uint8_t *row = pixel_row_of(pixmap, y);

    switch (class->type) {
    case PIXEL_PALETTE:
        palette_row(class, pixmap, row, room);
        if (class->bits < 8)
            pack_values(room, pixmap->width, class->bits, room);
        return room;
    case PIXEL_GRAY:
        if (pixmap->kind == PIXMAP_GRAY && class->bits == 8)
            return row;
        if (pixmap->kind == PIXMAP_GRAY)
            memcpy(room, row, pixmap->width);
        else
            color_row(pixmap, row, 1, room);
        if (class->bits == 8)
            return room;
        /* The levels are spread evenly: the highest bits identify them. */
        for (size_t x = 0; x < pixmap->width; x++)
            room[x] = (uint8_t) (room[x] >> (8 - class->bits));
        pack_values(room, pixmap->width, class->bits, room);
        return room;
    case PIXEL_RGB:
        if (pixmap->kind == PIXMAP_RGB)
            return row;
        color_row(pixmap, row, 3, room);
        return room;
    case PIXEL_GRAY_ALPHA:
        alpha_row(pixmap, row, 1, room);
        return room;
    case PIXEL_RGBA:
    default:
        alpha_row(pixmap, row, 3, room);
        return room;
    }
}
