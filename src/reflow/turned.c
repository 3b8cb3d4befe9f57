#include "reflow/turned.h"

#include <math.h>

#include "reflow/spans.h"

/* The words of a line that is not upright, from the i-th on. */
static struct word_list line_from(const struct flow *flow, struct word *words, size_t n, size_t i)
{
    struct word_list list = { 0 };
    float base = words[i].base;

    for (size_t k = i; k < n && words[k].turned; k++) {
        if (k > i && words[k].glyphs->flags & GLYPH_FIRST)
            break;
        words[k].used = true;
        words[k].base = base;
        *ARENA_ADD(flow->arena, &list) = &words[k];
    }
    return list;
}

static void measure_turned(const struct word_list *words, struct turned *turned)
{
    const struct glyph *from = words->items[0]->glyphs;
    const struct word *last = words->items[words->n - 1];
    const struct glyph *to = &last->glyphs[last->n_glyphs - 1];
    float dx = to->x - from->x, dy = to->base - from->base, size = from->size;
    float angle = hypotf(dx, dy) > 1 ? atan2f(dy, dx) : -(float) M_PI_2;

    turned->width = hypotf(dx, dy) + size * 1.5F;
    turned->height = size * 1.4F;
    /* The middle of the letters is above the baseline. */
    turned->x = (from->x + to->x) / 2 + cosf(angle) * 0.3F * size + sinf(angle) * 0.3F * size;
    turned->y = (from->base + to->base) / 2 + sinf(angle) * 0.3F * size - cosf(angle) * 0.3F * size;
    turned->angle = angle * 180 / (float) M_PI;
    turned->paragraph.line = size * 1.17F;
    turned->paragraph.shade = STYLE_PLAIN;
    turned->paragraph.align = ALIGN_CENTER;
}

/* Text that is not upright stands in boxes of its own. */
void turned_add(const struct flow *flow, struct word *words, size_t n, struct page *page)
{

    page->turned = ARENA_ARRAY(flow->arena, struct turned, n);
    for (size_t i = 0; i < n; i++) {
        struct line line = { .size = words[i].size, .base = words[i].base };
        struct turned *turned;

        if (!words[i].turned || words[i].used)
            continue;
        turned = &page->turned[page->n_turned++];
        line.words = line_from(flow, words, n, i);
        measure_turned(&line.words, turned);
        for (size_t k = 1; k < line.words.n; k++)
            line.words.items[k]->space = true;
        spans_make(flow, &line, 1, 0, &turned->paragraph);
    }
}

/* Every word in the order of the file, a paragraph for each line the engine saw. */
void turned_add_plain(const struct flow *flow, struct word *words, size_t n,
                      struct section *section)
{

    section->n_columns = 1;
    for (size_t i = 0; i < n; i++) {
        struct line line = { .size = words[i].size, .base = words[i].base };
        struct block *block;

        if (words[i].used)
            continue;
        words[i].turned = true;
        for (size_t k = i + 1; k < n; k++)
            words[k].turned = true;
        line.words = line_from(flow, words, n, i);
        block = ARENA_ADD(flow->arena, &section->blocks);
        *block = (struct block){ .kind = BLOCK_PARAGRAPH };
        block->paragraph.line = fminf(words[i].size, 12) * 1.17F;
        block->paragraph.shade = STYLE_PLAIN;
        spans_make(flow, &line, 1, 0, &block->paragraph);
    }
}
