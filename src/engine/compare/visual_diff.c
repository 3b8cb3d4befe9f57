#include "engine/compare/visual_diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/effort.h"
#include "base/scope.h"
#include "engine/mupdf/engine.h"
#include "engine/page_image/page_drawing.h"

#define DPI        48
#define CELL       4  /* width and height in pixels of a cell, which is compared as one */
#define FINER      2  /* times the resolution at which pages that differ are drawn again */
#define WORST_CELL 44 /* limit of the change of a cell's mean colour, of 255 */
#define WORST_MEAN 4  /* limit of the mean change of all cells */
#define MAX_PIXELS 16000000

int visual_diff_open(struct visual_diff *diff, const char *before, const char *after,
                     const char *password, struct tool_run *run, struct err *err)
{
    *diff = (struct visual_diff){ 0 };
    if (mupdf_document_open_as_is(&diff->before, before, password, run, err) < 0)
        return -1;
    diff->before.run = NULL;
    if (mupdf_document_open_as_is(&diff->after, after, password, run, err) < 0) {
        mupdf_document_close(&diff->before);
        return -1;
    }
    diff->after.run = NULL;
    return 0;
}

void visual_diff_close(struct visual_diff *diff)
{
    if (diff->after.pdf)
        mupdf_document_close(&diff->after);
    if (diff->before.pdf)
        mupdf_document_close(&diff->before);
}

/* Adds a row of pixels to the means of its cells. */
static void add_row(const uint8_t *pixels, size_t width, size_t kind, size_t cell, float *cells)
{
    for (size_t x = 0; x < width; x += cell, cells += 3) {
        size_t end = x + cell < width ? x + cell : width;
        unsigned sums[3] = { 0 };

        for (const uint8_t *p = pixels + x * kind; p < pixels + end * kind; p += kind) {
            sums[0] += p[0];
            sums[1] += p[kind >= 3 ? 1 : 0];
            sums[2] += p[kind >= 3 ? 2 : 0];
        }
        for (size_t c = 0; c < 3; c++)
            cells[c] += (float) sums[c] / (float) (cell * cell);
    }
}

struct cells {
    size_t columns, rows;
    float *means; /* three channels each; NULL if the page cannot be drawn */
};

static void cells_free(struct cells *cells)
{
    free(cells->means);
    *cells = (struct cells){ 0 };
}
#define AUTO_CELLS __attribute__((cleanup(cells_free)))

/* Draws the page at `times` the resolution; a cell covers the same part of the page whatever
 * `times` is. `cells` must be empty. */
static void draw_cells(struct mupdf_document *doc, size_t page, size_t times, struct cells *cells,
                       struct err *err)
{
    const struct page_drawing_options options = { .dpi = (double) (DPI * times),
                                                  .kind = PIXMAP_RGB,
                                                  .annotations = true,
                                                  .max_pixels = MAX_PIXELS,
                                                  .max_side = MAX_PIXELS };
    struct page_drawing drawing = { 0 };
    AUTO_FREE uint8_t *pixels = NULL;
    size_t width, height, kind, cell = CELL * times;
    int drawn;

    if (page_drawing_open(&drawing, doc, page, &options, err) < 0)
        return;
    width = (size_t) drawing.width;
    height = (size_t) drawing.height;
    kind = (size_t) drawing.kind;
    cells->columns = (width + cell - 1) / cell;
    cells->rows = (height + cell - 1) / cell;
    pixels = malloc(width * height * kind);
    drawn =
        pixels ? page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, pixels, NULL, err) : -1;
    page_drawing_close(&drawing, doc);
    if (drawn == 0)
        cells->means = calloc(cells->columns * cells->rows * 3, sizeof *cells->means);
    for (size_t y = 0; cells->means && y < height; y++)
        add_row(pixels + y * width * kind, width, kind, cell,
                cells->means + y / cell * cells->columns * 3);
}

static bool compare_cells(const struct cells *before, const struct cells *after)
{
    size_t n = before->columns * before->rows * 3;
    double sum = 0;

    if (!after->means || before->columns != after->columns || before->rows != after->rows)
        return false;
    for (size_t i = 0; i < n; i++) {
        float off = fabsf(before->means[i] - after->means[i]);

        if (off > WORST_CELL)
            return false;
        sum += (double) off;
    }
    return sum <= WORST_MEAN * (double) n;
}

static void read_colours(struct cells *cells)
{
    float *p = cells->means;

    for (size_t i = 0; p && i < cells->columns * cells->rows; i++, p += 3)
        p[0] = p[1] = p[2] = p[0] * 0.299F + p[1] * 0.587F + p[2] * 0.114F;
}

/* A page that needs too much work is not compared; out of memory ends the job. */
static bool is_fatal(const struct err *err)
{
    struct err refused;

    return err->code == ERR_LIMIT_EXCEEDED && engine_check_memory(&refused) < 0;
}

enum verdict { ALIKE, UNLIKE, NOT_SEEN };

/* -1 if the job ends. */
static int compare_at(struct visual_diff *diff, size_t page, size_t times, enum verdict *verdict,
                      struct err *err)
{
    AUTO_CELLS struct cells before = { 0 };
    AUTO_CELLS struct cells after = { 0 };

    *verdict = NOT_SEEN;
    draw_cells(&diff->before, page, times, &before, err);
    if (!before.means)
        return is_fatal(err) ? -1 : 0;
    if (diff->gray)
        read_colours(&before);
    draw_cells(&diff->after, page, times, &after, err);
    if (!after.means && is_fatal(err))
        return -1;
    if (after.means || !effort_is_spent())
        *verdict = compare_cells(&before, &after) ? ALIKE : UNLIKE;
    return 0;
}

int visual_diff_page(struct visual_diff *diff, size_t page, bool *alike, struct err *err)
{
    enum verdict verdict = NOT_SEEN;

    *alike = true;
    if (compare_at(diff, page, 1, &verdict, err) < 0)
        return -1;
    /* Lines and letters of images that are drawn much smaller than they are can be there or not,
     * by where the few pixels lie that are drawn: such a page is looked at twice. */
    if (verdict != UNLIKE)
        return 0;
    *alike = false;
    if (compare_at(diff, page, FINER, &verdict, err) < 0)
        return -1;
    *alike = verdict == ALIKE;
    return 0;
}
