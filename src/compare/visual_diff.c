#include "compare/visual_diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/effort.h"
#include "base/scope.h"
#include "mupdf/engine.h"
#include "page_image/page_drawing.h"

#define DPI        48
#define CELL       4  /* width and height in pixels of a cell, which is compared as one */
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
static void add_row(const uint8_t *pixels, size_t width, size_t kind, float *cells)
{
    for (size_t x = 0; x < width; x += CELL, cells += 3) {
        size_t end = x + CELL < width ? x + CELL : width;
        unsigned sums[3] = { 0 };

        for (const uint8_t *p = pixels + x * kind; p < pixels + end * kind; p += kind) {
            sums[0] += p[0];
            sums[1] += p[kind >= 3 ? 1 : 0];
            sums[2] += p[kind >= 3 ? 2 : 0];
        }
        for (size_t c = 0; c < 3; c++)
            cells[c] += (float) sums[c] / (CELL * CELL);
    }
}

/* Returns the page as means of cells, three channels each; NULL if it cannot be drawn. */
static float *draw(struct mupdf_document *doc, size_t page, size_t *columns, size_t *rows,
                   struct err *err)
{
    static const struct page_drawing_options options = { .dpi = DPI,
                                                         .kind = PIXMAP_RGB,
                                                         .annotations = true,
                                                         .max_pixels = MAX_PIXELS,
                                                         .max_side = MAX_PIXELS };
    struct page_drawing drawing = { 0 };
    AUTO_FREE uint8_t *pixels = NULL;
    float *cells = NULL;
    size_t width, height, kind;
    int drawn;

    if (page_drawing_open(&drawing, doc, page, &options, err) < 0)
        return NULL;
    width = (size_t) drawing.width;
    height = (size_t) drawing.height;
    kind = (size_t) drawing.kind;
    *columns = (width + CELL - 1) / CELL;
    *rows = (height + CELL - 1) / CELL;
    pixels = malloc(width * height * kind);
    drawn = pixels ? page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, pixels, err) : -1;
    page_drawing_close(&drawing, doc);
    if (drawn == 0)
        cells = calloc(*columns * *rows * 3, sizeof *cells);
    for (size_t y = 0; cells && y < height; y++)
        add_row(pixels + y * width * kind, width, kind, cells + y / CELL * *columns * 3);
    return cells;
}

static bool compare(const float *before, const float *after, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        float off = fabsf(before[i] - after[i]);

        if (off > WORST_CELL)
            return false;
        sum += (double) off;
    }
    return sum <= WORST_MEAN * (double) n;
}

static void take_colours(float *cells, size_t n)
{
    for (size_t i = 0; i < n; i++, cells += 3)
        cells[0] = cells[1] = cells[2] = cells[0] * 0.299F + cells[1] * 0.587F + cells[2] * 0.114F;
}

/* A page that needs too much work is not compared; out of memory ends the job. */
static bool is_fatal(const struct err *err)
{
    struct err refused;

    return err->code == ERR_LIMIT_EXCEEDED && engine_check_memory(&refused) < 0;
}

int visual_diff_page(struct visual_diff *diff, size_t page, bool *alike, struct err *err)
{
    size_t columns, rows, columns_after, rows_after;
    AUTO_FREE float *before = draw(&diff->before, page, &columns, &rows, err);
    AUTO_FREE float *after = NULL;

    *alike = true;
    if (!before)
        return is_fatal(err) ? -1 : 0;
    if (diff->gray)
        take_colours(before, columns * rows);
    after = draw(&diff->after, page, &columns_after, &rows_after, err);
    if (!after && is_fatal(err))
        return -1;
    *alike =
        (!after && effort_is_spent()) || (after && columns == columns_after && rows == rows_after &&
                                          compare(before, after, columns * rows * 3));
    return 0;
}
