#include "engine/compare/page_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/scope.h"
#include "engine/mupdf/engine.h"
#include "engine/page_image/page_drawing.h"

#define DPI        72       /* a pixel is a point */
#define MOST_PIXEL 16000000 /* larger pages are not compared */
#define CHANGED    60       /* of 255: a smaller difference of a pixel is one of smoothing */
#define CELL       6        /* pixels of a side of a cell; cells that touch are one area */
#define CELL_LEAST 3        /* pixels of a cell that differ, at least */
#define EDGE       1.5F     /* points that letters reach beyond the boxes of their words */
#define GRID       16       /* parts of a page for its signature, each way */
#define SIGN_MEAN  3        /* of 255: mean difference of signatures of the same page, at most */

struct pixels {
    int width, height, kind;
    uint8_t *samples; /* NULL: the page cannot be drawn */
};

int page_look_open(struct page_look *look, const char *old, const char *new,
                   const char *const passwords[2], struct tool_run *run, struct err *err)
{
    *look = (struct page_look){ 0 };
    if (mupdf_document_open(&look->old, old, passwords[0], run, err) < 0)
        return -1;
    look->old.run = NULL;
    if (mupdf_document_open(&look->new, new, passwords[1], run, err) < 0) {
        mupdf_document_close(&look->old);
        return -1;
    }
    look->new.run = NULL;
    return 0;
}

void page_look_close(struct page_look *look)
{
    if (look->new.pdf)
        mupdf_document_close(&look->new);
    if (look->old.pdf)
        mupdf_document_close(&look->old);
}

static void draw_look(struct mupdf_document *doc, size_t page, double dpi, enum pixmap_kind kind,
                      struct pixels *to)
{
    const struct page_drawing_options options = { .dpi = dpi,
                                                  .kind = kind,
                                                  .annotations = true,
                                                  .max_pixels = MOST_PIXEL,
                                                  .max_side = MOST_PIXEL };
    struct page_drawing drawing = { 0 };
    struct err ignored;

    if (page_drawing_open(&drawing, doc, page, &options, &ignored) < 0)
        return;
    to->width = drawing.width;
    to->height = drawing.height;
    to->kind = (int) drawing.kind;
    to->samples = malloc((size_t) drawing.width * (size_t) drawing.height * drawing.kind);
    if (to->samples &&
        page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, to->samples, NULL, &ignored) < 0) {
        free(to->samples);
        to->samples = NULL;
    }
    page_drawing_close(&drawing, doc);
}

static const uint8_t *pixel_of(const struct pixels *p, int x, int y)
{
    return p->samples + ((size_t) y * (size_t) p->width + (size_t) x) * (size_t) p->kind;
}

static int off(const struct pixels *a, const uint8_t *p, const struct pixels *b, const uint8_t *q)
{
    int most = 0;

    for (int c = 0; c < 3; c++) {
        int one = abs(p[a->kind >= 3 ? c : 0] - q[b->kind >= 3 ? c : 0]);

        most = one > most ? one : most;
    }
    return most;
}

/* Whether no pixel of b at this place or next to it is like that of a. */
static bool is_changed(const struct pixels *a, const struct pixels *b, int x, int y)
{
    const uint8_t *p = pixel_of(a, x, y);

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int bx = x + dx, by = y + dy;

            if (bx >= 0 && by >= 0 && bx < b->width && by < b->height &&
                off(a, p, b, pixel_of(b, bx, by)) < CHANGED)
                return false;
        }
    return true;
}

/* Marks the pixels of words in the mask, so that they are not compared. */
static void cover_words(const struct page_look_words *words, int width, int height, uint8_t *mask)
{
    for (size_t i = 0; i < words->n; i++) {
        const struct page_look_box *box = &words->boxes[i];
        int x0 = (int) fmaxf(floorf(box->x0 - EDGE), 0),
            y0 = (int) fmaxf(floorf(box->y0 - EDGE), 0);
        int x1 = (int) fminf(ceilf(box->x1 + EDGE), (float) width);
        int y1 = (int) fminf(ceilf(box->y1 + EDGE), (float) height);

        for (int y = y0; y < y1 && x0 < x1; y++)
            memset(mask + (size_t) y * (size_t) width + x0, 1, (size_t) (x1 - x0));
    }
}

struct cell_grid {
    int columns, rows;
    uint16_t *changed; /* pixels of each cell that differ; 0 once it is in an area */
};

static void count_cells(const struct pixels *a, const struct pixels *b, const uint8_t *mask,
                        struct cell_grid *grid)
{
    for (int y = 0; y < a->height && y < b->height; y++)
        for (int x = 0; x < a->width && x < b->width; x++) {
            if (mask[(size_t) y * (size_t) a->width + (size_t) x] ||
                off(a, pixel_of(a, x, y), b, pixel_of(b, x, y)) < CHANGED)
                continue;
            grid->changed[y / CELL * grid->columns + x / CELL] =
                (uint16_t) (grid->changed[y / CELL * grid->columns + x / CELL] +
                            (is_changed(a, b, x, y) || is_changed(b, a, x, y)));
        }
}

/* Removes the cells that touch this one from the grid; `stack` has room for all cells. */
static struct page_look_box remove_area(struct cell_grid *grid, int first, int *stack)
{
    int n = 0, x0 = grid->columns, y0 = grid->rows, x1 = 0, y1 = 0;

    stack[n++] = first;
    grid->changed[first] = 0;
    while (n > 0) {
        int at = stack[--n], x = at % grid->columns, y = at / grid->columns;

        x0 = x < x0 ? x : x0;
        y0 = y < y0 ? y : y0;
        x1 = x > x1 ? x : x1;
        y1 = y > y1 ? y : y1;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int nx = x + dx, ny = y + dy, next = ny * grid->columns + nx;

                if (nx < 0 || ny < 0 || nx >= grid->columns || ny >= grid->rows ||
                    grid->changed[next] == 0)
                    continue;
                grid->changed[next] = 0;
                stack[n++] = next;
            }
    }
    return (struct page_look_box){ (float) (x0 * CELL), (float) (y0 * CELL),
                                   (float) ((x1 + 1) * CELL), (float) ((y1 + 1) * CELL) };
}

static void unite_boxes(struct page_look_box *box, const struct page_look_box *other)
{
    box->x0 = fminf(box->x0, other->x0);
    box->y0 = fminf(box->y0, other->y0);
    box->x1 = fmaxf(box->x1, other->x1);
    box->y1 = fmaxf(box->y1, other->y1);
}

static int find_areas(struct cell_grid *grid, const struct pixels *a, struct page_look_box *areas,
                      size_t *n, struct err *err)
{
    int n_cells = grid->columns * grid->rows;
    AUTO_FREE int *stack = calloc((size_t) n_cells + 1, sizeof *stack);

    if (!stack)
        return engine_no_memory(err);
    for (int i = 0; i < n_cells; i++)
        if (grid->changed[i] < CELL_LEAST)
            grid->changed[i] = 0;
    for (int i = 0; i < n_cells; i++) {
        struct page_look_box area;

        if (grid->changed[i] == 0)
            continue;
        area = remove_area(grid, i, stack);
        area.x1 = fminf(area.x1, (float) a->width);
        area.y1 = fminf(area.y1, (float) a->height);
        if (*n < PAGE_LOOK_AREAS)
            areas[(*n)++] = area;
        else
            for (size_t k = 0; k < PAGE_LOOK_AREAS; k++)
                unite_boxes(&areas[0], k ? &areas[k] : &area);
    }
    return 0;
}

static int compare_pixels(const struct pixels *a, const struct pixels *b,
                          const struct page_look_words *words, struct page_look_box *areas,
                          size_t *n, struct err *err)
{
    struct cell_grid grid = { (a->width + CELL - 1) / CELL, (a->height + CELL - 1) / CELL, NULL };
    AUTO_FREE uint8_t *mask = calloc((size_t) a->width, (size_t) a->height);
    AUTO_FREE uint16_t *changed =
        calloc((size_t) grid.columns * (size_t) grid.rows, sizeof *changed);

    if (!mask || !changed)
        return engine_no_memory(err);
    if (abs(a->width - b->width) > 1 || abs(a->height - b->height) > 1) {
        areas[0] = (struct page_look_box){ 0, 0, (float) b->width, (float) b->height };
        *n = 1;
        return 0;
    }
    grid.changed = changed;
    cover_words(words, a->width, a->height, mask);
    count_cells(a, b, mask, &grid);
    return find_areas(&grid, a, areas, n, err);
}

int page_look_compare(struct page_look *look, size_t old, size_t new,
                      const struct page_look_words *words,
                      struct page_look_box areas[static PAGE_LOOK_AREAS], size_t *n, bool *seen,
                      struct err *err)
{
    struct pixels a = { 0 }, b = { 0 };
    int done = 0;

    *n = 0;
    draw_look(&look->old, old, DPI, PIXMAP_RGB, &a);
    draw_look(&look->new, new, DPI, PIXMAP_RGB, &b);
    *seen = a.samples && b.samples;
    if (*seen)
        done = compare_pixels(&a, &b, words, areas, n, err);
    free(a.samples);
    free(b.samples);
    return done;
}

bool page_look_sign(struct mupdf_document *doc, size_t page, uint8_t signs[static PAGE_LOOK_SIGNS])
{
    unsigned sums[PAGE_LOOK_SIGNS] = { 0 }, counts[PAGE_LOOK_SIGNS] = { 0 };
    struct pixels p = { 0 };
    bool seen;

    draw_look(doc, page, DPI / 2.0, PIXMAP_GRAY, &p);
    for (int y = 0; p.samples && y < p.height; y++)
        for (int x = 0; x < p.width; x++) {
            int at = y * GRID / p.height * GRID + x * GRID / p.width;

            sums[at] += *pixel_of(&p, x, y);
            counts[at]++;
        }
    for (size_t i = 0; i < PAGE_LOOK_SIGNS; i++)
        signs[i] = (uint8_t) (counts[i] ? sums[i] / counts[i] : 255);
    seen = p.samples != NULL;
    free(p.samples);
    return seen;
}

bool page_look_is_same(const uint8_t a[static PAGE_LOOK_SIGNS],
                       const uint8_t b[static PAGE_LOOK_SIGNS])
{
    int sum = 0;

    for (size_t i = 0; i < PAGE_LOOK_SIGNS; i++)
        sum += abs(a[i] - b[i]);
    return sum <= SIGN_MEAN * PAGE_LOOK_SIGNS;
}
