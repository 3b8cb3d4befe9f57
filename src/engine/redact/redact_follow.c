/* redact_follow: what belongs to text that is moved goes with it: lines under words, marks
 * over them, links. */
#include <math.h>

#include "engine/redact/redact_width.h"

/* In parts of the font's size. */
#define BELOW  0.45
#define ABOVE  1.15
#define BEYOND 0.5 /* what reaches farther over the ends of the text does not belong to it */

void redact_width_project(const struct redact_quad *quad, double dx, double dy,
                          double box[static 4])
{
    struct redact_quad turned;

    for (int i = 0; i < 4; i++) {
        double x = quad->at[2 * i], y = quad->at[2 * i + 1];

        turned.at[2 * i] = dx * x + dy * y;
        turned.at[2 * i + 1] = dx * y - dy * x;
    }
    redact_shape_box(&turned, box);
}

/* Where a place of the line is now: in proportion within words, holes and gaps. */
static double moved_to(const struct redact_line *line, const struct redact_moved *moved, double x)
{
    const struct redact_span *spans = line->spans + moved->first;
    const struct redact_span *last = &spans[moved->n - 1];

    if (x < spans[0].from)
        return x - spans[0].from + spans[0].at;
    for (size_t i = 0; i < moved->n; i++) {
        const struct redact_span *span = &spans[i];

        if (x <= span->to)
            return span->to > span->from ? span->at + (x - span->from) * (span->end - span->at) /
                                                          (span->to - span->from)
                                         : span->at;
        if (i + 1 < moved->n && x < span[1].from)
            return span->end +
                   (x - span->to) * (span[1].at - span->end) / (span[1].from - span->to);
    }
    return x - last->to + last->end;
}

bool redact_width_follow(const struct redact_line *line, const struct redact_quad *quad,
                         struct redact_matrix *m)
{
    for (size_t i = 0; i < line->n_moved; i++) {
        const struct redact_moved *moved = &line->moved[i];
        double box[4], size = moved->size, at, end, scale = 1;
        struct redact_matrix turn, back, along;

        redact_width_project(quad, moved->dx, moved->dy, box);
        if (box[1] < moved->across - BELOW * size || box[3] > moved->across + ABOVE * size ||
            box[0] < moved->from - BEYOND * size || box[2] > moved->to + BEYOND * size ||
            moved->n == 0)
            continue;
        at = moved_to(line, moved, box[0]);
        end = moved_to(line, moved, box[2]);
        if (box[2] - box[0] > 0.01 * size)
            scale = (end - at) / (box[2] - box[0]);
        if (!(scale > 0.001) || (fabs(at - box[0]) < 1e-3 && fabs(end - box[2]) < 1e-3))
            return false;
        turn = (struct redact_matrix){ { moved->dx, -moved->dy, moved->dy, moved->dx, 0, 0 } };
        along = (struct redact_matrix){ { scale, 0, 0, 1, at - box[0] * scale, 0 } };
        if (!redact_shape_invert(turn, &back))
            return false;
        *m = redact_shape_multiply(redact_shape_multiply(turn, along), back);
        return true;
    }
    return false;
}
