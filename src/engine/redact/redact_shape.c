#include "engine/redact/redact_shape.h"

#include <math.h>

static const int around[4] = { 0, 1, 3, 2 }; /* the corners of a quad, one next to the other */

struct redact_matrix redact_shape_multiply(struct redact_matrix m, struct redact_matrix n)
{
    const double *a = m.at, *b = n.at;

    return (struct redact_matrix){ { a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                                     a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
                                     a[4] * b[0] + a[5] * b[2] + b[4],
                                     a[4] * b[1] + a[5] * b[3] + b[5] } };
}

bool redact_shape_invert(struct redact_matrix m, struct redact_matrix *inverse)
{
    const double *a = m.at;
    double det = a[0] * a[3] - a[1] * a[2];

    if (!isnormal(det))
        return false;
    *inverse = (struct redact_matrix){ { a[3] / det, -a[1] / det, -a[2] / det, a[0] / det,
                                         (a[2] * a[5] - a[3] * a[4]) / det,
                                         (a[1] * a[4] - a[0] * a[5]) / det } };
    return true;
}

void redact_shape_move(struct redact_matrix m, double *x, double *y)
{
    double u = *x, v = *y;

    *x = m.at[0] * u + m.at[2] * v + m.at[4];
    *y = m.at[1] * u + m.at[3] * v + m.at[5];
}

struct redact_quad redact_shape_quad(struct redact_matrix m, double x0, double y0, double x1,
                                     double y1)
{
    struct redact_quad quad = { { x0, y1, x1, y1, x0, y0, x1, y0 } };

    for (int i = 0; i < 4; i++)
        redact_shape_move(m, &quad.at[2 * i], &quad.at[2 * i + 1]);
    return quad;
}

void redact_shape_box(const struct redact_quad *quad, double box[static 4])
{
    box[0] = box[2] = quad->at[0];
    box[1] = box[3] = quad->at[1];
    for (int i = 1; i < 4; i++) {
        box[0] = fmin(box[0], quad->at[2 * i]);
        box[1] = fmin(box[1], quad->at[2 * i + 1]);
        box[2] = fmax(box[2], quad->at[2 * i]);
        box[3] = fmax(box[3], quad->at[2 * i + 1]);
    }
}

bool redact_shape_has(const struct redact_area *area, double x, double y)
{
    bool left = false, right = false;

    if (x < area->box[0] || x > area->box[2] || y < area->box[1] || y > area->box[3])
        return false;
    for (int i = 0; i < 4; i++) {
        const double *p = &area->quad.at[2 * around[i]];
        const double *q = &area->quad.at[2 * around[(i + 1) % 4]];
        double side = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);

        left |= side > 0;
        right |= side < 0;
    }
    return !(left && right);
}

/* Whether a side of `a` divides the two, by the axis that is at right angles to it. */
static bool is_divided(const struct redact_quad *a, const struct redact_quad *b)
{
    for (int i = 0; i < 4; i++) {
        const double *p = &a->at[2 * around[i]], *q = &a->at[2 * around[(i + 1) % 4]];
        double x = p[1] - q[1], y = q[0] - p[0];
        double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };

        if (x == 0 && y == 0)
            continue;
        for (int k = 0; k < 4; k++) {
            double s = x * a->at[2 * k] + y * a->at[2 * k + 1];
            double t = x * b->at[2 * k] + y * b->at[2 * k + 1];

            low[0] = fmin(low[0], s);
            high[0] = fmax(high[0], s);
            low[1] = fmin(low[1], t);
            high[1] = fmax(high[1], t);
        }
        if (low[0] >= high[1] || low[1] >= high[0])
            return true;
    }
    return false;
}

bool redact_shape_meet(const struct redact_area *area, const struct redact_quad *quad)
{
    double box[4];

    redact_shape_box(quad, box);
    if (box[0] >= area->box[2] || box[2] <= area->box[0] || box[1] >= area->box[3] ||
        box[3] <= area->box[1])
        return false;
    return !is_divided(&area->quad, quad) && !is_divided(quad, &area->quad);
}
