#include "image/layers/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "image/codec/dct.h"
#include "image/codec/jbig2_write.h"
#include "image/layers/ink.h"

#define BACK_DPI    100.0 /* of the background, */
#define PHOTO_DPI   150.0 /* and of one with photographs */
#define INK_DPI     25.0  /* of the colours of the ink */
#define BACK_JPEG   45    /* qualities */
#define PHOTO_JPEG  65
#define INK_JPEG    75
#define NEAR_INK    0.15  /* of the way from paper to ink: the edge of a stroke */
#define EDGE        2     /* pixels around ink that its edge reaches */
#define WHITE       250   /* a background that is at least as bright is left out */
#define ONE_COLOUR  40    /* levels by which parts of the ink may differ from its mean */
#define FEW         8     /* pixels of ink that say nothing about its colour */
#define SPECK_INCH  0.008 /* the side of a speck that `clean` drops */
#define LOOK        8     /* pixels on each side of the squares that are compared */
#define LOST_PIXELS 10    /* pixels of such a square that make a stroke */
#define INK         0.5   /* of the way from paper to ink: so dark are the pixels of a stroke, */
#define DEPTH       32    /* and by as many levels darker than paper, */
#define LEFT        0.4   /* and the part of that which the layers show at least */

/* What the layers are made of. */
struct split {
    const struct raster *picture;
    const struct layers_options *options;
    struct raster own; /* the picture in gray, if it has colours */
    const uint8_t *gray;
    struct ink_map map;
    struct bitmap mask;
    struct raster back, ink;    /* the layers under the mask and in it */
    size_t ink_side, back_side; /* pixels of the picture on each side of one of the background */
};

static bool to_gray(struct split *s)
{
    const struct raster *picture = s->picture;

    s->gray = picture->data;
    if (picture->channels == 1)
        return true;
    if (!raster_new(&s->own, picture->width, picture->height, 1))
        return false;
    for (size_t i = 0; i < picture->width * picture->height; i++) {
        const uint8_t *p = picture->data + 3 * i;

        s->own.data[i] = (uint8_t) ((p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8);
    }
    s->gray = s->own.data;
    return true;
}

/* Sums of the pixels of a square, for its mean colour. */
struct mean {
    uint32_t n, sum[3];
};

static void add_pixel(struct mean *mean, const struct split *s, size_t i)
{
    size_t channels = s->picture->channels;

    for (size_t c = 0; c < channels; c++)
        mean->sum[c] += s->picture->data[i * channels + c];
    mean->n++;
}

/* Whether ink is as near to a pixel as `reach`. */
static bool is_near_ink(const struct split *s, size_t x, size_t y, size_t reach)
{
    for (size_t ny = y > reach ? y - reach : 0; ny <= y + reach && ny < s->mask.height; ny++)
        for (size_t nx = x > reach ? x - reach : 0; nx <= x + reach && nx < s->mask.width; nx++)
            if (bitmap_at(&s->mask, nx, ny))
                return true;
    return false;
}

/* Whether a pixel is darker than paper and next to ink: the edge of a stroke. */
static bool is_edge(const struct split *s, size_t x, size_t y)
{
    return s->gray[y * s->picture->width + x] < ink_map_level(&s->map, x, y, NEAR_INK) &&
           is_near_ink(s, x, y, EDGE);
}

/* Means of squares of `side` pixels, of their ink, or of all else. NULL when out of memory. */
static struct mean *square_means(const struct split *s, size_t side, bool ink, size_t *across,
                                 size_t *down)
{
    size_t w = s->picture->width, h = s->picture->height;
    struct mean *means;

    *across = (w + side - 1) / side;
    *down = (h + side - 1) / side;
    means = calloc(*across * *down, sizeof *means);
    for (size_t y = 0; means && y < h; y++) {
        for (size_t x = 0; x < w; x++) {
            bool set = bitmap_at(&s->mask, x, y);
            bool edge = !ink && !set && is_edge(s, x, y);

            if (ink ? set : !set && !edge)
                add_pixel(&means[y / side * *across + x / side], s, y * w + x);
        }
    }
    return means;
}

/* Gives a square the mean of those around it that have one since an earlier round. */
static bool borrow(struct mean *means, uint8_t *rounds, size_t across, size_t down, size_t i,
                   uint8_t now)
{
    const size_t near[4] = { i % across > 0 ? i - 1 : i, i % across + 1 < across ? i + 1 : i,
                             i >= across ? i - across : i,
                             i + across < across * down ? i + across : i };
    struct mean sum = { 0 };

    for (int k = 0; k < 4; k++) {
        const struct mean *from = &means[near[k]];

        if (rounds[near[k]] == 0 || rounds[near[k]] >= now)
            continue;
        for (int c = 0; c < 3; c++)
            sum.sum[c] += from->sum[c] / from->n;
        sum.n++;
    }
    if (sum.n == 0)
        return false;
    means[i] = sum;
    rounds[i] = now;
    return true;
}

/* Gives squares without a pixel the colour of those around them, from those that have one outwards,
 * as far as that is seen: layers are drawn smoothed. False when out of memory. */
static bool fill_squares(struct mean *means, size_t across, size_t down)
{
    AUTO_FREE uint8_t *rounds = calloc(across * down, 1);
    bool any = true;

    if (!rounds)
        return false;
    for (size_t i = 0; i < across * down; i++)
        rounds[i] = means[i].n > 0;
    for (uint8_t now = 2; now < 66 && any; now++) {
        any = false;
        for (size_t i = 0; i < across * down; i++)
            any |= rounds[i] == 0 && borrow(means, rounds, across, down, i, now);
    }
    return true;
}

static bool to_raster(const struct mean *means, size_t across, size_t down, size_t channels,
                      uint8_t missing, struct raster *out)
{
    if (!raster_new(out, across, down, channels))
        return false;
    for (size_t i = 0; i < across * down; i++)
        for (size_t c = 0; c < channels; c++)
            out->data[i * channels + c] =
                means[i].n ? (uint8_t) (means[i].sum[c] / means[i].n) : missing;
    return true;
}

/* Makes the paper white, but not photographs and coloured areas. */
static void whiten(const struct split *s, size_t side, struct raster *back)
{
    for (size_t y = 0; y < back->height; y++)
        for (size_t x = 0; x < back->width; x++)
            if (ink_map_is_plain(&s->map, x * side, y * side))
                memset(back->data + (y * back->width + x) * back->channels, 255, back->channels);
}

static bool is_blank_layer(const struct raster *raster)
{
    for (size_t i = 0; i < raster->width * raster->height * raster->channels; i++)
        if (raster->data[i] < WHITE)
            return false;
    return true;
}

static size_t side_for(const struct split *s, double dpi)
{
    return (size_t) fmax(floor(s->options->dpi / dpi + 0.5), 1);
}

static bool has_photos(const struct split *s)
{
    for (size_t i = 0; i < s->map.across * s->map.down; i++)
        if (s->map.photo[i])
            return true;
    return false;
}

static size_t back_side(const struct split *s)
{
    return side_for(s, has_photos(s) ? PHOTO_DPI : BACK_DPI);
}

static bool make_back(struct split *s, struct layers *out)
{
    const struct dct_write how = { .quality = has_photos(s) ? PHOTO_JPEG : BACK_JPEG };
    size_t side = s->back_side, across, down;
    struct raster *back = &s->back;
    AUTO_FREE struct mean *means = square_means(s, side, false, &across, &down);

    if (!means || !fill_squares(means, across, down))
        return false;
    if (!to_raster(means, across, down, s->picture->channels, 255, back))
        return false;
    if (s->options->clean)
        whiten(s, side, back);
    if (is_blank_layer(back))
        return true;
    out->back_width = across;
    out->back_height = down;
    return dct_write(back, &how, &out->back);
}

/* The mean colour of all ink, and whether its parts are much the same. */
static bool has_one_colour(const struct mean *means, size_t n, size_t channels, uint8_t colour[3])
{
    uint64_t sum[3] = { 0 }, count = 0;

    for (size_t i = 0; i < n; i++) {
        count += means[i].n;
        for (size_t c = 0; c < channels; c++)
            sum[c] += means[i].sum[c];
    }
    for (size_t c = 0; c < channels; c++)
        colour[c] = count ? (uint8_t) (sum[c] / count) : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; means[i].n >= FEW && c < channels; c++)
            if (abs((int) (means[i].sum[c] / means[i].n) - colour[c]) > ONE_COLOUR)
                return false;
    return true;
}

static bool make_ink(struct split *s, struct layers *out)
{
    static const struct dct_write how = { .quality = INK_JPEG, .full_colour = true };
    size_t across, down;
    AUTO_FREE struct mean *means = square_means(s, s->ink_side, true, &across, &down);
    bool one;

    if (!means)
        return false;
    one = has_one_colour(means, across * down, s->picture->channels, out->colour);
    if (!fill_squares(means, across, down) ||
        !to_raster(means, across, down, s->picture->channels, 0, &s->ink))
        return false;
    if (one) {
        for (size_t i = 0; i < across * down; i++)
            memcpy(s->ink.data + i * s->ink.channels, out->colour, s->ink.channels);
        return true;
    }
    out->ink_width = across;
    out->ink_height = down;
    return dct_write(&s->ink, &how, &out->ink);
}

static int brightness(const struct raster *raster, size_t x, size_t y)
{
    const uint8_t *p = raster->data + (y * raster->width + x) * raster->channels;

    return raster->channels == 1 ? *p : (p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8;
}

/* The darkest that the layers show at a pixel or next to it: layers are drawn smoothed. */
static int darkest_shown(const struct split *s, size_t x, size_t y)
{
    size_t bx = x / s->back_side, by = y / s->back_side, ix = x / s->ink_side, iy = y / s->ink_side;
    int least = 255;

    for (size_t ny = by ? by - 1 : 0; ny <= by + 1 && ny < s->back.height; ny++)
        for (size_t nx = bx ? bx - 1 : 0; nx <= bx + 1 && nx < s->back.width; nx++)
            least = brightness(&s->back, nx, ny) < least ? brightness(&s->back, nx, ny) : least;
    if (least > 0 && is_near_ink(s, x, y, 1) && brightness(&s->ink, ix, iy) < least)
        least = brightness(&s->ink, ix, iy);
    return least;
}

/* Whether a stroke in a square of the picture is not seen in the layers: much of what
 * its pixels are darker than paper is gone. */
static bool is_lost(const struct split *s, size_t x0, size_t y0)
{
    size_t w = s->picture->width, h = s->picture->height;
    unsigned lost = 0;

    for (size_t y = y0; y < y0 + LOOK && y < h; y++) {
        for (size_t x = x0; x < x0 + LOOK && x < w; x++) {
            int paper = ink_map_level(&s->map, x, y, 0), depth = paper - s->gray[y * w + x];

            lost += depth > DEPTH && depth > paper - ink_map_level(&s->map, x, y, INK) &&
                    paper - darkest_shown(s, x, y) < LEFT * depth;
        }
    }
    return lost >= LOST_PIXELS;
}

static bool any_lost(const struct split *s)
{
    for (size_t y = 0; y < s->picture->height; y += LOOK)
        for (size_t x = 0; x < s->picture->width; x += LOOK)
            if (is_lost(s, x, y))
                return true;
    return false;
}

static enum layers_end make_layers(struct split *s, struct layers *out)
{
    double speck = s->options->dpi * SPECK_INCH;
    size_t least = s->options->clean ? (size_t) (speck * speck) + 2 : 2;

    if (!to_gray(s) ||
        !ink_map_make(&s->map, s->gray, s->picture->width, s->picture->height, s->options->dpi) ||
        !ink_map_mask(&s->map, least, &s->mask))
        return LAYERS_NO_MEMORY;
    s->back_side = back_side(s);
    s->ink_side = side_for(s, INK_DPI);
    if (!make_back(s, out) || !make_ink(s, out) || !jbig2_write(&s->mask, &out->mask))
        return LAYERS_NO_MEMORY;
    return any_lost(s) ? LAYERS_LOST : LAYERS_MADE;
}

enum layers_end layers_make(const struct raster *picture, const struct layers_options *options,
                            struct layers *out)
{
    struct split s = { .picture = picture, .options = options };
    enum layers_end end;

    *out = (struct layers){ .width = picture->width,
                            .height = picture->height,
                            .gray = picture->channels == 1 };
    end = make_layers(&s, out);
    raster_free(&s.own);
    raster_free(&s.back);
    raster_free(&s.ink);
    raster_bitmap_free(&s.mask);
    ink_map_free(&s.map);
    if (end != LAYERS_MADE)
        layers_free(out);
    return end;
}

void layers_free(struct layers *layers)
{
    buf_free(&layers->mask);
    buf_free(&layers->back);
    buf_free(&layers->ink);
}
