#include "layout/continuation/page_transition.h"

#include <math.h>

#include "layout/continuation/column_transition.h"
#include "layout/continuation/continued_caption.h"
#include "layout/continuation/continued_paragraph.h"
#include "layout/continuation/continued_row.h"
#include "layout/continuation/continued_table.h"
#include "layout/continuation/footnotes.h"

#define SHORT 3    /* lines a page may have room for where a paragraph goes on */
#define LOWER 2    /* lines that one can go farther down than others */
#define FULL  0.7F /* of the page: it is not full before */
#define LARGE 1.4F /* sizes of text: a heading that can begin a chapter */
#define ASIDE 4    /* points: columns of several pages are the same */

/* The section a page ends (or begins) with, if it is one of running text. */
static struct section *running(const struct page *page, bool last)
{
    struct section *section =
        page->n_sections ? &page->sections[last ? page->n_sections - 1 : 0] : NULL;

    if (!section || page->plain || section->blocks.n == 0)
        return NULL;
    if (section->n_columns == 1)
        return page->n_sections == 1 ? section : NULL;
    return section->poured && !(last && page->even_end) ? section : NULL;
}

/* Where the text of a section begins that begins its page. */
static float top_of(const struct page *page, const struct section *section)
{
    return page->margins.top + (section == page->sections ? section->before : 0);
}

static bool same_columns(const struct page *before, const struct section *above,
                         const struct page *after, const struct section *below, float line)
{
    float aside = before->margins.left - after->margins.left;

    if (above->n_columns != below->n_columns)
        return false;
    /* They end where their longest line does: few lines can all be shorter. */
    for (size_t k = 0; above->n_columns > 1 && k < above->n_columns; k++)
        if (fabsf(above->columns[k].x0 - below->columns[k].x0 - aside) > ASIDE ||
            below->columns[k].x1 + aside > above->columns[k].x1 + ASIDE)
            return false;
    return above->n_columns == 1 ||
           fabsf(top_of(before, above) - top_of(after, below)) < 0.5F * line;
}

/* How far down text goes on pages that are full. */
static float bottom_of(const struct survey *survey, const struct page *page)
{
    return page->height - fmaxf(survey->bottom * page->height / fmaxf(survey->height, 1), 0);
}

/* What few lines did not show of the paragraph. */
static void adopt_right_edge(struct page *page, struct paragraph *p, const struct paragraph *q)
{
    if (p->n_lines > 2 || q->n_lines <= p->n_lines)
        return;
    p->align = q->align;
    if (p->n_lines == 1) {
        float taller = q->line - p->line;

        p->first += p->left - q->left;
        p->left = q->left;
        p->right = q->right;
        /* Its baseline stays. */
        p->before = fmaxf(p->before - 0.8F * taller, 0);
        p->line = q->line;
        page->end += 0.2F * taller;
    }
}

/* The text that continues begins the page, and blocks above it come after it. */
static void put_first(struct section *section, size_t at)
{
    struct block text = section->blocks.items[at];

    for (; at > 0; at--)
        section->blocks.items[at] = section->blocks.items[at - 1];
    section->blocks.items[0] = text;
}

/* Whether the pages are of one size, with one set of headers and footers, and the first is full. */
static bool may_flow(const struct survey *survey, const struct page *before,
                     const struct page *after)
{
    /* Other headers and footers are another section's. */
    if (after->no_header || after->only_number ||
        (before->number >= 0 && after->number >= 0 && after->number != before->number + 1) ||
        (before->header_set != NO_HEADER_SET && before->header_set != after->header_set))
        return false;
    return fabsf(before->width - after->width) < 0.5F &&
           fabsf(before->height - after->height) < 0.5F &&
           before->end < bottom_of(survey, before) + LOWER * 1.2F * survey->body &&
           before->end > FULL * before->height;
}

/* What is before a chapter ends where it ends, and not where the page is full. */
static bool begins_chapter(const struct survey *survey, const struct paragraph *p)
{
    return p->heading == 1 || (p->heading && p->head.size > LARGE * survey->body);
}

/* Whether something has a fixed place on the page, with text around it. */
static bool has_places(const struct page *page)
{
    for (size_t i = 0; i < page->n_floats; i++)
        if (page->floats[i].figure.picture->area.y1 > page->margins.top + 4 &&
            page->floats[i].figure.picture->area.y0 < page->end - 4)
            return true;
    return false;
}

/* The table that a page ends (or begins) with, but for a line that says that it continues, if that
 * part of the page has one column; or NULL. */
static struct table *outer_table(const struct page *page, bool last)
{
    const struct section *section =
        page->n_sections ? &page->sections[last ? page->n_sections - 1 : 0] : NULL;
    size_t captions = continued_caption_is(page, last);
    struct block *block;

    if (!section || page->plain || section->n_columns > 1 || section->blocks.n == 0)
        return NULL;
    block = &section->blocks.items[last ? section->blocks.n - 1 - captions : captions];
    return block->kind == BLOCK_TABLE ? &block->table : NULL;
}

/* A table that continues: the first page is so full that the next row did not fit on it, and the
 * next one begins with the rest of the table. */
static bool join_tables(const struct survey *survey, struct arena *arena, struct page *before,
                        struct page *after, const struct page_font *fonts, float *lowest)
{
    struct table *table = outer_table(before, true), *next = outer_table(after, false);
    float bottom = fmaxf(bottom_of(survey, before), *lowest), line = 1.2F * survey->body;
    float aside = before->margins.left - after->margins.left;
    size_t repeated;
    bool divided;

    if (!table || !next || !may_flow(survey, before, after) ||
        continued_paragraph_space(&after->sections[0].blocks.items[0]) > 0.6F * line ||
        !continued_table_is(table, next, fonts, aside, &repeated))
        return false;
    divided = continued_row_is(table, next, repeated, aside);
    /* No line of a paragraph stays alone on a page: there can be room for some. */
    if (before->end + continued_table_least(next, repeated) + (divided ? SHORT * line : 0) <
        bottom - 0.6F * line)
        return false;
    if (divided)
        continued_row_join(arena, table, next, repeated);
    continued_caption_remove(before, true);
    continued_caption_remove(after, false);
    continued_table_join(table, outer_table(after, false), after, repeated, divided);
    before->after = after->before = TRANSITION_TABLE;
    *lowest = fmaxf(*lowest, before->end);
    return true;
}

/* Columns with something else below them on their page. LibreOffice does not make the ends of
 * columns equal that began on another page: their breaks say where they end. */
static bool is_upper_part(const struct page *page, const struct section *section)
{
    return section->n_columns > 1 && page->n_sections > 1;
}

static void check_transition(const struct survey *survey, struct arena *arena, struct page *before,
                             struct page *after, float *lowest)
{
    struct section *above = running(before, true), *below = running(after, false);
    struct paragraph *p, *q;
    float bottom = fmaxf(bottom_of(survey, before), *lowest), line = 1.2F * survey->body, end;
    size_t at;

    if (!above || !below || (is_upper_part(after, below) && below->even) ||
        !may_flow(survey, before, after) || !same_columns(before, above, after, below, line) ||
        continued_paragraph_space(&below->blocks.items[0]) > 0.6F * line)
        return;
    p = continued_paragraph_text(above, above->blocks.n - 1);
    at = continued_paragraph_past(below, 0,
                                  below->n_columns > 1 ? below->begins[1] : below->blocks.n);
    q = at < below->blocks.n ? continued_paragraph_text(below, at) : NULL;
    end = above->n_columns > 1 ? above->ends[above->n_columns - 1] : before->end;
    if (p && q && continued_paragraph_is(p, q) && end + SHORT * q->line > bottom) {
        continued_paragraph_join(arena, p, q);
        adopt_right_edge(before, p, q);
        p->tall = p->tall || q->tall;
        put_first(below, at);
        before->after = after->before = TRANSITION_SAME;
    } else if (!(below->n_columns > 1 && has_places(after)) &&
               end + continued_paragraph_least(&below->blocks.items[0]) > bottom + 0.6F * line &&
               (!q || at > 0 ||
                (!begins_chapter(survey, q) && q->head.size > 0.92F * survey->body)) &&
               (!p || p->tail.size > 0.92F * survey->body)) {
        before->after = after->before = TRANSITION_FLOW;
    }
    if (before->after == TRANSITION_BREAK)
        return;
    *lowest = fmaxf(*lowest, before->end);
    column_transition_open(above);
    if (!is_upper_part(after, below))
        column_transition_open(below);
}

int page_transition_find(const struct survey *survey, struct arena *arena,
                         const struct page_font *fonts, struct page *before, struct page *after,
                         float *lowest, struct err *err)
{
    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "a page has too much on it");
    footnotes_join(arena, before, after);
    if (!join_tables(survey, arena, before, after, fonts, lowest))
        check_transition(survey, arena, before, after, lowest);
    return 0;
}

void page_transition_undo(struct page *after)
{
    after->before = TRANSITION_BREAK;
    footnotes_part(after);
    continued_table_part(after);
    continued_caption_part(after);
}
