#include "engine/page_image/drawn_area.h"

#include <stdlib.h>

#include "engine/mupdf/engine.h"
#include "engine/page_image/page_drawing.h"

#define DPI      96
#define MAX_SIDE 16000 /* pixels of a long page */
#define PAPER    247   /* levels from here on are white */

struct pixels {
    int left, top, right, bottom; /* right and bottom are after the last pixel */
};

static struct pixels find_drawn(const uint8_t *samples, int width, int height)
{
    struct pixels found = { width, height, 0, 0 };

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (samples[(size_t) y * (size_t) width + (size_t) x] >= PAPER)
                continue;
            found.left = x < found.left ? x : found.left;
            found.right = x >= found.right ? x + 1 : found.right;
            found.top = y < found.top ? y : found.top;
            found.bottom = y + 1;
        }
    return found;
}

int drawn_area_find(struct mupdf_document *doc, size_t page, double area[static 4], struct err *err)
{
    static const struct page_drawing_options options = { .dpi = DPI,
                                                         .kind = PIXMAP_GRAY,
                                                         .annotations = true,
                                                         .max_pixels =
                                                             (int64_t) MAX_SIDE * MAX_SIDE / 4,
                                                         .max_side = MAX_SIDE };
    struct page_drawing drawing;
    uint8_t *samples;
    int done;

    if (page_drawing_open(&drawing, doc, page, &options, err) < 0)
        return -1;
    samples = calloc((size_t) drawing.width, (size_t) drawing.height);
    done = samples ? page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, samples, NULL, err)
                   : engine_no_memory(err);
    if (done == 0) {
        struct pixels found = find_drawn(samples, drawing.width, drawing.height);
        double point = 72.0 / DPI;

        area[0] = found.left * point;
        area[1] = found.top * point;
        area[2] = found.right > found.left ? (found.right - found.left) * point : 0;
        area[3] = found.bottom > found.top ? (found.bottom - found.top) * point : 0;
    }
    free(samples);
    page_drawing_close(&drawing, doc);
    return done;
}
