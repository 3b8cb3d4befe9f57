/* Blocks in their order, and tables, whose cells have blocks again. See body.h. */
#include <math.h>

#include "write/docx/body.h"

#define UNDIVIDED  100.0F /* points: rows lower than that are not divided between pages */
#define EMPTY_LINE 12.0F  /* points: of a cell without text */

static void put_border(struct buf *xml, const char *side, const struct border *border)
{
    /* Eighths of a point. */
    int width = (int) lrintf(border->width * 8);

    if (border->width <= 0)
        buf_printf(xml, "<w:%s w:val=\"nil\"/>", side);
    else
        buf_printf(xml, "<w:%s w:val=\"single\" w:sz=\"%d\" w:space=\"0\" w:color=\"%06X\"/>", side,
                   width < 2 ? 2 : width, border->color);
}

static void put_cell(struct body *body, const struct table *table, const struct cell *cell,
                     size_t row)
{
    struct buf *xml = &body->xml;
    float width = 0;
    bool first = row == cell->row;

    for (size_t i = 0; i < cell->columns; i++)
        width += table->widths[cell->column + i];
    buf_printf(xml, "<w:tc><w:tcPr><w:tcW w:w=\"%d\" w:type=\"dxa\"/>", units_twips(width));
    if (cell->columns > 1)
        buf_printf(xml, "<w:gridSpan w:val=\"%zu\"/>", cell->columns);
    if (cell->rows > 1)
        buf_puts(xml, first ? "<w:vMerge w:val=\"restart\"/>" : "<w:vMerge/>");
    /* In a table that is read from right to left, "left" means the right. */
    buf_puts(xml, "<w:tcBorders>");
    put_border(xml, "top", &cell->top);
    put_border(xml, "left", table->rtl ? &cell->right : &cell->left);
    put_border(xml, "bottom", &cell->bottom);
    put_border(xml, "right", table->rtl ? &cell->left : &cell->right);
    buf_puts(xml, "</w:tcBorders>");
    if (cell->shade != STYLE_PLAIN)
        buf_printf(xml, "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"%06X\"/>", cell->shade);
    if (cell->direction)
        buf_printf(xml, "<w:textDirection w:val=\"%s\"/>",
                   cell->direction == TEXT_UP ? "btLr" : "tbRl");
    if (cell->middle)
        buf_puts(xml, "<w:vAlign w:val=\"center\"/>");
    buf_puts(xml, "</w:tcPr>");
    if (first && cell->n_blocks)
        body_blocks(body, cell->blocks, cell->n_blocks);
    else
        body_spacer(body, fminf(EMPTY_LINE, table->heights[row] - 1));
    buf_puts(xml, "</w:tc>");
}

static const struct cell *cell_at(const struct table *table, size_t row, size_t column)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        const struct cell *cell = &table->cells[i];

        if (row >= cell->row && row < cell->row + cell->rows && column >= cell->column &&
            column < cell->column + cell->columns)
            return cell;
    }
    return NULL;
}

/* Readers add the line above a row to its height. */
static float border_above(const struct table *table, size_t row)
{
    float most = 0;

    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row == row)
            most = fmaxf(most, table->cells[i].top.width);
    return most;
}

/* Whether the row is so low that it stays on one page. */
static bool is_short(const struct table *table, size_t row)
{
    return table->heights[row] < UNDIVIDED && !(table->divided && row + 1 == table->n_rows);
}

static void begin_table(struct body *body, const struct table *table)
{
    struct buf *xml = &body->xml;
    int pad = units_twips(table->padding);
    float width = 0;

    for (size_t i = 0; i < table->n_columns; i++)
        width += table->widths[i];
    buf_puts(xml, "<w:tbl><w:tblPr>");
    if (body->exact)
        buf_printf(xml,
                   "<w:tblpPr w:leftFromText=\"0\" w:rightFromText=\"0\" w:vertAnchor=\"page\" "
                   "w:horzAnchor=\"page\" w:tblpX=\"%d\" w:tblpY=\"%d\"/>",
                   units_twips(fmaxf(table->area.x0, 0.05F)),
                   units_twips(fmaxf(table->area.y0, 0.05F)));
    if (table->rtl)
        buf_puts(xml, "<w:bidiVisual/>");
    buf_printf(xml,
               "<w:tblW w:w=\"%d\" w:type=\"dxa\"/><w:tblInd w:w=\"%d\" "
               "w:type=\"dxa\"/><w:tblLayout w:type=\"fixed\"/><w:tblCellMar><w:left w:w=\"%d\" "
               "w:type=\"dxa\"/><w:right w:w=\"%d\" w:type=\"dxa\"/></w:tblCellMar></w:tblPr>"
               "<w:tblGrid>",
               units_twips(width), units_twips(table->indent), pad, pad);
    for (size_t i = 0; i < table->n_columns; i++)
        buf_printf(xml, "<w:gridCol w:w=\"%d\"/>", units_twips(table->widths[i]));
    buf_puts(xml, "</w:tblGrid>");
}

/* Writes the rows after the first `from`. `heads`: how many of the first rows Word repeats on each
 * page. */
static void put_rows(struct body *body, const struct table *table, size_t from, size_t heads)
{
    struct buf *xml = &body->xml;

    for (size_t r = from; r < table->n_rows; r++) {
        buf_printf(xml, "<w:tr><w:trPr>%s<w:trHeight w:val=\"%d\" w:hRule=\"atLeast\"/>%s</w:trPr>",
                   is_short(table, r) ? "<w:cantSplit/>" : "",
                   units_twips(fmaxf(table->heights[r] - border_above(table, r), 1)),
                   r < heads ? "<w:tblHeader/>" : "");
        for (size_t c = 0; c < table->n_columns;) {
            const struct cell *cell = cell_at(table, r, c);

            if (!cell)
                break;
            put_cell(body, table, cell, r);
            c = cell->column + cell->columns;
        }
        buf_puts(xml, "</w:tr>");
    }
}

void body_table(struct body *body, const struct table *table)
{
    /* What is not repeated on the next page there would take room that it did not take. */
    size_t heads = table->continued ? table->heads : table->n_heads;
    bool goes_on = body->table_open && table->continues;

    if (!goes_on)
        begin_table(body, table);
    body->inside = true;
    put_rows(body, table, goes_on ? table->repeated : 0, goes_on ? 0 : heads);
    body->table_open = table->continued;
    if (!body->table_open)
        buf_puts(&body->xml, "</w:tbl>");
    body->inside = false;
    body->section_at = 0;
}

void body_table_end(struct body *body)
{
    if (body->table_open)
        buf_puts(&body->xml, "</w:tbl>");
    body->table_open = false;
}

/* In a paragraph of its own: Word sets the space before a paragraph in the column where its first
 * character is, and that would be the break. */
static void put_column_break(struct body *body)
{
    buf_puts(&body->xml, "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"0\" w:line=\"20\" "
                         "w:lineRule=\"exact\"/></w:pPr><w:r><w:br w:type=\"column\"/></w:r>"
                         "</w:p>");
}

void body_blocks(struct body *body, const struct block *blocks, size_t n)
{
    bool after_paragraph = false;

    for (size_t i = 0; i < n; i++) {
        const struct block *next = i + 1 < n ? &blocks[i + 1] : NULL;
        float after =
            next && next->kind == BLOCK_TABLE && !next->column_break ? next->table.before : 0;

        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n is 0 where there are none. */
        if (blocks[i].column_break && !body->exact) {
            put_column_break(body);
            after_paragraph = false;
        }
        if (blocks[i].kind == BLOCK_PARAGRAPH) {
            body_paragraph(body, &blocks[i].paragraph, after);
        } else if (blocks[i].kind == BLOCK_TABLE) {
            if (!after_paragraph)
                body_spacer(body, blocks[i].table.before);
            body_table(body, &blocks[i].table);
            /* A table with a place hangs on the next paragraph, and not on a frame. */
            if (body->exact && !body->inside)
                body_spacer(body, 1);
        } else {
            body_figure(body, &blocks[i].figure);
        }
        after_paragraph = blocks[i].kind == BLOCK_PARAGRAPH;
    }
}
