#include "layout/continuation/column_transition.h"

#include <math.h>
#include <string.h>

#include "layout/continuation/continued_paragraph.h"

#define SHORT 3    /* lines a column may have room for where a paragraph goes on */
#define EVEN  2.2F /* lines: columns of a part of a page end at one height */
#define NEAR  1.5F /* lines from there: one that is too much has no place */
#define SIDE  0.6F /* of the first column's width: one at the side of it is narrower */
#define FULL  3.0F /* lines from where pages end: this one does, too */

/* How a section's text goes from its columns to the next ones. */
struct pouring {
    const struct survey *survey;
    struct arena *arena;
    struct section *section;
    float bottom; /* how far down its columns go */
    float line;
    bool even; /* all columns end there, and not at the end of the page */
};

static size_t column_end(const struct section *section, size_t k)
{
    return k + 1 < section->n_columns ? section->begins[k + 1] : section->blocks.n;
}

void column_transition_remove(struct section *section, size_t from, size_t end)
{
    struct block_list *blocks = &section->blocks;

    memmove(blocks->items + from, blocks->items + end, (blocks->n - end) * sizeof *blocks->items);
    blocks->n -= end - from;
    for (size_t k = 0; k < section->n_columns; k++)
        if (section->begins[k] >= end)
            section->begins[k] -= end - from;
}

/* Whether a paragraph at the end of a column goes on with one in the next column. A line alone can
 * be of those below the text. In a few lines only words say what goes on, and not how far they go.
 */
static bool goes_on(const struct section *section, const struct paragraph *p,
                    const struct paragraph *q)
{
    struct paragraph full = *p;

    if (section->brief)
        full.room = 0;
    return ((p->n_lines > 1 && !section->brief) || continued_paragraph_within(p, q)) &&
           continued_paragraph_is(&full, q);
}

/* What is between the column before k and k; *at: the paragraph that goes on there. */
static enum page_transition transition_at(const struct pouring *pouring, size_t k, size_t *at)
{
    struct section *section = pouring->section;
    size_t first = section->begins[k], end = column_end(section, k);
    const struct paragraph *p, *q;
    float least;

    *at = continued_paragraph_past(section, first, end);
    if (first == section->begins[k - 1] || first >= end ||
        continued_paragraph_space(&section->blocks.items[first]) > pouring->line)
        return TRANSITION_BREAK;
    p = continued_paragraph_text(section, first - 1);
    q = *at < end ? continued_paragraph_text(section, *at) : NULL;
    if (p && q && section->ends[k - 1] + SHORT * q->line > pouring->bottom &&
        goes_on(section, p, q))
        return TRANSITION_SAME;
    /* The sentence goes on elsewhere, below what is not known to be a picture. */
    if (p && !continued_paragraph_ends(p))
        return TRANSITION_BREAK;
    /* A footnote ends its column. */
    if ((p && p->tail.size < 0.92F * pouring->survey->body) ||
        (q && *at == first && q->head.size < 0.92F * pouring->survey->body))
        return TRANSITION_BREAK;
    least = continued_paragraph_least(&section->blocks.items[first]);
    if (q && q->heading && *at == first)
        least += pouring->line;
    return section->ends[k - 1] + least > pouring->bottom + 0.4F * pouring->line ? TRANSITION_FLOW
                                                                                 : TRANSITION_BREAK;
}

/* Whether the text that goes on from the column before k is one paragraph with it now. */
static bool pour_into(const struct pouring *pouring, size_t k)
{
    struct section *section = pouring->section;
    struct block *blocks = section->blocks.items;
    size_t at;

    if (transition_at(pouring, k, &at) != TRANSITION_SAME)
        return false;
    blocks[section->begins[k]].column_break = false;
    continued_paragraph_append(pouring->arena, &blocks[section->begins[k] - 1].paragraph,
                               &blocks[at].paragraph);
    column_transition_remove(section, at, at + 1);
    return true;
}

/* All columns end at one height. With pictures in them LibreOffice would not find it. */
static bool ends_evenly(const struct pouring *pouring)
{
    const struct section *section = pouring->section;
    size_t at;

    for (size_t k = 0; k < section->n_columns; k++)
        if (section->ends[k] < pouring->bottom - EVEN * pouring->line ||
            (k > 0 && transition_at(pouring, k, &at) == TRANSITION_BREAK))
            return false;
    for (size_t i = 0; i < section->blocks.n; i++)
        if (section->blocks.items[i].kind == BLOCK_FIGURE)
            return false;
    return true;
}

/* Whether a paragraph goes over. */
static bool pour(struct pouring *pouring)
{
    struct section *section = pouring->section;
    bool any = false;
    size_t at;

    for (size_t k = 0; k < section->n_columns; k++)
        pouring->bottom = fmaxf(pouring->bottom, section->ends[k]);
    if (pouring->even && !ends_evenly(pouring))
        return false;
    section->poured = true;
    for (size_t k = 1; k < section->n_columns; k++)
        section->poured = section->poured && transition_at(pouring, k, &at) != TRANSITION_BREAK;
    for (size_t k = 1; k < section->n_columns; k++)
        any = pour_into(pouring, k) || any;
    if (any && section->poured)
        column_transition_open(section);
    return any;
}

void column_transition_open(struct section *section)
{
    for (size_t i = 0; i < section->blocks.n; i++)
        section->blocks.items[i].column_break = false;
}

void column_transition_join(const struct survey *survey, struct arena *arena, struct page *page)
{
    float line = 1.2F * survey->body;
    float bottom = page->height - survey->bottom * page->height / fmaxf(survey->height, 1);

    for (size_t i = 0; i < page->n_sections; i++) {
        struct pouring pouring = { .survey = survey,
                                   .arena = arena,
                                   .section = &page->sections[i],
                                   .line = line,
                                   .even = i + 1 < page->n_sections ||
                                           page->end < bottom - FULL * line };

        if (page->sections[i].n_columns < 2)
            continue;
        if (!pour(&pouring))
            continue;
        page->sections[i].even = pouring.even;
        if (i + 1 < page->n_sections)
            continue;
        page->fixed_end = !pouring.even;
        page->full =
            page->sections[i].ends[page->sections[i].n_columns - 1] > page->end - NEAR * line;
        page->even_end = pouring.even;
    }
}

void column_transition_widen(struct page *page)
{
    float edge = page->width - page->margins.right;

    for (size_t i = 0; page->n_sections > 1 && i < page->n_sections; i++) {
        struct section *section = &page->sections[i];
        struct column *first = &section->columns[0], *last = &section->columns[1];

        if (section->n_columns != 2 || last->x1 >= edge ||
            section->begins[1] >= section->blocks.n ||
            !section->blocks.items[section->begins[1]].column_break ||
            last->x1 - last->x0 > SIDE * (first->x1 - first->x0))
            continue;
        for (size_t k = section->begins[1]; k < section->blocks.n; k++)
            if (section->blocks.items[k].kind == BLOCK_PARAGRAPH)
                section->blocks.items[k].paragraph.right += edge - last->x1;
        last->x1 = edge;
    }
}
