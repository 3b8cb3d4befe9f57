#include "layout/tables/table_head.h"

#include <string.h>

struct row_look {
    size_t cells;        /* with text */
    size_t bold, shaded; /* of them */
    size_t numbers;      /* cells of numbers, without the first column */
    size_t columns;      /* cells with text, without the first column */
    bool spans_rows;     /* a cell of the row goes on in the next one */
};

/* Most of its characters are digits. */
static bool is_number(const struct run *runs, size_t n)
{
    size_t digits = 0, others = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < runs[i].len; k++) {
            char c = runs[i].text[k];

            digits += c >= '0' && c <= '9';
            others += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char) c >= 0xc0;
        }
    return digits > others;
}

static void look_at_cell(const struct cell *cell, const struct page_font *fonts,
                         struct row_look *look)
{
    bool bold = true, text = false, number = true;

    for (size_t i = 0; i < cell->n_blocks; i++) {
        const struct paragraph *p = &cell->blocks[i].paragraph;

        if (cell->blocks[i].kind != BLOCK_PARAGRAPH)
            continue;
        for (size_t k = 0; k < p->n_runs; k++) {
            text = text || strspn(p->runs[k].text, " \t") < p->runs[k].len;
            bold = bold && fonts[p->runs[k].style.font].bold;
        }
        number = number && is_number(p->runs, p->n_runs);
    }
    look->spans_rows |= cell->rows > 1;
    if (!text)
        return;
    look->cells++;
    look->bold += bold;
    look->shaded += cell->shade != STYLE_PLAIN;
    look->columns += cell->column > 0;
    look->numbers += cell->column > 0 && number;
}

static struct row_look look_at_row(const struct table *table, const struct page_font *fonts,
                                   size_t row)
{
    struct row_look look = { 0 };

    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row == row)
            look_at_cell(&table->cells[i], fonts, &look);
    return look;
}

size_t table_head_rows(const struct table *table, const struct page_font *fonts)
{
    size_t rows = 0, bold = 0, shaded = 0, numbers = 0, cells = 0, columns = 0;
    struct row_look looks[TABLE_HEAD_ROWS];

    if (table->continues)
        return 0;
    if (table->continued && table->heads)
        return table->heads;
    for (size_t r = 0; r < table->n_rows; r++) {
        struct row_look look = look_at_row(table, fonts, r);

        if (r < TABLE_HEAD_ROWS)
            looks[r] = look;
        bold += look.bold;
        shaded += look.shaded;
        cells += look.cells;
        numbers += look.numbers;
        columns += look.columns;
    }
    if (table->n_rows < 2 || cells == 0)
        return 0;
    /* What most of the table is like says nothing of its head. */
    for (; rows < TABLE_HEAD_ROWS && rows + 1 < table->n_rows; rows++) {
        const struct row_look *look = &looks[rows];
        bool stands_out = (look->bold == look->cells && bold * 2 < cells) ||
                          (look->shaded == look->cells && shaded * 2 < cells);

        if (look->cells == 0 || !stands_out)
            break;
    }
    if (rows == 0 && looks[0].columns > 0 && looks[0].numbers == 0 && numbers * 2 > columns)
        rows = 1;
    while (rows > 0 && rows < TABLE_HEAD_ROWS && rows + 1 < table->n_rows &&
           looks[rows - 1].spans_rows)
        rows++;
    return rows;
}

void table_head_mark(struct page *page, const struct page_font *fonts)
{
    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            struct block *block = &page->sections[i].blocks.items[k];

            if (block->kind == BLOCK_TABLE)
                block->table.n_heads = table_head_rows(&block->table, fonts);
        }
}
