/* Tables that are read from right to left. */
#include "layout/blocks/rtl_table.h"
#include "tap.h"

#define COLUMNS 3

/* Two rows: a cell that spans two columns and one more, and three cells. */
struct example {
    struct run runs[5];
    struct block blocks[5];
    struct cell cells[5];
    float widths[COLUMNS];
    struct block table;
    struct page page;
    struct section section;
};

static void make(struct example *e, const char *texts[5], const bool rtl[5])
{
    static const size_t rows[] = { 0, 0, 1, 1, 1 }, columns[] = { 0, 2, 0, 1, 2 };

    *e = (struct example){ .widths = { 10, 20, 30 } };
    for (size_t i = 0; i < 5; i++) {
        e->runs[i] = (struct run){ .text = (char *) (uintptr_t) texts[i],
                                   .len = strlen(texts[i]),
                                   .style.rtl = rtl[i] };
        e->blocks[i].paragraph = (struct paragraph){ .runs = &e->runs[i], .n_runs = 1 };
        e->cells[i] = (struct cell){ .row = rows[i],
                                     .column = columns[i],
                                     .columns = i == 0 ? 2 : 1,
                                     .rows = 1,
                                     .blocks = &e->blocks[i],
                                     .n_blocks = 1 };
    }
    e->table.kind = BLOCK_TABLE;
    e->table.table = (struct table){
        .widths = e->widths, .n_columns = COLUMNS, .n_rows = 2, .cells = e->cells, .n_cells = 5
    };
    e->section.blocks = (struct block_list){ .items = &e->table, .n = 1 };
    e->page.sections = &e->section;
    e->page.n_sections = 1;
}

static const char *text_of(const struct cell *cell)
{
    return cell->blocks[0].paragraph.runs[0].text;
}

int main(void)
{
    const char *hebrew[] = { "\xd7\x90\xd7\x91", "\xd7\x92", "1", "x", "\xd7\x93\xd7\x94" };
    const bool mostly[] = { true, true, false, false, true };
    const char *digits[] = { "1", "2", "3", "4", "5" };
    const bool none[5] = { false };
    struct example e;
    struct table *table = &e.table.table;

    make(&e, digits, none);
    ok(!rtl_table_is(table), "a table of digits alone is read from left to right");
    make(&e, hebrew, mostly);
    ok(rtl_table_is(table), "a table with more Hebrew than Latin letters is read from the right");

    rtl_table_order(&e.page);
    is_int(table->cells[0].column, 0, "columns keep their order without table.rtl");
    table->rtl = true;
    rtl_table_order(&e.page);
    ok(table->widths[0] == 30 && table->widths[1] == 20 && table->widths[2] == 10,
       "with table.rtl the widths are in the order of reading");
    is_str(text_of(&table->cells[0]), hebrew[1], "the first cell of a row is the rightmost one");
    is_int(table->cells[0].column, 0, "the rightmost cell is in column 0");
    is_str(text_of(&table->cells[1]), hebrew[0], "the second cell is the one on its left");
    is_int(table->cells[1].column, 1, "a cell that spans two columns begins at the right one");
    is_int(table->cells[2].row, 1, "cells stay in their rows");
    is_str(text_of(&table->cells[2]), hebrew[4], "the second row is in the order of reading");
    is_str(text_of(&table->cells[4]), hebrew[2], "the last cell of a row is the leftmost one");
    return done_testing();
}
