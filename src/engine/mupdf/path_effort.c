#include "engine/mupdf/path_effort.h"

#include <math.h>

#define SUBLINES 15.0 /* lines of a pixel with 8 bits of antialiasing (fz_set_aa_level) */

/* Units of effort. */
#define EDGE  40.0 /* an edge is made and sorted, also where it is not visible */
#define LINE  20.0 /* an edge crosses a subline */
#define PIXEL 2.0
#define DASH  400.0 /* a dash of a line: a shape of at least four edges */

/* What is measured of a path; coordinates are device pixels. */
struct measure {
    fz_matrix matrix;
    fz_rect box;
    float x, y;             /* the current point */
    float start_x, start_y; /* of the subpath */
    float x0, y0, x1, y1;   /* bounds */
    double edges;
    double height; /* vertical extent of all edges within the box */
    double length; /* of all edges, within the box */
};

static void extend(struct measure *m, float x, float y)
{
    m->x0 = fminf(m->x0, x);
    m->y0 = fminf(m->y0, y);
    m->x1 = fmaxf(m->x1, x);
    m->y1 = fmaxf(m->y1, y);
    m->x = x;
    m->y = y;
}

/* A line from the current point: how much of it lies in the box, in each direction. */
static void add_line(struct measure *m, float x, float y)
{
    float top = fmaxf(fminf(m->y, y), m->box.y0), bottom = fminf(fmaxf(m->y, y), m->box.y1);
    float left = fmaxf(fminf(m->x, x), m->box.x0), right = fminf(fmaxf(m->x, x), m->box.x1);
    float high = fmaxf(bottom - top, 0), wide = fmaxf(right - left, 0);

    m->edges++;
    m->height += (double) high;
    if (bottom >= top && right >= left)
        m->length += (double) high + (double) wide;
    extend(m, x, y);
}

static void measure_move(fz_context *ctx, void *arg, float x, float y)
{
    struct measure *m = arg;
    fz_point p = fz_transform_point_xy(x, y, m->matrix);

    (void) ctx;
    extend(m, p.x, p.y);
    m->start_x = p.x;
    m->start_y = p.y;
}

static void measure_line(fz_context *ctx, void *arg, float x, float y)
{
    struct measure *m = arg;
    fz_point p = fz_transform_point_xy(x, y, m->matrix);

    (void) ctx;
    add_line(m, p.x, p.y);
}

/* A curve is no longer than its control polygon. */
static void measure_curve(fz_context *ctx, void *arg, float x1, float y1, float x2, float y2,
                          float x3, float y3)
{
    measure_line(ctx, arg, x1, y1);
    measure_line(ctx, arg, x2, y2);
    measure_line(ctx, arg, x3, y3);
}

static void measure_close(fz_context *ctx, void *arg)
{
    struct measure *m = arg;

    (void) ctx;
    add_line(m, m->start_x, m->start_y);
}

static struct measure measure_path(fz_context *ctx, const fz_path *path, fz_matrix matrix,
                                   fz_irect box)
{
    static const fz_path_walker walker = { .moveto = measure_move,
                                           .lineto = measure_line,
                                           .curveto = measure_curve,
                                           .closepath = measure_close };
    struct measure m = { .matrix = matrix,
                         .box = fz_rect_from_irect(box),
                         .x0 = INFINITY,
                         .y0 = INFINITY,
                         .x1 = -INFINITY,
                         .y1 = -INFINITY };

    fz_walk_path(ctx, path, &walker, &m);
    return m;
}

/* Pixels of the path's bounds, widened by `margin` on each side, that lie in the box. */
static double pixels(const struct measure *m, float margin)
{
    float wide = fminf(m->x1 + margin, m->box.x1) - fmaxf(m->x0 - margin, m->box.x0);
    float high = fminf(m->y1 + margin, m->box.y1) - fmaxf(m->y0 - margin, m->box.y0);

    return wide > 0 && high > 0 ? (double) wide * (double) high : 0;
}

double path_effort_fill(fz_context *ctx, const fz_path *path, fz_matrix matrix, fz_irect box)
{
    struct measure m = measure_path(ctx, path, matrix, box);

    return m.edges * EDGE + m.height * SUBLINES * LINE + pixels(&m, 0) * PIXEL;
}

double path_effort_stroke(fz_context *ctx, const fz_path *path, const fz_stroke_state *stroke,
                          fz_matrix matrix, fz_irect box)
{
    struct measure m = measure_path(ctx, path, matrix, box);
    float scale = fz_matrix_expansion(matrix), width = fmaxf(stroke->linewidth * scale, 1);
    float across = fminf(width, m.box.y1 - m.box.y0);
    double pattern = 0, dashes = 0;

    for (int i = 0; i < stroke->dash_len; i++)
        pattern += (double) (stroke->dash_list[i] * scale);
    if (pattern > 0)
        dashes = fmin(m.length / pattern * stroke->dash_len, 1e12);
    /* Both sides of each line, and what joins it to the next. */
    return m.edges * 4 * EDGE + 2 * (m.height + m.edges * (double) across) * SUBLINES * LINE +
           dashes * (DASH + 2 * (double) across * SUBLINES * LINE) + pixels(&m, width) * PIXEL;
}
