#include "layout/paragraph/margins.h"

#include <math.h>

#define FEW    4      /* pages: what they have in common can be chance */
#define EDGE   0.075F /* of the height: where headers are, if there is one page alone */
#define ENOUGH 6      /* lines of a page, without those that can be headers and footers */
#define RAGGED 42     /* points that lines can end before the margin */
#define SPARE  0.8F   /* points: what lines are given more than they took */

static bool is_header(const struct survey *survey, const struct survey_edge *edge,
                      const struct survey_line *lines)
{
    const struct running *running = &survey->running;

    if (edge->line >= 0 && lines[edge->line].common)
        return true;
    for (int i = 0; i < running->n_bases; i++)
        if (edge->only_number || fabsf(edge->base - running->bases[i].base) < 2)
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

            if (edge->y != 0 && !is_header(survey, edge, lines)) {
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

/* Margins are mostly as wide on the right as on the left: lines that are not filled end before
 * theirs. So it is taken if the lines' next words would not have had room up to there. */
static float even_right(const struct survey_sides *sides, float left, float right)
{
    float even = sides->width - left;
    unsigned over = 0, under = 0;

    if (right >= even - 0.5F || right < even - RAGGED)
        return right;
    for (int i = (int) fmaxf(even - RAGGED, 0); i < 1000; i++)
        *((float) i < even ? &under : &over) += sides->limits[i];
    return under * 8 <= over || under + over < FEW ? even : right;
}

static int clamp_place(int at)
{
    return at < 0 ? 0 : at > 999 ? 999 : at;
}

/* The left and right margins of pages of a size. */
static struct survey_other sidebars_find(const struct survey_sides *sides)
{
    unsigned lefts[1000], rights[1000];
    int left, right;
    struct survey_other found = { .width = sides->width, .height = sides->height };

    for (int i = 0; i < 1000; i++) {
        lefts[i] = sides->lefts[0][i] + sides->lefts[1][i];
        rights[i] = sides->rights[0][i] + sides->rights[1][i];
    }
    left = clamp_place(beyond(lefts, 0, 1));
    right = clamp_place(beyond(rights, 999, -1));
    found.left = lefts[left] ? sides->left[left] : (float) left;
    found.right = rights[right] ? sides->right[right] + SPARE : (float) right + 1;
    found.right = sides->width - even_right(sides, found.left, found.right);
    found.left = fminf(fmaxf(found.left, 0), 0.4F * sides->width);
    found.right = fminf(fmaxf(found.right, 0), 0.4F * sides->width);
    return found;
}

/* Whether left and right pages have each other's margins. */
static bool are_mirrored(struct survey *survey, const struct survey_sides *sides)
{
    float left[2], right[2];

    for (int i = 0; i < 2; i++) {
        left[i] = (float) edge_of(survey, sides->lefts[i], 1, 1);
        right[i] = (float) edge_of(survey, sides->rights[i], 998, -1) + 1;
    }
    if (survey->seen < FEW || fabsf(left[1] - left[0]) <= 2 ||
        fabsf((right[1] - left[1]) - (right[0] - left[0])) >= 3 ||
        fmaxf(left[0], left[1]) >= 0.4F * survey->width)
        return false;
    for (int i = 0; i < 2; i++) {
        struct margins *m = i ? &survey->facing : &survey->margins;

        m->left = fmaxf(left[i], 0);
        /* What is left of one is right of the other. */
        m->right = fmaxf(left[1 - i], 0);
    }
    return true;
}

static void find_sides(struct survey *survey)
{
    int n = 0;

    for (int i = 0; i < SURVEY_SIDES && survey->sides[i].width > 0; i++) {
        const struct survey_sides *sides = &survey->sides[i];
        bool usual =
            fabsf(sides->width - survey->width) < 1 && fabsf(sides->height - survey->height) < 1;
        struct survey_other found = sidebars_find(sides);

        if (!usual) {
            survey->others[n++] = found;
            continue;
        }
        survey->margins.left = survey->facing.left = found.left;
        survey->margins.right = survey->facing.right = found.right;
        survey->mirrored = are_mirrored(survey, sides);
    }
}

/* Of pages of this page's size; NULL: there are too many sizes. */
static struct survey_sides *sides_of(struct survey *survey, const struct page_content *content)
{
    for (int i = 0; i < SURVEY_SIDES; i++) {
        struct survey_sides *sides = &survey->sides[i];

        if (sides->width <= 0) {
            sides->width = content->width;
            sides->height = content->height;
        }
        if (fabsf(sides->width - content->width) < 1 && fabsf(sides->height - content->height) < 1)
            return sides;
    }
    return NULL;
}

static void note_edges(struct survey_sides *sides, const struct line *line, size_t facing)
{
    float x0 = line->area.x0, x1 = line->area.x1;
    int left = (int) x0, right = (int) x1;

    if (x0 >= 0 && x0 < 999) {
        sides->left[left] =
            sides->lefts[0][left] + sides->lefts[1][left] ? fminf(sides->left[left], x0) : x0;
        sides->lefts[facing][left]++;
    }
    if (x1 >= 0 && x1 < 999) {
        sides->right[right] = fmaxf(sides->right[right], x1);
        sides->rights[facing][right]++;
    }
}

/* Where the line would have ended with the first word of the next, which may be of its paragraph.
 */
static void note_limit(struct survey_sides *sides, const struct line *line, const struct line *next)
{
    float gap = next->base - line->base;
    float limit = line->area.x1 + 0.25F * line->size + words_first_width(next);

    if (fabsf(next->area.x0 - line->area.x0) < 1 && gap > 0.5F * line->size &&
        gap < 2.6F * line->size && fabsf(next->size - line->size) < 0.05F * line->size &&
        limit >= 0 && limit < 999)
        sides->limits[(int) limit]++;
}

void margins_note(struct survey *survey, const struct page_content *content,
                  const struct line_list *lines)
{
    struct survey_sides *sides = sides_of(survey, content);
    float edge = (survey->n_pages > 1 ? SURVEY_TOP : EDGE) * content->height;
    size_t inner = 0;

    for (size_t i = 0; i < lines->n; i++)
        inner += lines->items[i].area.y1 > edge && lines->items[i].area.y0 < content->height - edge;
    for (size_t i = 0; sides && i < lines->n; i++) {
        const struct line *line = &lines->items[i];

        /* Headers and footers can be wider than the text. */
        if (inner >= ENOUGH && (line->area.y1 <= edge || line->area.y0 >= content->height - edge))
            continue;
        note_edges(sides, line, content->number % 2);
        if (i + 1 < lines->n)
            note_limit(sides, line, line + 1);
    }
}

void margins_find(struct survey *survey, bool feet)
{
    struct margins *m = &survey->margins;
    float h = survey->height, tops[SURVEY_PAGES], bottoms[SURVEY_PAGES];
    int n_tops = clear_of(survey, survey->tops, survey->heads, tops);
    int n_bottoms = clear_of(survey, survey->bottoms, survey->feet, bottoms);
    float bottom = least_of(bottoms, n_bottoms);

    find_sides(survey);
    m->top = n_tops ? fminf(fmaxf(usual_of(tops, n_tops), 0), 0.4F * h) : 0.1F * h;
    survey->bottom = n_bottoms ? fmaxf(usual_of(bottoms, n_bottoms), 0) : 0;
    /* Less than measured: one line more or less must not make a new page. */
    m->bottom = n_bottoms ? fminf(fmaxf(bottom * (feet ? 0.35F : 0.12F), 4), 0.1F * h) : 0.05F * h;
    survey->facing.top = m->top;
    survey->facing.bottom = m->bottom;
}

void margins_fit(const struct survey *survey, struct page *page)
{
    struct margins *margins = &page->margins;
    float w = page->width / fmaxf(survey->width, 1);
    float h = page->height / fmaxf(survey->height, 1);

    for (int i = 0; i < SURVEY_SIDES; i++) {
        const struct survey_other *other = &survey->others[i];

        if (fabsf(other->width - page->width) > 1 || fabsf(other->height - page->height) > 1)
            continue;
        margins->left = other->left;
        margins->right = other->right;
        w = 1;
    }
    /* Paper that is turned has what it had above. */
    if (fabsf(page->width - survey->height) < 1 && fabsf(page->height - survey->width) < 1)
        h = 1;
    if (fabsf(w - 1) > 0.02F) {
        margins->left *= w;
        margins->right *= w;
    }
    if (fabsf(h - 1) > 0.02F) {
        margins->top *= h;
        margins->bottom *= h;
    }
}
