#include "layout/blocks/margin_notes.h"

#include <math.h>

#define APART 4     /* points from the text */
#define GAP   0.85F /* sizes of a line: wider ones part it */
#define LINES 6     /* at most: more can be the numbers of the lines of the text */

/* The pieces of lines that stand in the outer margin, which is the wider one. None, if something
 * goes from the text into it: this page then has another margin, which is not known. */
static struct line_list find_in_margin(const struct flow *page, struct word *words, size_t n,
                                       bool left)
{
    struct word **list = ARENA_ARRAY(page->arena, struct word *, n);
    struct line_list lines, found = { 0 };
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!words[i].claimed_by && !words[i].rotated)
            list[kept++] = &words[i];
    lines = words_make_lines(page->arena, page->content, list, kept, true);
    lines = words_cut_lines(page->arena, page->content, &lines, GAP, false);
    for (size_t i = 0; i < lines.n; i++) {
        const struct area *a = &lines.items[i].area;
        float near = left ? page->column.x0 - a->x1 : a->x0 - page->column.x1;
        float far = left ? page->column.x0 - a->x0 : a->x1 - page->column.x1;

        if (near > APART)
            *ARENA_ADD(page->arena, &found) = lines.items[i];
        else if (far > APART)
            return (struct line_list){ 0 };
    }
    return found;
}

static struct text_box box_of(const struct flowed *flowed, bool left)
{
    const struct area *a = &flowed->area;
    float width = area_width(a) + flowed->block.paragraph.line;
    struct text_box box = { .paragraph = flowed->block.paragraph,
                            .owner = OWNER_MARGIN_NOTE,
                            .x = left ? a->x0 + width / 2 : a->x1 - width / 2,
                            .y = (a->y0 + a->y1) / 2,
                            .width = width,
                            .height = area_height(a) + 0.3F * flowed->block.paragraph.line };

    box.paragraph.left = box.paragraph.right = box.paragraph.before = box.paragraph.first = 0;
    box.paragraph.align = left ? ALIGN_LEFT : ALIGN_RIGHT;
    return box;
}

static void put_margin_line(const struct flow *page, const struct line *line, bool left,
                            struct page *to)
{
    struct flow flow = *page;
    struct flowed_list list;

    flow.column = (struct column){ line->area.x0, line->area.x1 };
    flow.in_cell = true;
    list = flow_paragraphs(&flow, line->words.items, line->words.n, NULL, 0);
    for (size_t i = 0; i < list.n; i++)
        to->text_boxes[to->n_text_boxes++] = box_of(&list.items[i], left);
    for (size_t i = 0; i < line->words.n; i++)
        claim_word(line->words.items[i], OWNER_MARGIN_NOTE);
}

void margin_notes_add(const struct flow *page, struct word *words, size_t n, struct page *to)
{
    bool left = to->margins.left > to->margins.right;
    struct line_list lines;

    if (!page->survey->mirrored)
        return;
    lines = find_in_margin(page, words, n, left);
    if (lines.n == 0 || lines.n > LINES)
        return;
    to->text_boxes = ARENA_ARRAY(page->arena, struct text_box, n);
    for (size_t i = 0; i < lines.n; i++)
        put_margin_line(page, &lines.items[i], left, to);
}
