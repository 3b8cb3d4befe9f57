#include "image/encode/pixel_class.h"

#include <stdlib.h>
#include <string.h>

#include "image/encode/pixel.h"

/* The next three functions test a row at a time, without leaving it early, so that compilers
 * vectorise them; most pages that fail a test do so in their first rows. */
static bool opaque(const struct pixmap *pixmap)
{
    size_t pixel = pixmap->kind;

    for (uint32_t y = 0; y < pixmap->height; y++) {
        const uint8_t *alpha = pixel_row_of(pixmap, y) + pixel - 1;
        uint8_t all = 0xff;

        for (size_t x = 0; x < pixmap->width; x++)
            all &= alpha[x * pixel];
        if (all != 0xff)
            return false;
    }
    return true;
}

/* Whether red, green and blue of n pixels are equal: each byte except every last colour equals
 * the next. */
static bool gray_row(const uint8_t *row, size_t n, size_t pixel)
{
    /* Masks for 8 pixels: `pixel` words, each compared with the same word one byte later. */
    static const uint8_t rgb[24] = { 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0,
                                     1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0 };
    static const uint8_t rgba[32] = { 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0,
                                      1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0 };
    uint64_t masks[4] = { 0 }, differs = 0, a, b;
    size_t x = 0;

    memcpy(masks, pixel == 3 ? rgb : rgba, 8 * pixel);
    for (size_t i = 0; i < 4; i++)
        masks[i] *= 0xff;
    for (; x + 9 <= n; x += 8) { /* 9: the last word begins a byte later */
        for (size_t i = 0; i < pixel; i++) {
            memcpy(&a, row + x * pixel + 8 * i, sizeof a);
            memcpy(&b, row + x * pixel + 8 * i + 1, sizeof b);
            differs |= (a ^ b) & masks[i];
        }
    }
    for (; x < n; x++) {
        const uint8_t *p = row + x * pixel;

        differs |= (uint64_t) ((p[0] ^ p[1]) | (p[0] ^ p[2]));
    }
    return differs == 0;
}

bool pixel_class_is_gray(const struct pixmap *pixmap)
{
    if (pixmap->kind == PIXMAP_GRAY || pixmap->kind == PIXMAP_GRAY_ALPHA)
        return true;
    for (uint32_t y = 0; y < pixmap->height; y++) {
        if (!gray_row(pixel_row_of(pixmap, y), pixmap->width, pixmap->kind))
            return false;
    }
    return true;
}

static inline __attribute__((always_inline)) bool
collect_row(struct pixel_class *class, const uint8_t *row, size_t n, size_t pixel, unsigned most)
{
    uint32_t last = ~pixel_load(row, pixel);

    for (size_t x = 0; x < n; x++) {
        uint32_t color = pixel_load(row + x * pixel, pixel);
        size_t at;

        if (color == last)
            continue;
        last = color;
        at = pixel_slot(class, color);
        if (class->index[at] >= 0)
            continue;
        if (class->n_colors == most)
            return false;
        class->keys[at] = color;
        class->index[at] = (int16_t) class->n_colors++;
    }
    return true;
}

/* Collects the colours in the class. False if there are more than `most`. */
static bool collect_colors(struct pixel_class *class, const struct pixmap *pixmap, unsigned most)
{
    class->n_colors = 0;
    memset(class->index, 0xff, sizeof class->index);
    for (uint32_t y = 0; y < pixmap->height; y++) {
        const uint8_t *row = pixel_row_of(pixmap, y);
        size_t n = pixmap->width;
        bool few;

        if (y > 0 && memcmp(row, row - pixmap->stride, n * pixmap->kind) == 0)
            continue;
        switch (pixmap->kind) {
        case PIXMAP_GRAY:
            few = collect_row(class, row, n, 1, most);
            break;
        case PIXMAP_GRAY_ALPHA:
            few = collect_row(class, row, n, 2, most);
            break;
        case PIXMAP_RGB:
            few = collect_row(class, row, n, 3, most);
            break;
        case PIXMAP_RGBA:
        default:
            few = collect_row(class, row, n, 4, most);
        }
        if (!few)
            return false;
    }
    return true;
}

/* Red, green, blue and alpha of a pixel. */
static void color_of(const struct pixmap *pixmap, uint32_t color, uint8_t *out)
{
    bool is_gray = pixmap->kind < PIXMAP_RGB;

    for (unsigned i = 0; i < 3; i++)
        out[i] = (color >> (is_gray ? 0 : 8 * i)) & 0xff;
    out[3] = 255;
    if (pixel_has_alpha(pixmap))
        out[3] = (color >> 8 * (pixmap->kind - 1)) & 0xff;
    for (unsigned i = 0; i < 3 && pixmap->premultiplied && pixel_has_alpha(pixmap); i++)
        out[i] = pixel_straight(out[i], out[3]);
}

/* A palette entry while sorting: entries that are not opaque come first, since tRNS may be
 * shorter than the palette (11.3.2.1); then by brightness. */
struct place {
    uint32_t rank;
    uint16_t slot;
};

static int by_rank(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void make_palette(struct pixel_class *class, const struct pixmap *pixmap)
{
    struct place places[PIXEL_COLORS];
    unsigned n = 0;

    for (uint16_t at = 0; at < PIXEL_SLOTS; at++) {
        uint8_t c[4];

        if (class->index[at] < 0)
            continue;
        color_of(pixmap, class->keys[at], c);
        places[n].rank = (uint32_t) (c[3] == 255) << 31 | (c[0] * 299U + c[1] * 587U + c[2] * 114U);
        places[n++].slot = at;
    }
    qsort(places, n, sizeof *places, by_rank);
    for (unsigned i = 0; i < n; i++) {
        class->index[places[i].slot] = (int16_t) i;
        color_of(pixmap, class->keys[places[i].slot], class->palette[i]);
    }
    class->type = PIXEL_PALETTE;
    class->bits = n <= 2 ? 1 : n <= 4 ? 2 : n <= 16 ? 4 : 8;
}

/* The bits that represent all grays of the palette exactly as evenly spread levels (ISO/IEC
 * 15948, 13.12); 8 if fewer do not. */
static unsigned even_bits(const struct pixel_class *class)
{
    unsigned bits = 1;

    for (unsigned i = 0; i < class->n_colors; i++) {
        while (bits < 8 && class->palette[i][0] % (255U / ((1U << bits) - 1)))
            bits *= 2;
    }
    return bits;
}

void pixel_class_of_kind(enum pixmap_kind kind, struct pixel_class *class)
{
    static const enum pixel_type types[] = {
        [PIXMAP_GRAY] = PIXEL_GRAY,
        [PIXMAP_GRAY_ALPHA] = PIXEL_GRAY_ALPHA,
        [PIXMAP_RGB] = PIXEL_RGB,
        [PIXMAP_RGBA] = PIXEL_RGBA,
    };

    class->type = types[kind];
    class->bits = 8;
    class->n_colors = 0;
}

void pixel_class_find(const struct pixmap *pixmap, struct pixel_class *class)
{
    bool is_gray = pixel_class_is_gray(pixmap),
         is_opaque = !pixel_has_alpha(pixmap) || opaque(pixmap);
    /* Gray of 8 bits is as short as a palette of 8 bits. */
    unsigned most = is_gray && is_opaque ? 16 : PIXEL_COLORS;

    if (collect_colors(class, pixmap, most)) {
        make_palette(class, pixmap);
        if (is_gray && is_opaque && even_bits(class) <= class->bits) {
            class->type = PIXEL_GRAY;
            class->bits = even_bits(class);
        }
        return;
    }
    pixel_class_of_kind(pixmap->kind, class);
    if (is_gray)
        class->type = is_opaque ? PIXEL_GRAY : PIXEL_GRAY_ALPHA;
    else if (is_opaque)
        class->type = PIXEL_RGB;
}
