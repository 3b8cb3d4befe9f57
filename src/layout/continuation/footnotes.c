#include "layout/continuation/footnotes.h"

#include <math.h>

#include "layout/continuation/column_transition.h"
#include "layout/continuation/references.h"

#define SMALL      0.93F /* of the size of the text: notes are smaller */
#define RULE       2     /* points: limit of the thickness of the separator line */
#define RULE_LEAST 18    /* points: nor shorter */

struct moving {
    const struct survey *survey;
    struct arena *arena;
    struct page_content *content;
    struct page *page;
    struct references references;
    /* What is to leave the text when all is found: references are to paragraphs in their places. */
    struct {
        size_t first, end;
    } out[MODEL_COLUMNS];
    size_t n_out;
};

/* A column's end, from the first small paragraph on. */
struct foot {
    struct section *section;
    size_t column, first, end; /* blocks */
    bool ruled;
};

static bool is_small(const struct survey *survey, const struct block *block)
{
    const struct paragraph *p = &block->paragraph;
    float most = SMALL * survey->body;

    return block->kind == BLOCK_PARAGRAPH && p->n_runs > 0 && !p->heading && !p->list && !p->rtl &&
           p->boxed.border.width <= 0 && p->shade == STYLE_PLAIN && p->head.size < most &&
           p->tail.size < most;
}

static size_t column_end(const struct section *section, size_t column)
{
    return column + 1 < section->n_columns ? section->begins[column + 1] : section->blocks.n;
}

static struct foot find_foot(const struct moving *t, struct section *section, size_t column)
{
    struct foot foot = { .section = section, .column = column };

    foot.end = foot.first = column_end(section, column);
    while (foot.first > section->begins[column] &&
           is_small(t->survey, &section->blocks.items[foot.first - 1]))
        foot.first--;
    return foot;
}

/* The first paragraph that begins with a mark, or the last. */
static const struct paragraph *first_marked(const struct foot *foot)
{
    size_t i = foot->first;
    struct mark mark;

    while (i + 1 < foot->end &&
           !references_find_mark(&foot->section->blocks.items[i].paragraph, &mark))
        i++;
    return &foot->section->blocks.items[i].paragraph;
}

/* A thin line between the text and the notes. */
static struct fill *find_rule(const struct moving *t, const struct foot *foot)
{
    const struct block *blocks = foot->section->blocks.items;
    const struct column *column = &foot->section->columns[foot->column];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are blocks in a foot. */
    float bottom = first_marked(foot)->area.y0, top = blocks[foot->first].paragraph.area.y0 - 40;

    if (foot->first > foot->section->begins[foot->column] &&
        blocks[foot->first - 1].kind == BLOCK_PARAGRAPH)
        top = blocks[foot->first - 1].paragraph.area.y1;
    for (size_t i = 0; i < t->content->n_fills; i++) {
        struct fill *fill = &t->content->fills[i];
        const struct area *area = &fill->area;

        if (!fill->claimed_by && area_height(area) <= RULE && area_width(area) >= RULE_LEAST &&
            area->y0 > top - 4 && area->y1 < bottom + 4 && area->x0 > column->x0 - 6 &&
            area->x1 < column->x1 + 6)
            return fill;
    }
    return NULL;
}

/* One that is alone may be a footer with the number of the page. */
static bool looks_like_note(const struct paragraph *p, const struct mark *mark)
{
    return p->n_lines > 1 || mark->text[mark->n] == '\t';
}

/* Whether there are notes and each has its mark in the text, one after the other. What begins with
 * a number on the line may be no note, but another paragraph of one. */
static bool are_notes(const struct moving *t, const struct foot *foot)
{
    size_t at = t->references.next, n = 0;
    struct mark mark, last = { 0 };
    bool sure = foot->ruled;

    for (size_t i = foot->first; i < foot->end; i++) {
        const struct paragraph *p = &foot->section->blocks.items[i].paragraph;
        const struct reference *reference = references_find(&t->references, at, p, &last, &mark);

        /* The first may have its mark on the page before. */
        if (!reference && references_is_raised(p) && n > 0)
            return false;
        if (!reference)
            continue;
        sure |=
            references_is_raised(p) || n > 0 || (reference->likely && looks_like_note(p, &mark));
        at = (size_t) (reference - t->references.items) + 1;
        last = mark;
        n++;
    }
    return n > 0 && sure;
}

static void find_notes(struct moving *t, const struct foot *foot)
{
    struct block *blocks = foot->section->blocks.items;
    struct footnote *note = t->page->notes.last; /* of the column before */
    struct mark mark, last = { 0 };
    size_t first = foot->first;

    while (!references_find(&t->references, t->references.next, &blocks[first].paragraph, &last,
                            &mark))
        first++;
    t->page->notes.gap = blocks[foot->first].paragraph.before;
    blocks[foot->first].paragraph.before = 0;
    if (first > foot->first &&
        references_footnote_goes_on(note, &blocks[foot->first].paragraph, foot->ruled))
        first = foot->first;
    else
        t->page->notes.n_rest = first - foot->first;
    for (size_t i = first; i < foot->end; i++) {
        struct paragraph *p = &blocks[i].paragraph;
        struct reference *reference =
            references_find(&t->references, t->references.next, p, &last, &mark);

        if (reference) {
            last = mark;
            if (t->page->notes.first == 0)
                t->page->notes.first = mark.number;
            note = references_note(&t->references, reference, p, &mark);
        } else {
            references_add_footnote(t->arena, note, p);
        }
    }
    t->page->notes.last = note;
    t->out[t->n_out].first = first;
    t->out[t->n_out++].end = foot->end;
}

/* It may have been drawn as an area and as the line around that. */
static void use_rule(struct page_content *content, struct area rule)
{
    for (size_t i = 0; i < content->n_fills; i++) {
        struct fill *fill = &content->fills[i];

        if (area_height(&fill->area) <= RULE && fabsf(fill->area.y0 - rule.y0) <= RULE &&
            fill->area.x0 > rule.x0 - RULE && fill->area.x1 < rule.x1 + RULE)
            claim_fill(fill, OWNER_TEXT);
    }
}

/* Text above the separator line is not a footnote. */
static void begin_below(struct foot *foot, const struct area *rule)
{
    while (foot->first + 1 < foot->end &&
           foot->section->blocks.items[foot->first].paragraph.area.y0 < rule->y0 - 4)
        foot->first++;
}

static void look_at_foot(struct moving *t, struct foot *foot)
{
    struct block *above = foot->first > foot->section->begins[foot->column]
                              ? &foot->section->blocks.items[foot->first - 1]
                              : NULL;
    bool under = above && above->kind == BLOCK_PARAGRAPH && above->paragraph.boxed.under;
    struct fill *rule = under ? NULL : find_rule(t, foot);

    if (rule)
        begin_below(foot, &rule->area);
    foot->ruled = rule || under;
    if (are_notes(t, foot)) {
        find_notes(t, foot);
        if (rule)
            use_rule(t->content, rule->area);
        if (under)
            above->paragraph.boxed = (struct boxed){ 0 };
        t->page->notes.ruled |= foot->ruled;
    } else if (rule) {
        t->page->notes.n_rest = foot->end - foot->first;
        t->page->notes.rest_rule = rule->area;
    }
    t->page->notes.rest_ruled = foot->ruled;
}

void footnotes_find(const struct survey *survey, struct arena *arena, struct page_content *content,
                    struct page *page)
{
    struct moving t = { .survey = survey,
                        .arena = arena,
                        .content = content,
                        .page = page,
                        .references = { .arena = arena } };
    struct section *last = page->n_sections ? &page->sections[page->n_sections - 1] : NULL;

    if (!last)
        return;
    for (size_t i = 0; i < page->n_sections; i++) {
        struct section *section = &page->sections[i];

        for (size_t k = 0; k < section->n_columns; k++) {
            size_t end = section == last ? find_foot(&t, last, k).first : column_end(section, k);

            if (end > section->begins[k])
                references_add(&t.references, section->blocks.items + section->begins[k],
                               end - section->begins[k]);
        }
    }
    for (size_t k = 0; k < last->n_columns; k++) {
        struct foot foot = find_foot(&t, last, k);

        if (foot.first < foot.end)
            look_at_foot(&t, &foot);
    }
    while (t.n_out-- > 0)
        column_transition_remove(last, t.out[t.n_out].first, t.out[t.n_out].end);
    /* Over the end of a page where columns go on is not looked. */
    if (last->n_columns > 1)
        page->notes.n_rest = 0;
}
