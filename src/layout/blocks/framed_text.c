#include "layout/blocks/framed_text.h"

#include <limits.h>
#include <math.h>

#define HIGHEST 0.5F /* of the page: what is higher frames the page */
#define WIDEST  31   /* points: Word has no more between a border and text */

/* The words in a box; none if something has another angle, or is next to it and not in another of
 * two columns. */
static struct word_list inside(const struct flow *page, const struct area *box, struct word *words,
                               size_t n)
{
    struct word_list list = { 0 };
    size_t sides[UCHAR_MAX + 1] = { 0 }, others[UCHAR_MAX + 1] = { 0 };

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);
        bool outside = at.x < box->x0 || at.x > box->x1;

        if (words[i].claimed_by || at.y < box->y0 || at.y > box->y1)
            continue;
        if (words[i].rotated)
            return (struct word_list){ 0 };
        (outside ? others : sides)[words[i].side]++;
        if (!outside)
            *ARENA_ADD(page->arena, &list) = &words[i];
    }
    for (size_t i = 0; list.n && i <= UCHAR_MAX; i++)
        if ((sides[i] && sides[i] < list.n) || (others[i] && (i == 0 || sides[i])))
            return (struct word_list){ 0 };
    return list;
}

static bool holds_picture(const struct page_content *content, const struct area *box)
{
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct area *a = &content->pictures[i].area;

        if (a->x0 < box->x1 && a->x1 > box->x0 && a->y0 < box->y1 && a->y1 > box->y0)
            return true;
    }
    return false;
}

/* All have the box's indents, so that the borders go around them as one. */
static bool even_out(const struct flowed_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct paragraph *p = &list->items[i].block.paragraph;

        if (p->list || (list->items[i].n_lines > 1 && fabsf(p->left) > 3))
            return false;
    }
    for (size_t i = 0; i < list->n; i++) {
        struct paragraph *p = &list->items[i].block.paragraph;

        if (list->items[i].n_lines == 1 && p->align == ALIGN_LEFT)
            p->first += p->left;
        p->left = p->right = 0;
    }
    return true;
}

/* The lines of the box are shown by the borders. */
static void claim_lines(struct page_content *content, const struct area *box)
{
    for (size_t i = 0; i < content->n_fills; i++) {
        struct area *a = &content->fills[i].area;

        if (a->x0 > box->x0 - 3 && a->x1 < box->x1 + 3 && a->y0 > box->y0 - 3 &&
            a->y1 < box->y1 + 3)
            claim_fill(&content->fills[i], OWNER_FRAME);
    }
}

static void put_framed(const struct flow *flow, const struct grid *grid, struct flowed_list *list,
                       unsigned char side, struct item_list *items)
{
    const struct area *box = &grid->table.area;
    float above = list->items[0].area.y0 - box->y0;
    float below = box->y1 - list->items[list->n - 1].area.y1;

    above = fminf(fmaxf(above, 1), WIDEST);
    below = fminf(fmaxf(below, 1), WIDEST);
    for (size_t i = 0; i < list->n; i++) {
        struct block *block = ARENA_NEW(flow->arena, struct block);
        struct paragraph *p;

        *block = list->items[i].block;
        block->owner = OWNER_FRAME;
        p = &block->paragraph;
        p->boxed = (struct boxed){ .border = grid->table.cells[0].top,
                                   .side = flow->column.x0 - box->x0,
                                   .above = above,
                                   .below = below,
                                   .first = i == 0,
                                   .last = i + 1 == list->n };
        p->n_lines = list->items[i].n_lines;
        if (grid->table.cells[0].shade != STYLE_PLAIN)
            p->shade = grid->table.cells[0].shade;
        *ARENA_ADD(flow->arena, items) =
            (struct item){ .area = { flow->column.x0, p->area.y0, flow->column.x1, p->area.y1 },
                           .block = block,
                           .side = side };
    }
}

void framed_text_fill(const struct flow *page, struct page_content *content, const struct grid *box,
                      struct word *words, size_t n, struct item_list *items)
{
    const struct area *area = &box->table.area;
    struct flow flow = *page;
    struct word_list list;
    struct flowed_list flowed;
    float pad = 8;

    if (area_height(area) > HIGHEST * content->height || holds_picture(content, area))
        return;
    list = inside(page, area, words, n);
    if (list.n == 0)
        return;
    for (size_t i = 0; i < list.n; i++)
        pad = fminf(pad, fmaxf(list.items[i]->area.x0 - area->x0, 1));
    flow.column = (struct column){ area->x0 + pad, area->x1 - pad };
    flow.in_cell = true;
    flowed = flow_paragraphs(&flow, list.items, list.n, NULL, 0);
    if (flowed.n == 0 || !even_out(&flowed))
        return;
    for (size_t i = 0; i < list.n; i++)
        claim_word(list.items[i], OWNER_FRAME);
    put_framed(&flow, box, &flowed, list.items[0]->side, items);
    claim_lines(content, area);
}

/* The line goes from where it went to where it went, if the text leaves it free to. */
static void fit_line(const struct flow *flow, const struct area *line, struct flowed *item)
{
    struct paragraph *p = &item->block.paragraph;
    float left = line->x0 - flow->column.x0, right = flow->column.x1 - line->x1;

    left = fabsf(left) < 0.7F ? 0 : left;
    right = fabsf(right) < 0.7F ? 0 : right;
    if (item->n_lines > 1 || p->list || p->n_tabs || p->rtl)
        return;
    if (p->align == ALIGN_LEFT)
        p->first += p->left - left;
    if (p->align == ALIGN_LEFT ||
        fabsf((line->x0 + line->x1) - (item->area.x0 + item->area.x1)) < 4) {
        p->left = left;
        p->right = right;
    }
}

static bool is_under(const struct flow *flow, const struct fill *fill, const struct flowed *item)
{
    const struct area *a = &fill->area;
    float gap = a->y0 - item->last, width = flow->column.x1 - flow->column.x0;

    return !fill->claimed_by && fill->color != 0xffffff && area_height(a) < 4 &&
           area_width(a) > 0.5F * width && area_width(a) < 1.1F * width && gap > 0 &&
           gap < 1.4F * item->block.paragraph.line && a->x0 < item->area.x0 + 2 &&
           a->x1 > item->area.x1 - 2;
}

/* The line, and what it was drawn with again. */
static void claim_line(struct page_content *content, const struct area *line)
{
    for (size_t i = 0; i < content->n_fills; i++) {
        const struct area *a = &content->fills[i].area;

        if (a->x0 > line->x0 - 1 && a->x1 < line->x1 + 1 && a->y0 > line->y0 - 1 &&
            a->y1 < line->y1 + 1)
            claim_fill(&content->fills[i], OWNER_TEXT);
    }
}

void framed_text_underline(const struct flow *flow, struct page_content *content,
                           struct flowed_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct flowed *item = &list->items[i];
        struct paragraph *p = &item->block.paragraph;

        for (size_t k = 0; k < content->n_fills && p->boxed.border.width <= 0; k++) {
            struct fill *fill = &content->fills[k];
            float bottom = item->last + 0.2F * p->line;

            if (!is_under(flow, fill, item) ||
                (i + 1 < list->n && fill->area.y1 > list->items[i + 1].base - 0.4F * p->line))
                continue;
            claim_line(content, &fill->area);
            p->boxed = (struct boxed){ .border = { area_height(&fill->area), fill->color },
                                       .below = fminf(fmaxf(fill->area.y0 - bottom, 0), WIDEST),
                                       .last = true,
                                       .under = true };
            fit_line(flow, &fill->area, item);
        }
    }
}
