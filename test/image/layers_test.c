/* Layers of scanned pages: what is ink, what stays behind it, and that no stroke is lost. */
#include "image/layers/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/codec/dct.h"
#include "image/jbig2/read.h"
#include "tap.h"

#define SIDE 900

struct box {
    size_t x0, y0, x1, y1;
};

static void fill(struct raster *page, struct box box, const uint8_t *colour)
{
    for (size_t y = box.y0; y < box.y1; y++)
        for (size_t x = box.x0; x < box.x1; x++)
            memcpy(page->data + (y * page->width + x) * page->channels, colour, page->channels);
}

/* Cream paper with rows of marks as large as letters. */
static void draw_text(struct raster *page)
{
    static const uint8_t paper[] = { 250, 240, 215 }, black[] = { 20, 20, 24 };

    fill(page, (struct box){ 0, 0, SIDE, SIDE }, paper);
    for (size_t y = 60; y < 360; y += 60)
        for (size_t x = 60; x < 800; x += 24)
            fill(page, (struct box){ x, y, x + 5, y + 36 }, black);
}

/* Waves of gray from 90 to 200. */
static void draw_photo(struct raster *page, struct box box)
{
    for (size_t y = box.y0; y < box.y1; y++)
        for (size_t x = box.x0; x < box.x1; x++) {
            int level = 145 + (int) (55 * sin((double) x / 50) * cos((double) y / 70));
            const uint8_t gray[] = { (uint8_t) level, (uint8_t) level, (uint8_t) level };

            fill(page, (struct box){ x, y, x + 1, y + 1 }, gray);
        }
}

static enum layers_end make(const struct raster *page, double dpi, bool clean, struct layers *out)
{
    const struct layers_options options = { .dpi = dpi, .clean = clean };

    return layers_make(page, &options, out);
}

/* Whether the mask has ink exactly where the marks are. */
static bool has_marks(const struct layers *layers)
{
    AUTO_BITMAP struct bitmap mask = { 0 };
    size_t wrong = 0;

    mask.width = layers->width;
    mask.height = layers->height;
    if (!jbig2_read(NULL, 0, (const uint8_t *) layers->mask.data, layers->mask.len, &mask))
        return false;
    for (size_t y = 0; y < 420; y++)
        for (size_t x = 0; x < SIDE; x++) {
            bool mark =
                y >= 60 && y < 360 && (y - 60) % 60 < 36 && x >= 60 && x < 804 && (x - 60) % 24 < 5;

            wrong += bitmap_at(&mask, x, y) != mark;
        }
    return wrong == 0;
}

static uint8_t back_at(const struct layers *layers, size_t x, size_t y, size_t channel)
{
    AUTO_RASTER struct raster back = { 0 };

    if (!dct_read(layers->back.data, layers->back.len, -1, 8, &back))
        return 0;
    x = x * back.width / SIDE;
    y = y * back.height / SIDE;
    return back.data[(y * back.width + x) * back.channels + channel];
}

int main(void)
{
    static const uint8_t black[] = { 30, 30, 30 };
    AUTO_RASTER struct raster page = { 0 };
    const struct box photo = { 300, 450, 800, 850 };
    struct layers layers;

    raster_new(&page, SIDE, SIDE, 3);
    draw_text(&page);
    ok(make(&page, 300, false, &layers) == LAYERS_MADE, "a page of letters is split");
    ok(has_marks(&layers), "its mask has the letters, pixel by pixel");
    ok(layers.ink_width == 0 && layers.colour[0] < 30, "they have one colour");
    ok(abs(back_at(&layers, 500, 600, 0) - 250) < 6 && abs(back_at(&layers, 500, 600, 2) - 215) < 8,
       "the paper keeps its colour");
    ok(abs(back_at(&layers, 75, 80, 0) - 250) < 12, "also next to letters");
    layers_free(&layers);
    ok(make(&page, 300, true, &layers) == LAYERS_MADE && layers.back_width == 0 &&
           has_marks(&layers),
       "clean makes the paper white");
    layers_free(&layers);

    draw_photo(&page, photo);
    ok(make(&page, 300, false, &layers) == LAYERS_MADE && has_marks(&layers),
       "a photograph next to letters changes nothing about these");
    ok(abs(back_at(&layers, 600, 700, 1) - page.data[(700 * SIDE + 600) * 3]) < 12,
       "and is in the background");
    layers_free(&layers);
    ok(make(&page, 300, true, &layers) == LAYERS_MADE &&
           abs(back_at(&layers, 600, 700, 1) - page.data[(700 * SIDE + 600) * 3]) < 12 &&
           back_at(&layers, 150, 700, 1) > 245,
       "clean keeps it, on white paper");
    layers_free(&layers);

    for (size_t y = 500; y < 800; y += 40)
        fill(&page, (struct box){ 400, y, 700, y + 2 }, black);
    ok(make(&page, 1200, false, &layers) == LAYERS_LOST,
       "lines in a photograph that its resolution does not show are not lost: nothing is made");
    layers_free(&layers);
    return done_testing();
}
