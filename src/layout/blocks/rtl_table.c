#include "layout/blocks/rtl_table.h"

#include <ctype.h>

#include "layout/page/words.h"

/* The bytes of letters, by direction. Digits and signs are read in both. */
struct letters {
    size_t rtl, ltr;
};

static void count_run(const struct run *run, struct letters *letters)
{
    for (size_t i = 0; i < run->len; i++) {
        unsigned char c = (unsigned char) run->text[i];

        if (c >= 0x80 || isalpha(c))
            *(run->style.rtl ? &letters->rtl : &letters->ltr) += 1;
    }
}

static void count_blocks(const struct block *blocks, size_t n, struct letters *letters)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; blocks[i].kind == BLOCK_PARAGRAPH && k < blocks[i].paragraph.n_runs; k++)
            count_run(&blocks[i].paragraph.runs[k], letters);
}

bool rtl_table_is(const struct table *table)
{
    struct letters letters = { 0 };

    for (size_t i = 0; i < table->n_cells; i++)
        count_blocks(table->cells[i].blocks, table->cells[i].n_blocks, &letters);
    return letters.rtl > letters.ltr;
}

static void swap_floats(float *a, float *b)
{
    float was = *a;

    *a = *b;
    *b = was;
}

static void order(struct table *table)
{
    for (size_t a = 0, b = table->n_columns; a + 1 < b; a++, b--)
        swap_floats(&table->widths[a], &table->widths[b - 1]);
    for (size_t i = 0; i < table->n_cells; i++) {
        struct cell *cell = &table->cells[i];

        cell->column = table->n_columns - cell->column - cell->columns;
    }
    /* The cells of a row stay in the order of their columns. */
    for (size_t from = 0, to; from < table->n_cells; from = to) {
        for (to = from; to < table->n_cells && table->cells[to].row == table->cells[from].row; to++)
            ;
        for (size_t a = from, b = to; a + 1 < b; a++, b--) {
            struct cell was = table->cells[a];

            table->cells[a] = table->cells[b - 1];
            table->cells[b - 1] = was;
        }
    }
}

static void order_blocks(struct block *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct table *table = &blocks[i].table;

        if (blocks[i].kind != BLOCK_TABLE)
            continue;
        if (table->rtl)
            order(table);
        for (size_t k = 0; k < table->n_cells; k++)
            order_blocks(table->cells[k].blocks, table->cells[k].n_blocks);
    }
}

void rtl_table_order(struct page *page)
{
    for (size_t i = 0; i < page->n_sections; i++)
        order_blocks(page->sections[i].blocks.items, page->sections[i].blocks.n);
}
