#include "engine/ocr/contrast.h"

#include <leptonica/allheaders.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TILE   64  /* pixels on each side in which the paper is about evenly bright */
#define TILES  4   /* least number of tiles along each side of a page that is looked at */
#define UNEVEN 50  /* levels between bright and dark paper from which light is evened */
#define PALE   120 /* levels between ink and paper below which they are spread */
#define GRAINY 6.0 /* mean difference of neighbours on paper from which it is smoothed */
#define PAPER  90  /* percent of a tile's pixels that are darker than its paper */
#define INK    2   /* percent of a page's pixels that are ink for certain */
#define LEAST  12  /* levels between ink and paper below which there is no ink */
#define WHITE  0.7 /* part of the way from ink to paper that is white afterwards */

struct levels {
    int darkest, brightest; /* paper of tiles */
    int ink, paper;         /* of the page */
    double grain;
};

/* The level below which `percent` of the counted pixels are. */
static int level_at(const unsigned counts[256], unsigned total, unsigned percent)
{
    uint64_t sum = 0;

    for (int i = 0; i < 256; i++) {
        sum += counts[i];
        if (sum * 100 >= (uint64_t) total * percent)
            return i;
    }
    return 255;
}

static void measure_tile(struct Pix *pix, int x0, int y0, unsigned page[256], struct levels *levels)
{
    l_uint32 *data = pixGetData(pix);
    l_int32 words = pixGetWpl(pix);
    unsigned counts[256] = { 0 };
    int paper;

    for (int y = y0; y < y0 + TILE; y++) {
        const l_uint32 *line = data + (size_t) y * (size_t) words;

        for (int x = x0; x < x0 + TILE; x++)
            counts[GET_DATA_BYTE(line, x)]++;
    }
    paper = level_at(counts, TILE * TILE, PAPER);
    levels->darkest = paper < levels->darkest ? paper : levels->darkest;
    levels->brightest = paper > levels->brightest ? paper : levels->brightest;
    for (int i = 0; i < 256; i++)
        page[i] += counts[i];
}

/* The mean difference of neighbours that are both closer to paper than to ink. */
static double measure_grain(struct Pix *pix, int limit)
{
    l_uint32 *data = pixGetData(pix);
    l_int32 words = pixGetWpl(pix), width = pixGetWidth(pix), height = pixGetHeight(pix);
    uint64_t sum = 0, n = 0;

    for (int y = 0; y < height; y += 7) {
        const l_uint32 *line = data + (size_t) y * (size_t) words;

        for (int x = 1; x < width; x++) {
            int a = GET_DATA_BYTE(line, x - 1), b = GET_DATA_BYTE(line, x);

            if (a <= limit || b <= limit)
                continue;
            sum += (uint64_t) (a > b ? a - b : b - a);
            n++;
        }
    }
    return n ? (double) sum / (double) n : 0;
}

static bool measure(struct Pix *pix, struct levels *levels)
{
    int width = pixGetWidth(pix), height = pixGetHeight(pix);
    unsigned page[256] = { 0 }, n = 0;

    if (width < TILES * TILE || height < TILES * TILE)
        return false;
    *levels = (struct levels){ .darkest = 255 };
    for (int y = 0; y + TILE <= height; y += 2 * TILE) {
        for (int x = 0; x + TILE <= width; x += 2 * TILE) {
            measure_tile(pix, x, y, page, levels);
            n += TILE * TILE;
        }
    }
    levels->ink = level_at(page, n, INK);
    levels->paper = level_at(page, n, 50);
    levels->grain = measure_grain(pix, (levels->ink + levels->paper) / 2);
    return levels->paper - levels->ink >= LEAST;
}

static void use(struct Pix **picture, struct Pix *better)
{
    if (!better)
        return;
    pixDestroy(picture);
    *picture = better;
}

static void spread(struct Pix *pix, const struct levels *levels)
{
    double from = levels->ink, to = levels->ink + WHITE * (levels->paper - levels->ink);
    l_uint32 *data = pixGetData(pix);
    l_int32 words = pixGetWpl(pix), width = pixGetWidth(pix), height = pixGetHeight(pix);
    l_uint8 map[256];

    for (int i = 0; i < 256; i++) {
        double level = 255 * (i - from) / (to - from);

        map[i] = (l_uint8) (level < 0 ? 0 : level > 255 ? 255 : level);
    }
    for (int y = 0; y < height; y++) {
        l_uint32 *line = data + (size_t) y * (size_t) words;

        for (int x = 0; x < width; x++)
            SET_DATA_BYTE(line, x, map[GET_DATA_BYTE(line, x)]);
    }
}

void contrast_normalise(struct Pix **picture)
{
    struct levels levels;

    if (!measure(*picture, &levels))
        return;
    if (levels.grain > GRAINY) {
        use(picture, pixBlockconvGray(*picture, NULL, 1, 1));
        if (!measure(*picture, &levels))
            return;
    }
    if (levels.brightest - levels.darkest > UNEVEN) {
        use(picture, pixBackgroundNormSimple(*picture, NULL, NULL));
        if (!measure(*picture, &levels))
            return;
    }
    if (levels.paper - levels.ink < PALE)
        spread(*picture, &levels);
}
