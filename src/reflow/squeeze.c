#include "reflow/squeeze.h"

#include <math.h>

#define TIGHTEST 1.05F /* sizes: a line's height, or its letters are cut off */

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

static float height_of(const struct block *blocks, size_t n)
{
    float sum = 0;

    for (size_t i = 0; i < n; i++) {
        const struct paragraph *p = &blocks[i].paragraph;

        if (blocks[i].kind == BLOCK_PARAGRAPH)
            sum += p->before + (float) (p->n_lines ? p->n_lines : 1) * p->line;
        else if (blocks[i].kind == BLOCK_FIGURE)
            sum += blocks[i].figure.before + area_height(&blocks[i].figure.picture->area);
    }
    return sum;
}

/* A row is as high as what is in it, if that is higher: white goes first, then some of what is
 * between lines. */
static void squeeze_cell(const struct table *table, struct cell *cell)
{
    float room = 0, much, all = 0, lines = 0, tighter;

    for (size_t i = 0; i < cell->rows; i++)
        room += table->heights[cell->row + i];
    much = height_of(cell->blocks, cell->n_blocks) - room + cell->top.width;
    if (much <= 0)
        return;
    for (size_t i = 0; i < cell->n_blocks; i++) {
        const struct paragraph *p = &cell->blocks[i].paragraph;

        if (cell->blocks[i].kind == BLOCK_TABLE)
            return;
        all += *before_of(&cell->blocks[i]);
        if (cell->blocks[i].kind == BLOCK_PARAGRAPH)
            lines += (float) (p->n_lines ? p->n_lines : 1) * p->line;
    }
    for (size_t i = 0; i < cell->n_blocks && all > 0; i++)
        *before_of(&cell->blocks[i]) *= fmaxf(1 - much / all, 0);
    tighter = lines > 0 ? fmaxf(1 - fmaxf(much - all, 0) / lines, 0) : 1;
    for (size_t i = 0; i < cell->n_blocks; i++)
        if (cell->blocks[i].kind == BLOCK_PARAGRAPH) {
            struct paragraph *p = &cell->blocks[i].paragraph;

            p->line = fminf(p->line, fmaxf(p->line * tighter, TIGHTEST * p->head.size));
        }
}

static void squeeze_tables(struct page *page)
{
    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            struct table *table = &page->sections[i].blocks.items[k].table;

            if (page->sections[i].blocks.items[k].kind != BLOCK_TABLE)
                continue;
            for (size_t c = 0; c < table->n_cells; c++)
                squeeze_cell(table, &table->cells[c]);
        }
}

void squeeze_page(struct page *page, float limit)
{
    float much = page->end - limit, all;

    squeeze_tables(page);
    if (much <= 0)
        return;
    all = white(page, 1);
    if (all <= 0)
        return;
    white(page, fmaxf(1 - much / all, 0));
    page->end -= fminf(much, all);
}
