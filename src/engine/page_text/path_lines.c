#include "engine/page_text/path_lines.h"

struct walk {
    int steps;
    void (*line)(void *arg, fz_point from, fz_point to);
    void *arg;
    fz_point at, start; /* of the subpath */
    bool open;          /* there is a subpath */
};

static void add_line(struct walk *walk, fz_point to)
{
    walk->line(walk->arg, walk->at, to);
    walk->at = to;
}

static void lines_close(fz_context *ctx, void *arg)
{
    struct walk *walk = arg;

    (void) ctx;
    if (walk->open)
        add_line(walk, walk->start);
}

static void lines_move(fz_context *ctx, void *arg, float x, float y)
{
    struct walk *walk = arg;

    lines_close(ctx, arg);
    walk->at = walk->start = fz_make_point(x, y);
    walk->open = true;
}

static void lines_line(fz_context *ctx, void *arg, float x, float y)
{
    (void) ctx;
    add_line(arg, fz_make_point(x, y));
}

/* The point at t, from 0 to 1, of the curve from p[0] to p[3] with the control points p[1], p[2].
 */
static fz_point point_at(const fz_point p[static 4], float t)
{
    float u = 1 - t;
    float a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;

    return fz_make_point(a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                         a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y);
}

static void lines_curve(fz_context *ctx, void *arg, float x1, float y1, float x2, float y2,
                        float x3, float y3)
{
    struct walk *walk = arg;
    const fz_point points[] = { walk->at, { x1, y1 }, { x2, y2 }, { x3, y3 } };

    (void) ctx;
    for (int i = 1; i <= walk->steps; i++)
        add_line(walk, point_at(points, (float) i / (float) walk->steps));
}

void path_lines_walk(fz_context *ctx, const fz_path *path, int steps,
                     void (*line)(void *arg, fz_point from, fz_point to), void *arg)
{
    static const fz_path_walker walker = {
        .moveto = lines_move, .lineto = lines_line, .curveto = lines_curve, .closepath = lines_close
    };
    struct walk walk = { .steps = steps, .line = line, .arg = arg };

    fz_walk_path(ctx, path, &walker, &walk);
    lines_close(ctx, &walk);
}
