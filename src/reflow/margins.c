#include "reflow/margins.h"

#include <math.h>

#define FEW 4 /* pages: what they have in common can be chance */

static bool is_furniture(const struct survey *survey, const struct survey_edge *edge,
                         const struct survey_line *lines)
{
    const struct running *running = &survey->running;

    if (edge->line >= 0 && lines[edge->line].common)
        return true;
    for (int i = 0; i < running->n_bases; i++)
        if (edge->lone || fabsf(edge->base - running->bases[i].base) < 2)
            return true;
    return false;
}

/* The distances of text from the edge, without headers and footers; how many. */
static int clear_of(const struct survey *survey, struct survey_edge (*edges)[SURVEY_EDGE],
                    const struct survey_line *lines, float *clear)
{
    int n = 0;

    for (int page = 0; page < survey->seen && page < SURVEY_PAGES; page++)
        for (int i = 0; fabsf(survey->heights[page] - survey->height) < 1 && i < SURVEY_EDGE; i++) {
            const struct survey_edge *edge = &edges[page][i];

            if (edge->y != 0 && !is_furniture(survey, edge, lines)) {
                clear[n++] = edge->y;
                break;
            }
        }
    return n;
}

static float least_of(const float *clear, int n)
{
    float least = INFINITY;

    for (int i = 0; i < n; i++)
        least = fminf(least, clear[i]);
    return least;
}

/* The one that a third of the pages or more have, if there are enough of them, or the least. */
static float usual_of(const float *clear, int n)
{
    float usual = least_of(clear, n);
    int most = 0;

    for (int i = 0; n >= FEW && i < n; i++) {
        int same = 0;

        for (int k = 0; k < n; k++)
            same += fabsf(clear[k] - clear[i]) < 1.5F;
        if (same > most && same * 3 >= n) {
            most = same;
            usual = clear[i];
        }
    }
    return usual;
}

/* The place that a hundredth of all lines lie beyond. */
static int beyond(const unsigned *places, int from, int step)
{
    unsigned all = 0, sum = 0;
    int at = from;

    for (int i = 0; i < 1000; i++)
        all += places[i];
    for (; at >= 0 && at < 1000; at += step)
        if ((sum += places[at]) > all / 100)
            break;
    return at;
}

/* The first place where many lines begin or end together: at the edge of the text, and not of what
 * stands beyond it on some pages. If there is none: beyond(). */
static int edge_of(const struct survey *survey, const unsigned *places, int from, int step)
{
    unsigned all = 0;

    for (int i = 0; i < 1000; i++)
        all += places[i];
    for (int at = from; survey->seen >= FEW && at > 0 && at < 999; at += step)
        if ((places[at] + places[at + step]) * 5 >= all && all >= 20)
            return at;
    return beyond(places, from, step);
}

static void find_sides(struct survey *survey)
{
    float w = survey->width;
    unsigned lefts[1000], rights[1000];
    float left[2], right[2];

    for (int i = 0; i < 1000; i++) {
        lefts[i] = survey->lefts[0][i] + survey->lefts[1][i];
        rights[i] = survey->rights[0][i] + survey->rights[1][i];
    }
    for (int i = 0; i < 2; i++) {
        left[i] = (float) edge_of(survey, survey->lefts[i], 1, 1);
        right[i] = (float) edge_of(survey, survey->rights[i], 998, -1) + 1;
    }
    survey->mirrored = survey->seen >= FEW && fabsf(left[1] - left[0]) > 2 &&
                       fabsf((right[1] - left[1]) - (right[0] - left[0])) < 3 &&
                       fmaxf(left[0], left[1]) < 0.4F * w;
    if (!survey->mirrored) {
        left[0] = left[1] = (float) beyond(lefts, 0, 1);
        right[0] = right[1] = (float) beyond(rights, 999, -1) + 1;
    }
    for (int i = 0; i < 2; i++) {
        struct margins *m = i ? &survey->facing : &survey->margins;

        m->left = fminf(fmaxf(left[i], 0), 0.4F * w);
        /* Where pages are mirrored, what is left of one is right of the other. */
        m->right = survey->mirrored ? left[1 - i] : w - fminf(right[i], w);
        m->right = fminf(fmaxf(m->right, 0), 0.4F * w);
    }
}

void margins_find(struct survey *survey)
{
    struct margins *m = &survey->margins;
    float h = survey->height, tops[SURVEY_PAGES], bottoms[SURVEY_PAGES];
    int n_tops = clear_of(survey, survey->tops, survey->heads, tops);
    int n_bottoms = clear_of(survey, survey->bottoms, survey->feet, bottoms);
    float bottom = least_of(bottoms, n_bottoms);

    find_sides(survey);
    m->top = n_tops ? fminf(fmaxf(usual_of(tops, n_tops), 0), 0.4F * h) : 0.1F * h;
    survey->bottom = n_bottoms ? fmaxf(usual_of(bottoms, n_bottoms), 0) : 0;
    /* Less than there was: a line more or less is no new page. */
    m->bottom = n_bottoms
                    ? fminf(fmaxf(bottom * (survey_has_feet(survey) ? 0.35F : 0.12F), 4), 0.1F * h)
                    : 0.05F * h;
    survey->facing.top = m->top;
    survey->facing.bottom = m->bottom;
}
