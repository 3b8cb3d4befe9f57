#include "engine/page_text/glyph_look.h"

#include <math.h>
#include <string.h>

#include "engine/page_text/path_lines.h"

#define COLUMNS    GLYPH_LOOK_COLUMNS
#define ROWS       GLYPH_LOOK_ROWS
#define SQUARE     GLYPH_LOOK_SQUARE
#define COARSE     GLYPH_LOOK_COARSE
#define WHOLE      (255.0F * 255.0F * GLYPH_LOOK_CELLS) /* the largest sum of squares */
#define STEPS      5                                    /* pieces of a curve */
#define THIN       0.004F /* ems: what is thinner or lower is not drawn */
#define HUGE_GLYPH 20.0F  /* ems: what is larger is not a character */

/* Accumulates, for each cell, by how much the outline's signed area changes there: a sum from the
 * left gives the covered part of each cell. */
struct canvas {
    float cells[ROWS][COLUMNS + 2];
    float x_scale, y_scale; /* 0: only the bounds are found */
    fz_rect bounds;
};

/* Adds the part of a line that is in one row; x and y count in cells, y within the row. */
static void add_piece(float *row, float x0, float y0, float x1, float y1)
{
    float height = y1 - y0, slope = height != 0 ? (x1 - x0) / height : 0;
    int from, to;

    if (x1 < x0) {
        add_piece(row, x1, -y1, x0, -y0);
        return;
    }
    from = (int) x0;
    to = (int) x1;
    for (int i = from; i <= to; i++) {
        float left = fmaxf(x0, (float) i), right = fminf(x1, (float) i + 1);
        float part = slope != 0 && to > from ? (right - left) / slope : height;
        float middle = (left + right) / 2 - (float) i;

        row[i] += part * (1 - middle);
        row[i + 1] += part * middle;
    }
}

static float within(float value, int most)
{
    return fminf(fmaxf(value, 0), (float) most);
}

static void add_line(void *arg, fz_point from, fz_point to)
{
    struct canvas *canvas = arg;
    float x0 = within((from.x - canvas->bounds.x0) * canvas->x_scale, COLUMNS);
    float y0 = within((from.y - canvas->bounds.y0) * canvas->y_scale, ROWS);
    float x1 = within((to.x - canvas->bounds.x0) * canvas->x_scale, COLUMNS);
    float y1 = within((to.y - canvas->bounds.y0) * canvas->y_scale, ROWS);
    float low = fminf(y0, y1), high = fmaxf(y0, y1);

    if (canvas->x_scale == 0) {
        canvas->bounds.x0 = fminf(canvas->bounds.x0, to.x);
        canvas->bounds.y0 = fminf(canvas->bounds.y0, to.y);
        canvas->bounds.x1 = fmaxf(canvas->bounds.x1, to.x);
        canvas->bounds.y1 = fmaxf(canvas->bounds.y1, to.y);
        return;
    }
    for (int row = (int) low; low < high && row < ROWS && (float) row < high; row++) {
        float begin = fmaxf(low, (float) row), end = fminf(high, (float) row + 1);
        float a = (begin - y0) / (y1 - y0), b = (end - y0) / (y1 - y0);

        if (y1 > y0)
            add_piece(canvas->cells[row], x0 + a * (x1 - x0), begin, x0 + b * (x1 - x0), end);
        else
            add_piece(canvas->cells[row], x0 + b * (x1 - x0), end, x0 + a * (x1 - x0), begin);
    }
}

/* Blurs the covered parts, so that strokes of other widths and places still meet. */
static void blur(float covered[ROWS][COLUMNS], struct glyph_look *look)
{
    static const float weights[3] = { 0.25F, 0.5F, 0.25F };

    memset(look->coarse, 0, sizeof look->coarse);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            float sum = 0;

            for (int i = -1; i <= 1; i++)
                for (int k = -1; k <= 1; k++)
                    if (y + i >= 0 && y + i < ROWS && x + k >= 0 && x + k < COLUMNS)
                        sum += covered[y + i][x + k] * weights[i + 1] * weights[k + 1];
            look->cells[y * COLUMNS + x] = (uint8_t) lrintf(sum * 255);
            look->coarse[y / SQUARE * (COLUMNS / SQUARE) + x / SQUARE] +=
                look->cells[y * COLUMNS + x];
        }
}

static void put_cells(const struct canvas *canvas, struct glyph_look *look)
{
    float covered[ROWS][COLUMNS];

    for (int y = 0; y < ROWS; y++) {
        float sum = 0;

        for (int x = 0; x < COLUMNS; x++) {
            sum += canvas->cells[y][x];
            covered[y][x] = fminf(fabsf(sum), 1);
        }
    }
    blur(covered, look);
}

/* False: there is no ink. */
static bool draw_glyph(fz_context *ctx, const fz_path *path, float below, struct glyph_look *look)
{
    struct canvas canvas = { .bounds = { INFINITY, INFINITY, -INFINITY, -INFINITY } };
    float width, height;

    path_lines_walk(ctx, path, STEPS, add_line, &canvas);
    canvas.bounds.y1 = fminf(canvas.bounds.y1, below);
    width = canvas.bounds.x1 - canvas.bounds.x0;
    height = canvas.bounds.y1 - canvas.bounds.y0;
    if (!(width > THIN && height > THIN && width < HUGE_GLYPH && height < HUGE_GLYPH))
        return false;
    canvas.x_scale = COLUMNS / width;
    canvas.y_scale = ROWS / height;
    path_lines_walk(ctx, path, STEPS, add_line, &canvas);
    put_cells(&canvas, look);
    look->width = width;
    look->bottom = canvas.bounds.y0;
    look->top = canvas.bounds.y1;
    return true;
}

bool glyph_look_draw(fz_context *ctx, fz_font *font, int glyph, float below,
                     struct glyph_look *look)
{
    fz_path *path = NULL;
    bool good = false;

    fz_var(path);
    fz_var(good);
    fz_try(ctx)
    {
        path = fz_outline_glyph(ctx, font, glyph, fz_identity);
        good = path && draw_glyph(ctx, path, below, look);
        look->advance = fz_advance_glyph(ctx, font, glyph, 0);
    }
    fz_always(ctx)
    {
        fz_drop_path(ctx, path);
    }
    fz_catch(ctx)
    {
        good = false;
    }
    return good;
}

/* The distance of the sums of 4 by 4 cells, which is never more than that of the cells. */
static float coarse_distance(const struct glyph_look *a, const struct glyph_look *b)
{
    int sum = 0;

    for (int i = 0; i < COARSE; i++) {
        int d = a->coarse[i] - b->coarse[i];

        sum += d * d / (SQUARE * SQUARE);
    }
    return (float) sum / WHOLE;
}

float glyph_look_distance(const struct glyph_look *a, const struct glyph_look *b, float most)
{
    int sum = 0;

    if (coarse_distance(a, b) > most)
        return INFINITY;
    for (int i = 0; i < GLYPH_LOOK_CELLS; i++) {
        int d = a->cells[i] - b->cells[i];

        sum += d * d;
    }
    return (float) sum / WHOLE;
}
