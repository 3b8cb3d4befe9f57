#include "layout/continuation/footnotes.h"

#include <math.h>
#include <string.h>

#include "layout/continuation/references.h"
#include "layout/page/words.h"

#define RULE 2 /* points: it is as near */

/* The last section, if there is one column in it. */
static struct section *last_section(struct page *page)
{
    struct section *section = page->n_sections ? &page->sections[page->n_sections - 1] : NULL;

    return section && section->n_columns == 1 && !page->plain ? section : NULL;
}

/* The last block of the section, if it is a paragraph. */
static struct paragraph *last_paragraph(const struct section *section)
{
    struct block *last = section->blocks.n ? &section->blocks.items[section->blocks.n - 1] : NULL;

    return last && last->kind == BLOCK_PARAGRAPH ? &last->paragraph : NULL;
}

/* The separator line above text that was moved: it was drawn as a picture, or is a border. */
static void drop_rule(struct page *page, const struct section *section)
{
    const struct area *rule = &page->notes.rest_rule;
    struct paragraph *above = last_paragraph(section);

    page->notes.rest_boxed = (struct boxed){ 0 };
    if (above && above->boxed.under) {
        page->notes.rest_boxed = above->boxed;
        above->boxed = (struct boxed){ 0 };
    }
    for (size_t i = 0; i < page->n_floats && area_width(rule) > 0; i++) {
        const struct area *area = &page->floats[i].figure.picture->area;

        if (area_height(area) < 3 * RULE && fabsf(area->y0 - rule->y0) < 3 &&
            fabsf(area->x0 - rule->x0) < 3 && fabsf(area->x1 - rule->x1) < 3) {
            page->notes.rest_float = page->floats[i];
            page->notes.float_at = i;
            page->notes.floated = true;
            memmove(page->floats + i, page->floats + i + 1,
                    (page->n_floats - i - 1) * sizeof *page->floats);
            page->n_floats--;
            return;
        }
    }
}

static void put_rule_back(struct page *page, const struct section *section)
{
    struct paragraph *above = last_paragraph(section);
    size_t at = page->notes.float_at;

    if (above && page->notes.rest_boxed.under)
        above->boxed = page->notes.rest_boxed;
    if (!page->notes.floated)
        return;
    memmove(page->floats + at + 1, page->floats + at, (page->n_floats - at) * sizeof *page->floats);
    page->floats[at] = page->notes.rest_float;
    page->n_floats++;
    page->notes.floated = false;
}

/* The marks in the page's text that have no footnote yet, after those that have. */
static void find_open(struct references *references, const struct page *page)
{
    for (size_t i = 0; i < page->n_sections; i++)
        references_add(references, page->sections[i].blocks.items, page->sections[i].blocks.n);
    references_pass(references);
}

/* The paragraph goes to the page before: as a note whose mark is there, or on with its last one. */
static bool join_one(struct references *references, struct page *page, struct paragraph *p,
                     bool ruled)
{
    const struct mark none = { 0 };
    struct mark mark;
    struct reference *reference = references_find(references, references->next, p, &none, &mark);

    if (reference && (ruled || references_is_raised(p))) {
        if (page->notes.first == 0)
            page->notes.first = mark.number;
        page->notes.last = references_note(references, reference, p, &mark);
    } else if (references_footnote_goes_on(page->notes.last, p, ruled)) {
        references_add_footnote(references->arena, page->notes.last, p);
    } else {
        return false;
    }
    return true;
}

void footnotes_join(struct arena *arena, struct page *before, struct page *after)
{
    struct references references = { .arena = arena };
    struct section *section = last_section(after);
    size_t n = after->notes.n_rest, taken = 0;
    struct block *rest;

    if (!section || n == 0 || n > section->blocks.n || before->plain)
        return;
    find_open(&references, before);
    rest = section->blocks.items + section->blocks.n - n;
    while (taken < n) {
        /* The note's paragraph is another one from here on: this is to be put back. */
        struct paragraph p = rest[taken].paragraph;

        if (taken == 0)
            p.before = before->notes.last ? before->notes.last->paragraphs[0].before : 0;

        if (!join_one(&references, before, &p, after->notes.rest_ruled))
            break;
        words_set_elsewhere(after, &rest[taken++].paragraph.area, 1, true);
    }
    if (taken == 0)
        return;
    after->notes.moved = ARENA_ARRAY(arena, struct block, taken);
    after->notes.n_moved = taken;
    memcpy(after->notes.moved, rest, taken * sizeof *rest);
    memmove(rest, rest + taken, (n - taken) * sizeof *rest);
    section->blocks.n -= taken;
    drop_rule(after, section);
}

void footnotes_part(struct page *after)
{
    struct section *section = last_section(after);
    size_t n = after->notes.n_moved, left = after->notes.n_rest - n;
    struct block *rest;

    if (n == 0)
        return;
    put_rule_back(after, section);
    rest = section->blocks.items + section->blocks.n - left;
    memmove(rest + n, rest, left * sizeof *rest);
    memcpy(rest, after->notes.moved, n * sizeof *rest);
    section->blocks.n += n;
    for (size_t i = 0; i < n; i++)
        words_set_elsewhere(after, &rest[i].paragraph.area, 1, false);
    after->notes.n_moved = 0;
}
