#include "layout/continuation/continued_row.h"

#include <string.h>

#include "layout/continuation/continued_paragraph.h"

/* The first cell of a row. Cells are in the order of rows. */
static const struct cell *row_of(const struct table *table, size_t row)
{
    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row >= row)
            return &table->cells[i];
    return table->cells + table->n_cells;
}

static bool has_text(const struct cell *cell)
{
    return cell->n_blocks > 0;
}

/* Whether the text of a cell continues in the other one. */
static bool continues(const struct cell *cell, const struct cell *rest, float aside)
{
    struct paragraph first;

    if (cell->n_blocks == 0 || cell->blocks[cell->n_blocks - 1].kind != BLOCK_PARAGRAPH ||
        rest->blocks[0].kind != BLOCK_PARAGRAPH || cell->direction != TEXT_UPRIGHT ||
        rest->direction != TEXT_UPRIGHT)
        return false;
    first = rest->blocks[0].paragraph;
    first.head.x0 += aside;
    first.tail.x0 += aside;
    return continued_paragraph_is(&cell->blocks[cell->n_blocks - 1].paragraph, &first);
}

bool continued_row_is(const struct table *table, const struct table *next, size_t at, float aside)
{
    const struct cell *a = row_of(table, table->n_rows - 1), *b = row_of(next, at);
    size_t ended = 0, longer = 0;

    if (table->n_rows < 2 || at + 1 > next->n_rows)
        return false;
    for (; a < table->cells + table->n_cells; a++, b++) {
        if (b == next->cells + next->n_cells || b->row != at || a->column != b->column ||
            a->columns != b->columns || a->rows != 1 || b->rows != 1)
            return false;
        if (!has_text(b)) {
            ended += has_text(a);
            continue;
        }
        if (!continues(a, b, aside))
            return false;
        longer += a->blocks[a->n_blocks - 1].paragraph.n_lines + b->blocks[0].paragraph.n_lines > 2;
    }
    return ended && longer;
}

static void join_cell(struct arena *arena, struct cell *cell, const struct cell *rest)
{
    struct block *blocks = ARENA_ARRAY(arena, struct block, cell->n_blocks + rest->n_blocks - 1);

    memcpy(blocks, cell->blocks, cell->n_blocks * sizeof *blocks);
    continued_paragraph_append(arena, &blocks[cell->n_blocks - 1].paragraph,
                               &rest->blocks[0].paragraph);
    memcpy(blocks + cell->n_blocks, rest->blocks + 1, (rest->n_blocks - 1) * sizeof *blocks);
    cell->blocks = blocks;
    cell->n_blocks += rest->n_blocks - 1;
    cell->middle = false;
}

void continued_row_join(struct arena *arena, struct table *table, const struct table *next,
                        size_t at)
{
    const struct cell *rest = row_of(next, at);
    size_t first = (size_t) (row_of(table, table->n_rows - 1) - table->cells);

    for (size_t i = first; i < table->n_cells; i++, rest++)
        if (has_text(rest))
            join_cell(arena, &table->cells[i], rest);
    table->divided = true;
}
