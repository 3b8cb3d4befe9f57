#include "reflow/squeeze.h"

#include <math.h>

static float *before_of(struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? &block->paragraph.before
           : block->kind == BLOCK_TABLE   ? &block->table.before
                                          : &block->figure.before;
}

/* White between blocks of one column, multiplied by `part`; how much there is. */
static float white(struct page *page, float part)
{
    float sum = 0;

    for (size_t i = 0; i < page->n_sections; i++) {
        struct section *section = &page->sections[i];

        section->before *= part;
        sum += section->before;
        for (size_t k = 0; section->n_columns == 1 && k < section->blocks.n; k++) {
            float *before = before_of(&section->blocks.items[k]);

            *before *= part;
            sum += *before;
        }
    }
    return sum;
}

void squeeze_page(struct page *page, float limit)
{
    float much = page->end - limit, all;

    if (much <= 0)
        return;
    all = white(page, 1);
    if (all <= 0)
        return;
    white(page, fmaxf(1 - much / all, 0));
    page->end -= fminf(much, all);
}
