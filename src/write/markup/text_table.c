#include "write/markup/text_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "layout/page/words.h"

bool text_table_open(struct text_table *table)
{
    table->cells = calloc(table->n_cells + 1, sizeof *table->cells);
    table->widths = calloc(table->n_columns + 1, sizeof *table->widths);
    if (table->cells && table->widths)
        return true;
    text_table_free(table);
    return false;
}

void text_table_free(struct text_table *table)
{
    for (size_t i = 0; table->cells && i < table->n_cells; i++)
        buf_free(&table->cells[i].text);
    free(table->cells);
    free(table->widths);
    table->cells = NULL;
    table->widths = NULL;
}

static bool is_mark(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36f) || (c >= 0x591 && c <= 0x5bd) || (c >= 0x64b && c <= 0x65f) ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f);
}

size_t text_table_width(const char *text, size_t n)
{
    size_t width = 0;

    for (size_t i = 0, length; i < n; i += length ? length : 1) {
        uint32_t c = 0;

        length = utf8_decode(text + i, n - i, &c);
        width += is_mark(c) ? 0 : is_cjk(c) ? 2 : 1;
    }
    return width;
}

/* Finds line `number` of a cell; false: it has fewer. */
static bool line_of(const struct text_table_cell *cell, size_t number, const char **line, size_t *n)
{
    const char *at = buf_text(&cell->text), *end = at + cell->text.len;

    for (; number > 0 && at < end; number--) {
        const char *next = memchr(at, '\n', (size_t) (end - at));

        at = next ? next + 1 : end;
    }
    *line = at;
    *n = at < end ? strcspn(at, "\n") : 0;
    return at < end;
}

static size_t cell_width(const struct text_table_cell *cell)
{
    size_t most = 0, n;
    const char *line;

    for (size_t i = 0; line_of(cell, i, &line, &n); i++) {
        size_t width = text_table_width(line, n);

        most = width > most ? width : most;
    }
    return most;
}

static size_t span_width(const struct text_table *table, const struct text_table_cell *cell,
                         size_t gap)
{
    size_t width = 0;

    for (size_t i = 0; i < cell->span && cell->column + i < table->n_columns; i++)
        width += table->widths[cell->column + i] + (i ? gap : 0);
    return width;
}

/* Measures cells of one column first; those that span more widen the last of their columns. */
static void measure_columns(struct text_table *table, size_t gap)
{
    for (int spans = 0; spans < 2; spans++)
        for (size_t i = 0; i < table->n_cells; i++) {
            const struct text_table_cell *cell = &table->cells[i];
            size_t width = cell_width(cell), there = span_width(table, cell, gap);
            size_t last = cell->column + cell->span - 1;

            if ((cell->span > 1) == (spans == 1) && width > there && last < table->n_columns)
                table->widths[last] += width - there;
        }
}

static void put_blanks(size_t n, struct buf *out)
{
    while (n-- > 0)
        buf_putc(out, ' ');
}

/* Writes one line of a row's n cells; false: no cell has that many lines. */
static bool put_cells_line(const struct text_table *table, const struct text_table_cell *cells,
                           size_t n, size_t number, size_t gap, struct buf *out)
{
    size_t at = 0, start = out->len;
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        const char *line;
        size_t bytes, from = 0, width, room = span_width(table, &cells[i], gap);

        any |= line_of(&cells[i], number, &line, &bytes);
        width = text_table_width(line, bytes);
        for (size_t c = 0; c < cells[i].column; c++)
            from += table->widths[c] + gap;
        if (cells[i].right && room > width)
            from += room - width;
        put_blanks(from > at ? from - at : 0, out);
        at = from > at ? from : at;
        buf_put(out, line, bytes);
        at += width;
    }
    if (!any)
        return false;
    while (out->len > start && out->data[out->len - 1] == ' ')
        out->len--;
    buf_putc(out, '\n');
    return true;
}

void text_table_put(struct text_table *table, size_t gap, struct buf *out)
{
    measure_columns(table, gap);
    for (size_t row = 0, first = 0, n; row < table->n_rows; row++, first += n) {
        size_t lines = 0, before = out->len;

        for (n = 0; first + n < table->n_cells && table->cells[first + n].row == row;)
            n++;
        while (put_cells_line(table, table->cells + first, n, lines, gap, out)) {
            lines++;
            before = out->len;
        }
        out->len = before;
        if (lines == 0)
            buf_putc(out, '\n');
    }
}
