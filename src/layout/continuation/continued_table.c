#include "layout/continuation/continued_table.h"

#include <math.h>
#include <string.h>

#include "layout/page/words.h"
#include "layout/tables/table_head.h"

#define SAME_EDGE 2     /* points: edges of columns with lines are at the same place */
#define NEAR_EDGE 0.05F /* of the table's width: edges that white space shows are near it */
#define SAME_HEAD 1     /* points: words of a repeated header are at the same place */

/* Iterates over the characters of a cell's paragraphs, without blanks. */
struct reading {
    const struct cell *cell;
    size_t block, run, at;
};

static int next_char(struct reading *reading)
{
    for (; reading->block < reading->cell->n_blocks; reading->block++, reading->run = 0) {
        const struct block *block = &reading->cell->blocks[reading->block];

        if (block->kind != BLOCK_PARAGRAPH)
            continue;
        for (; reading->run < block->paragraph.n_runs; reading->run++, reading->at = 0) {
            const struct run *run = &block->paragraph.runs[reading->run];

            while (reading->at < run->len) {
                unsigned char c = (unsigned char) run->text[reading->at++];

                if (c > ' ')
                    return c;
            }
        }
    }
    return -1;
}

/* Whether two cells have the same place in their row and the same text. The digits and other
 * characters are counted. */
static bool is_same_cell(const struct cell *a, const struct cell *b, size_t *digits, size_t *others)
{
    struct reading first = { .cell = a }, second = { .cell = b };
    int c;

    if (a->column != b->column || a->columns != b->columns || a->row != b->row ||
        a->rows != b->rows)
        return false;
    do {
        c = next_char(&first);
        if (c != next_char(&second))
            return false;
        if (c >= '0' && c <= '9')
            (*digits)++;
        else if (c >= 0)
            (*others)++;
    } while (c >= 0);
    return true;
}

/* How many of the first rows repeat those of the table. Cells are in the order of rows. */
static size_t repeated_rows(const struct table *table, const struct table *next)
{
    size_t most = TABLE_HEAD_ROWS, rows = 0, at = 0, covered = 0;

    most = table->n_rows < most ? table->n_rows : most;
    most = next->n_rows - 1 < most ? next->n_rows - 1 : most;
    for (size_t r = 0; r < most; r++) {
        size_t digits = 0, others = 0;

        for (; at < table->n_cells && table->cells[at].row == r; at++) {
            if (at >= next->n_cells ||
                !is_same_cell(&table->cells[at], &next->cells[at], &digits, &others))
                return rows;
            if (r + table->cells[at].rows > covered)
                covered = r + table->cells[at].rows;
        }
        if (at < next->n_cells && next->cells[at].row == r)
            return rows;
        if (digits > others)
            return rows;
        /* A header does not end within a cell that spans rows, nor with an empty row. */
        if (covered <= r + 1 && digits + others > 0)
            rows = r + 1;
    }
    return rows;
}

static float width_of(const struct table *table)
{
    float width = 0;

    for (size_t i = 0; i < table->n_columns; i++)
        width += table->widths[i];
    return width;
}

static bool has_same_edges(const struct table *table, const struct table *next, float aside,
                           float most)
{
    float a = table->area.x0, b = next->area.x0 + aside;

    for (size_t i = 0; i < table->n_columns; i++) {
        if (fabsf(a - b) > most)
            return false;
        a += table->widths[i];
        b += next->widths[i];
    }
    return fabsf(a - b) <= most;
}

/* Whether the first words of the cells of a repeated header are at the same places. */
static bool has_same_heads(const struct table *table, const struct table *next, float aside,
                           size_t repeated)
{
    for (size_t i = 0; i < table->n_cells && table->cells[i].row < repeated; i++) {
        const struct cell *a = &table->cells[i], *b = &next->cells[i];

        if (a->n_blocks == 0)
            continue;
        if (b->n_blocks == 0 || a->blocks->kind != BLOCK_PARAGRAPH ||
            b->blocks->kind != BLOCK_PARAGRAPH ||
            fabsf(a->blocks->paragraph.area.x0 - b->blocks->paragraph.area.x0 - aside) > SAME_HEAD)
            return false;
    }
    return true;
}

bool continued_table_is(const struct table *table, const struct table *next,
                        const struct page_font *fonts, float aside, size_t *repeated)
{
    if (table->n_columns != next->n_columns || table->n_columns < 2 || next->n_rows == 0)
        return false;
    *repeated = repeated_rows(table, next);
    if (*repeated)
        return has_same_heads(table, next, aside, *repeated) ||
               has_same_edges(table, next, aside, fmaxf(NEAR_EDGE * width_of(table), SAME_EDGE));
    return table_head_rows(next, fonts) == 0 && has_same_edges(table, next, aside, SAME_EDGE);
}

float continued_table_least(const struct table *next, size_t repeated)
{
    return next->heights[repeated];
}

/* Where the edges of columns are by white space they are elsewhere in each part: what is in the
 * cells stays at its place in relation to the first part's. */
static void keep_places(const struct table *table, const struct table *next)
{
    for (size_t i = 0; i < next->n_cells; i++) {
        const struct cell *cell = &next->cells[i];
        float left = 0, right = 0;

        for (size_t c = 0; c < cell->column + cell->columns; c++) {
            left += c < cell->column ? next->widths[c] - table->widths[c] : 0;
            right += next->widths[c] - table->widths[c];
        }
        for (size_t k = 0; k < cell->n_blocks; k++) {
            struct paragraph *p = &cell->blocks[k].paragraph;

            if (cell->blocks[k].kind != BLOCK_PARAGRAPH || cell->direction != TEXT_UPRIGHT)
                continue;
            if (p->align != ALIGN_RIGHT)
                p->left = fmaxf(p->left + left, 0);
            if (p->align != ALIGN_LEFT || right > 0)
                p->right = fmaxf(p->right - right, 0);
        }
    }
}

static void mark_elsewhere(struct page *page, const struct table *table, bool elsewhere)
{
    struct area area = table->area;

    area.y1 = area.y0;
    for (size_t i = 0; i < table->repeated; i++)
        area.y1 += table->heights[i];
    words_set_elsewhere(page, &area, 0, elsewhere);
}

void continued_table_join(struct table *table, struct table *next, struct page *after,
                          size_t repeated, bool divided)
{
    table->continued = next->continues = true;
    table->heads = repeated;
    next->repeated = repeated + divided;
    next->rtl = table->rtl;
    keep_places(table, next);
    memcpy(next->widths, table->widths, next->n_columns * sizeof *next->widths);
    mark_elsewhere(after, next, true);
}

void continued_table_part(struct page *after)
{
    struct block_list *blocks = after->n_sections ? &after->sections[0].blocks : NULL;
    struct table *table = blocks && blocks->n && blocks->items[0].kind == BLOCK_TABLE
                              ? &blocks->items[0].table
                              : NULL;

    if (!table || !table->continues)
        return;
    mark_elsewhere(after, table, false);
    table->continues = false;
    table->repeated = 0;
}
