#include "layout/continuation/fit_to_page.h"

#include <math.h>

#define LOWEST   4.0F  /* points: a row */
#define NEAR     3.0F  /* points above footnotes */
#define PADDING  3.0F  /* and what it has more than its contents */
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
static void tighten_cell(const struct table *table, struct cell *cell)
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

static bool is_in_row(const struct cell *cell, size_t row)
{
    return row >= cell->row && row < cell->row + cell->rows;
}

static void tighten_cells(struct table *table)
{
    for (size_t i = 0; i < table->n_cells; i++)
        tighten_cell(table, &table->cells[i]);
}

/* How much higher rows become by what is in them, and cannot be tighter. */
static float grown(const struct table *table)
{
    float sum = 0;

    for (size_t r = 0; r < table->n_rows; r++) {
        float most = 0;

        for (size_t i = 0; i < table->n_cells; i++) {
            const struct cell *cell = &table->cells[i];

            if (cell->row == r && cell->rows == 1 && cell->direction == TEXT_UPRIGHT)
                most = fmaxf(most, height_of(cell->blocks, cell->n_blocks) - table->heights[r]);
        }
        sum += most;
    }
    return sum;
}

static void tighten_tables(struct page *page)
{
    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            struct table *table = &page->sections[i].blocks.items[k].table;

            if (page->sections[i].blocks.items[k].kind != BLOCK_TABLE)
                continue;
            tighten_cells(table);
            if (page->sections[i].n_columns < 2)
                page->end += grown(table);
        }
}

static float tightest(const struct paragraph *p)
{
    return fminf(p->line, TIGHTEST * fmaxf(p->head.size, p->tail.size));
}

/* What lines of text give, at most; each of them gives that part of it. */
static float lines(struct page *page, float part)
{
    float sum = 0;

    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            struct block *block = &page->sections[i].blocks.items[k];
            struct paragraph *p = &block->paragraph;
            float give;

            if (page->sections[i].n_columns > 1 || block->kind != BLOCK_PARAGRAPH)
                continue;
            give = p->line - tightest(p);
            p->line -= part * give;
            sum += (float) (p->n_lines ? p->n_lines : 1) * give;
        }
    return sum;
}

/* How long lines of turned text are: they go along the height of their row. */
static float length_of(const struct block *blocks, size_t n)
{
    float most = 0;

    for (size_t i = 0; i < n; i++)
        if (blocks[i].kind == BLOCK_PARAGRAPH)
            most = fmaxf(most, area_width(&blocks[i].paragraph.area) + blocks[i].paragraph.line);
    return most;
}

/* The white above what is in a cell, which goes first where its row becomes lower. */
static float white_above(struct block *blocks, size_t n)
{
    return n && blocks->kind == BLOCK_PARAGRAPH ? *before_of(blocks) : 0;
}

/* What a row could be lower, with all that is in it. */
static float spare(const struct table *table, size_t row)
{
    float needed = LOWEST, much;

    for (size_t i = 0; i < table->n_cells; i++) {
        const struct cell *cell = &table->cells[i];

        if (!is_in_row(cell, row))
            continue;
        much = cell->direction == TEXT_UPRIGHT ? height_of(cell->blocks, cell->n_blocks) -
                                                     white_above(cell->blocks, cell->n_blocks)
                                               : length_of(cell->blocks, cell->n_blocks);
        needed = fmaxf(needed, (much + PADDING) / (float) cell->rows);
    }
    return fmaxf(table->heights[row] - needed, 0);
}

/* What rows of tables give, at most; each of them gives that part of it. */
static float rows(struct page *page, float part)
{
    float sum = 0;

    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            struct table *table = &page->sections[i].blocks.items[k].table;

            if (page->sections[i].n_columns > 1 ||
                page->sections[i].blocks.items[k].kind != BLOCK_TABLE)
                continue;
            for (size_t r = 0; r < table->n_rows; r++) {
                float give = spare(table, r);

                table->heights[r] -= part * give;
                sum += give;
            }
            if (part > 0)
                tighten_cells(table);
        }
    return sum;
}

/* Takes what is too much from what gives, which says how much it has and gives a part of it. */
static void tighten_by(struct page *page, float limit, float (*give)(struct page *page, float part))
{
    float much = page->end - limit, all = much > 0 ? give(page, 0) : 0;

    if (all <= 0)
        return;
    give(page, fminf(much / all, 1));
    page->end -= fminf(much, all);
}

static float bottom_of(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? block->paragraph.area.y1
           : block->kind == BLOCK_TABLE   ? block->table.area.y1
                                          : block->figure.picture->area.y1;
}

/* What is too much in a column is taken from the white in it, and then from its lines. */
static float tighten_column(struct block *blocks, size_t n, float much)
{
    float all = 0, give = 0, taken, part;

    for (size_t i = 0; i < n; i++) {
        const struct paragraph *p = &blocks[i].paragraph;

        all += *before_of(&blocks[i]);
        if (blocks[i].kind == BLOCK_PARAGRAPH)
            give += (float) (p->n_lines ? p->n_lines : 1) * (p->line - tightest(p));
    }
    taken = fminf(all, much);
    for (size_t i = 0; i < n && all > 0; i++)
        *before_of(&blocks[i]) *= 1 - taken / all;
    part = give > 0 ? fminf((much - taken) / give, 1) : 0;
    for (size_t i = 0; i < n; i++)
        if (blocks[i].kind == BLOCK_PARAGRAPH)
            blocks[i].paragraph.line -=
                part * (blocks[i].paragraph.line - tightest(&blocks[i].paragraph));
    return taken + part * give;
}

static float top_of(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? block->paragraph.area.y0 - block->paragraph.over
           : block->kind == BLOCK_TABLE   ? block->table.area.y0
                                          : block->figure.picture->area.y0;
}

static float block_height(const struct block *block)
{
    const struct paragraph *p = &block->paragraph;
    float sum = 0;

    if (block->kind == BLOCK_PARAGRAPH)
        return p->over + (float) (p->n_lines ? p->n_lines : 1) * p->line + p->under;
    if (block->kind == BLOCK_FIGURE)
        return area_height(&block->figure.picture->area);
    for (size_t i = 0; i < block->table.n_rows; i++)
        sum += block->table.heights[i];
    return sum;
}

/* How much lower the last block of a column is than it was. Where it ends is not known: it may go
 * on in the next column. */
static float sunk(struct block *blocks, size_t n)
{
    float y = top_of(blocks);

    for (size_t i = 0; i + 1 < n; i++)
        y += block_height(&blocks[i]) + *before_of(&blocks[i + 1]);
    return y - top_of(&blocks[n - 1]);
}

/* A picture with a fixed place stays next to the same text. */
static bool has_float(const struct page *page, const struct column *column)
{
    for (size_t i = 0; i < page->n_floats; i++) {
        const struct area *area = &page->floats[i].figure.picture->area;

        if (area->x0 < column->x1 && area->x1 > column->x0)
            return true;
    }
    return false;
}

/* Columns, which end where they did where footnotes are below them. */
static void tighten_columns(struct page *page, float limit)
{
    bool noted = page->notes.last || page->notes.n_moved > 0;

    for (size_t i = 0; i < page->n_sections; i++) {
        struct section *section = &page->sections[i];

        for (size_t k = 0; section->n_columns > 1 && k < section->n_columns; k++) {
            size_t from = section->begins[k];
            size_t to = k + 1 < section->n_columns ? section->begins[k + 1] : section->blocks.n;
            struct block *blocks = section->blocks.items + from;
            float room = NEAR, much;

            if (to == from || has_float(page, &section->columns[k]))
                continue;
            if (!noted)
                room = fmaxf(room, limit - bottom_of(&blocks[to - from - 1]));
            much = sunk(blocks, to - from) - room;
            if (much > 0)
                section->ends[k] -= tighten_column(blocks, to - from, much);
        }
    }
}

void fit_to_page(struct page *page, float limit)
{
    float much, all;

    tighten_tables(page);
    tighten_columns(page, limit);
    much = page->end - limit;
    if (much <= 0)
        return;
    all = white(page, 1);
    if (all > 0) {
        white(page, fmaxf(1 - much / all, 0));
        page->end -= fminf(much, all);
    }
    /* A frame around most of a page leaves no room for what a document adds to it. */
    tighten_by(page, limit, rows);
    /* Where all white is gone, lines go nearer to each other. */
    tighten_by(page, limit, lines);
}
