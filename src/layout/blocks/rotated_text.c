#include "layout/blocks/rotated_text.h"

#include <math.h>

#include "layout/blocks/drawings.h"
#include "layout/page/areas.h"
#include "layout/paragraph/spans.h"

#define DRAWING 45.0F /* points: a drawing is at least as high and wide */
#define PARTS   20.0F /* points between parts of a drawing, as gridlines are */
#define AWAY    7.0F  /* sizes between a drawing and its title: numbers are between them */

bool rotated_text_is_quarter(const struct word *word)
{
    return fabsf(fabsf(word->glyphs->angle) - (float) M_PI_2) < 0.03F;
}

/* What follows each other in the file: at one angle, or, as letters along an arc, each at its own.
 */
struct group {
    struct word_list words;
    bool arc;
};

static bool same_angle(const struct word *a, const struct word *b)
{
    return fabsf(a->glyphs->angle - b->glyphs->angle) < 0.02F;
}

static bool is_near(const struct word *a, const struct word *b)
{
    struct place p = words_middle(a), q = words_middle(b);

    return hypotf(p.x - q.x, p.y - q.y) < 10 * a->size;
}

static struct group group_from(const struct flow *flow, struct word *words, size_t n, size_t i)
{
    struct group group = { 0 };
    struct word *before = &words[i];

    for (size_t k = i; k < n; k++) {
        struct word *word = &words[k];

        if (!word->rotated || word->claimed_by)
            continue;
        if (k > i && !group.arc && !same_angle(before, word)) {
            if (group.words.n > 1 || before->n_glyphs > 2 || word->n_glyphs > 2 ||
                !is_near(before, word))
                break;
            group.arc = true;
        }
        if (group.arc && (word->n_glyphs > 2 || !is_near(before, word)))
            break;
        claim_word(word, OWNER_ROTATED);
        *ARENA_ADD(flow->arena, &group.words) = word;
        before = word;
    }
    return group;
}

/* Letters along an arc: a line of words in the order of the file. */
static struct flowed_list flow_arc(const struct flow *flow, const struct group *group)
{
    struct flowed_list list = { 0 };
    struct flowed *flowed = ARENA_ADD(flow->arena, &list);
    struct word *first = group->words.items[0];
    struct line line = { .words = group->words, .size = first->size, .base = first->base };
    struct flow plain = *flow;
    struct paragraph *p = &flowed->block.paragraph;

    plain.plain = true;
    line.area = first->area;
    *flowed = (struct flowed){ .area = first->area, .n_lines = 1 };
    flowed->block = (struct block){ .kind = BLOCK_PARAGRAPH };
    for (size_t i = 0; i < group->words.n; i++)
        group->words.items[i]->base = line.base;
    p->line = line.size * 1.17F;
    p->shade = STYLE_PLAIN;
    spans_make(&plain, &line, 1, 0, p);
    return list;
}

static struct flowed_list flow_group(const struct flow *flow, const struct group *group)
{
    struct flow own = *flow;

    if (group->arc)
        return flow_arc(flow, group);
    own.in_cell = true;
    own.column = (struct column){ group->words.items[0]->area.x0, group->words.items[0]->area.x1 };
    for (size_t i = 1; i < group->words.n; i++) {
        own.column.x0 = fminf(own.column.x0, group->words.items[i]->area.x0);
        own.column.x1 = fmaxf(own.column.x1, group->words.items[i]->area.x1);
    }
    return flow_paragraphs(&own, group->words.items, group->words.n, NULL, 0);
}

/* What the words take of the page. */
static struct area area_of(const struct word_list *words)
{
    struct place at = words_middle(words->items[0]);
    struct area area = { at.x, at.y, at.x, at.y };

    for (size_t i = 0; i < words->n; i++) {
        float half = words->items[i]->size / 2;

        at = words_middle(words->items[i]);
        area_join(&area, &(struct area){ at.x - half, at.y - half, at.x + half, at.y + half });
    }
    return area;
}

static struct text_box box_of(const struct flowed *flowed, float angle)
{
    const struct area *a = &flowed->area;
    float along = (a->x0 + a->x1) / 2, across = (a->y0 + a->y1) / 2;
    struct text_box box = { .paragraph = flowed->block.paragraph,
                            .owner = OWNER_ROTATED,
                            .x = along * cosf(angle) - across * sinf(angle),
                            .y = along * sinf(angle) + across * cosf(angle),
                            .width = area_width(a) + flowed->block.paragraph.line,
                            .height = area_height(a) + 0.3F * flowed->block.paragraph.line,
                            .angle = angle * 180 / (float) M_PI };

    box.paragraph.left = box.paragraph.right = box.paragraph.before = 0;
    box.paragraph.align = ALIGN_CENTER;
    return box;
}

/* All that is drawn on a page, and its pictures. */
struct drawings {
    struct area *areas;
    size_t n;
};

static struct drawings drawings_of(const struct flow *flow)
{
    const struct page_content *content = flow->content;
    struct drawing found[PAGE_DRAWINGS];
    struct drawings drawings = { 0 };
    size_t n = drawings_find(flow->arena, content, found);

    drawings.areas = ARENA_ARRAY(flow->arena, struct area, n + content->n_pictures);
    for (size_t i = 0; i < n; i++)
        drawings.areas[i] = found[i].area;
    drawings.n = areas_cluster(drawings.areas, n, PARTS);
    for (size_t i = 0; i < content->n_pictures; i++)
        drawings.areas[drawings.n++] = content->pictures[i].area;
    return drawings;
}

/* Whether text is next to a drawing, as the title of an axis is, or in it. */
static bool is_near_drawing(const struct drawings *drawings, const struct area *area, float size)
{
    float middle = (area->y0 + area->y1) / 2;

    for (size_t i = 0; i < drawings->n; i++) {
        const struct area *a = &drawings->areas[i];

        if (area_width(a) >= DRAWING && area_height(a) >= DRAWING && middle > a->y0 &&
            middle < a->y1 && areas_near(a, area, AWAY * size))
            return true;
    }
    return false;
}

/* A line up or down in the margin, as of a stamp, has its place there. */
static void add_boxes(struct page *page, const struct flowed_list *list, float angle)
{
    for (size_t k = 0; k < list->n; k++)
        page->text_boxes[page->n_text_boxes++] = box_of(&list->items[k], angle);
}

void rotated_text_add(const struct flow *flow, struct word *words, size_t n, struct page *page,
                      struct item_list *items, struct block_list *aside)
{
    struct drawings drawings = { 0 };

    if (!page->text_boxes)
        page->text_boxes = ARENA_ARRAY(flow->arena, struct text_box, n);
    for (size_t i = 0; i < n; i++) {
        bool margin;
        struct group group;
        struct flowed_list list;
        struct area area;

        if (!words[i].rotated || words[i].claimed_by)
            continue;
        group = group_from(flow, words, n, i);
        area = area_of(&group.words);
        list = flow_group(flow, &group);
        margin = area.x1 < flow->column.x0 + 4 || area.x0 > flow->column.x1 - 4;
        if (!group.arc && rotated_text_is_quarter(&words[i]) && !drawings.areas)
            drawings = drawings_of(flow);
        if (!group.arc && rotated_text_is_quarter(&words[i]) &&
            (margin || is_near_drawing(&drawings, &area, words[i].size))) {
            add_boxes(page, &list, words[i].glyphs->angle);
            continue;
        }
        for (size_t k = 0; k < list.n; k++) {
            struct block *block = ARENA_NEW(flow->arena, struct block);

            *block = list.items[k].block;
            block->owner = OWNER_ROTATED;
            block->paragraph.tabs = NULL;
            block->paragraph.n_tabs = 0;
            block->paragraph.left = block->paragraph.right = block->paragraph.first = 0;
            block->paragraph.line = fminf(block->paragraph.line, group.arc ? 8 : 30);
            block->paragraph.align = ALIGN_LEFT;
            if (group.arc || margin)
                *ARENA_ADD(flow->arena, aside) = *block;
            else
                *ARENA_ADD(flow->arena, items) = (struct item){ .area = area, .block = block };
        }
    }
}

void rotated_text_add_boxes(const struct flow *flow, struct word *words, size_t n,
                            struct page *page)
{
    page->text_boxes = ARENA_ARRAY(flow->arena, struct text_box, n);
    for (size_t i = 0; i < n; i++) {
        struct group group;
        struct flowed_list list;

        if (!words[i].rotated || words[i].claimed_by)
            continue;
        group = group_from(flow, words, n, i);
        list = flow_group(flow, &group);
        add_boxes(page, &list, words[i].glyphs->angle);
    }
}

void rotated_text_add_plain(const struct flow *flow, struct word *words, size_t n,
                            struct section *section)
{
    struct flow plain = *flow;

    plain.plain = true;
    section->n_columns = 1;
    for (size_t i = 0; i < n;) {
        struct line line = { .size = words[i].size, .base = words[i].base };
        struct block *block = ARENA_ADD(flow->arena, &section->blocks);

        do {
            words[i].base = line.base;
            claim_word(&words[i], OWNER_PLAIN);
            *ARENA_ADD(flow->arena, &line.words) = &words[i++];
        } while (i < n && !(words[i].glyphs->flags & GLYPH_FIRST));
        line.area = line.words.items[0]->area;
        *block = (struct block){ .kind = BLOCK_PARAGRAPH, .owner = OWNER_PLAIN };
        block->paragraph.line = fminf(line.size, 12) * 1.17F;
        block->paragraph.shade = STYLE_PLAIN;
        spans_make(&plain, &line, 1, 0, &block->paragraph);
    }
}
