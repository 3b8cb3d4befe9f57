#include "reflow/columns.h"

#include <math.h>
#include <string.h>

#include "reflow/continued.h"

#define SHORT 3    /* lines a column may have room for where a paragraph goes on */
#define EVEN  2.2F /* lines: columns of a part of a page end at one height */
#define NEAR  1.5F /* lines from there: one that is too much has no place */
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

/* What follows the block `at` comes one place earlier. */
static void take_out(struct section *section, size_t at)
{
    struct block_list *blocks = &section->blocks;

    memmove(blocks->items + at, blocks->items + at + 1,
            (blocks->n - at - 1) * sizeof *blocks->items);
    blocks->n--;
    for (size_t k = 0; k < section->n_columns; k++)
        section->begins[k] -= section->begins[k] > at;
}

/* One line says less of a paragraph than several. */
static void learn(struct paragraph *p, const struct paragraph *q)
{
    if (p->n_lines > 2 || q->n_lines <= p->n_lines)
        return;
    p->align = q->align;
    if (p->n_lines == 1) {
        p->first += p->left - q->left;
        p->left = q->left;
        p->right = q->right;
    }
}

static void join(const struct pouring *pouring, struct paragraph *p, const struct paragraph *q)
{
    struct run *runs = ARENA_ARRAY(pouring->arena, struct run, p->n_runs + q->n_runs);

    continued_join(pouring->arena, p, q);
    memcpy(runs, p->runs, p->n_runs * sizeof *runs);
    memcpy(runs + p->n_runs, q->runs, q->n_runs * sizeof *runs);
    learn(p, q);
    p->runs = runs;
    p->n_runs += q->n_runs;
    p->n_lines += q->n_lines;
    p->tail = q->tail;
    p->room = q->room;
}

/* What is between the column before k and k; *at: the paragraph that goes on there. */
static enum seam seam_at(const struct pouring *pouring, size_t k, size_t *at)
{
    struct section *section = pouring->section;
    size_t first = section->begins[k], end = column_end(section, k);
    const struct paragraph *p, *q;
    float least;

    *at = continued_past(section, first, end);
    if (first == section->begins[k - 1] || first >= end ||
        continued_space(&section->blocks.items[first]) > pouring->line)
        return SEAM_BREAK;
    p = continued_text(section, first - 1);
    q = *at < end ? continued_text(section, *at) : NULL;
    /* A line alone can be of those below the text. */
    if (p && q && (p->n_lines > 1 || continued_within(p, q)) &&
        section->ends[k - 1] + SHORT * q->line > pouring->bottom && continued_is(p, q))
        return SEAM_SAME;
    /* The sentence goes on elsewhere, below what is not known to be a picture. */
    if (p && !continued_ends(p))
        return SEAM_BREAK;
    /* A footnote ends its column. */
    if ((p && p->tail.size < 0.92F * pouring->survey->body) ||
        (q && *at == first && q->head.size < 0.92F * pouring->survey->body))
        return SEAM_BREAK;
    least = continued_least(&section->blocks.items[first]);
    if (q && q->heading && *at == first)
        least += pouring->line;
    return section->ends[k - 1] + least > pouring->bottom + 0.4F * pouring->line ? SEAM_FLOW
                                                                                 : SEAM_BREAK;
}

/* Whether the text that goes on from the column before k is one paragraph with it now. */
static bool pour_into(const struct pouring *pouring, size_t k)
{
    struct section *section = pouring->section;
    struct block *blocks = section->blocks.items;
    size_t at;

    if (seam_at(pouring, k, &at) != SEAM_SAME)
        return false;
    blocks[section->begins[k]].column_break = false;
    join(pouring, &blocks[section->begins[k] - 1].paragraph, &blocks[at].paragraph);
    take_out(section, at);
    return true;
}

/* All columns end at one height. With pictures in them LibreOffice would not find it. */
static bool is_even(const struct pouring *pouring)
{
    const struct section *section = pouring->section;
    size_t at;

    for (size_t k = 0; k < section->n_columns; k++)
        if (section->ends[k] < pouring->bottom - EVEN * pouring->line ||
            (k > 0 && seam_at(pouring, k, &at) == SEAM_BREAK))
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
    if (pouring->even && !is_even(pouring))
        return false;
    section->poured = true;
    for (size_t k = 1; k < section->n_columns; k++)
        section->poured = section->poured && seam_at(pouring, k, &at) != SEAM_BREAK;
    for (size_t k = 1; k < section->n_columns; k++)
        any = pour_into(pouring, k) || any;
    if (any && section->poured)
        columns_open(section);
    return any;
}

void columns_open(struct section *section)
{
    for (size_t i = 0; i < section->blocks.n; i++)
        section->blocks.items[i].column_break = false;
}

void columns_pour(const struct survey *survey, struct arena *arena, struct page *page)
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
