#include "layout/blocks/cells.h"

#include <math.h>

#include "layout/blocks/rotated_text.h"
#include "layout/blocks/rtl_table.h"
#include "layout/page/rules.h"

#define LEVEL    0.8F  /* points: lines that end at one place */
#define ALIGNED  3     /* of them, at least */
#define SPARE    0.04F /* of a line's width: fonts differ by as much */
#define REACHING 4     /* lines of a cell, at least, that show how far lines go */
#define MOST     1500  /* cells: of a larger table, each is aligned for itself */

/* The contents stand in the middle of the cell, from top to bottom. */
static bool is_middle(const struct flowed_list *list, float top, float bottom)
{
    float above = list->items[0].area.y0 - top;
    float below = bottom - list->items[list->n - 1].area.y1;

    return above > 2 && fabsf(above - below) < fmaxf(3, 0.12F * (bottom - top));
}

static struct flow flow_in(const struct flow *page, float x0, float x1)
{
    struct flow flow = *page;

    flow.column = (struct column){ x0, x1 };
    flow.in_cell = true;
    return flow;
}

/* Text that goes up or down: the cell as it is when the text is upright. */
static void fill_rotated(const struct flow *page, const struct area *area, struct cell *cell,
                         const struct word_list *words)
{
    bool up = words->items[0]->glyphs->angle < 0;
    struct area upright_area = up ? (struct area){ -area->y1, area->x0, -area->y0, area->x1 }
                                  : (struct area){ area->y0, -area->x1, area->y1, -area->x0 };
    struct flow flow = flow_in(page, upright_area.x0, upright_area.x1);
    struct flowed_list list = flow_paragraphs(&flow, words->items, words->n, NULL, 0);
    struct block_list blocks = { 0 };
    float y = upright_area.y0;

    cell->direction = up ? TEXT_UP : TEXT_DOWN;
    cell->middle = is_middle(&list, upright_area.y0, upright_area.y1);
    flow_place(&flow, &list, &y, &blocks);
    if (cell->middle)
        blocks.items[0].paragraph.before = 0;
    cell->blocks = blocks.items;
    cell->n_blocks = blocks.n;
}

static void fill_upright(const struct flow *page, const struct area *area, float pad, float reach,
                         struct cell *cell, const struct word_list *words)
{
    struct flow flow = flow_in(page, area->x0 + pad, area->x1 - pad);
    struct flowed_list list;
    struct block_list blocks = { 0 };
    float y = area->y0;

    flow.reach = reach;
    list = flow_paragraphs(&flow, words->items, words->n, NULL, 0);

    if (list.n == 0)
        return;
    flow_place(&flow, &list, &y, &blocks);
    cell->middle = is_middle(&list, area->y0, area->y1);
    if (cell->middle)
        blocks.items[0].paragraph.before = 0;
    cell->blocks = blocks.items;
    cell->n_blocks = blocks.n;
}

/* Whether all of it goes up, or all goes down. */
static bool is_rotated(const struct word_list *words)
{
    for (size_t i = 0; i < words->n; i++)
        if (fabsf(fabsf(words->items[i]->glyphs->angle) - (float) M_PI_2) > 0.03F ||
            fabsf(words->items[i]->glyphs->angle - words->items[0]->glyphs->angle) > 0.1F)
            return false;
    return words->n > 0;
}

/* The line below the cell is not an underline of the text right above it. */
static void leave_edge(const struct grid *grid, const struct cell *cell, struct word *word)
{
    float bottom = grid->ys[cell->row + cell->rows];

    if (cell->bottom.width > 0 && fabsf(word->under.y - bottom) < RULE_SNAP)
        word->under = (struct drawn){ 0 };
}

/* What colours the cell colours neither the word nor its paragraph. */
static void leave_shade(const struct cell *cell, struct word *word)
{
    if (!word->highlighter || cell->shade == STYLE_PLAIN || word->highlighter->color != cell->shade)
        return;
    word->highlighter = NULL;
    word->highlight = STYLE_PLAIN;
}

/* The one line of a cell, if that is all it has; or NULL. */
static struct paragraph *line_in(const struct cell *cell)
{
    struct paragraph *p = cell->n_blocks == 1 ? &cell->blocks[0].paragraph : NULL;

    return p && cell->columns == 1 && cell->direction == TEXT_UPRIGHT &&
                   cell->blocks[0].kind == BLOCK_PARAGRAPH && p->n_lines == 1 && p->n_tabs == 0 &&
                   p->list == 0 && !p->rtl
               ? p
               : NULL;
}

/* How many lines of a column end (or begin) where the line p does. */
static size_t count_level(const struct table *table, size_t column, const struct paragraph *p,
                          bool ends)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n_cells; i++) {
        const struct paragraph *q = line_in(&table->cells[i]);

        n += table->cells[i].column == column && q &&
             fabsf(ends ? q->area.x1 - p->area.x1 : q->area.x0 - p->area.x0) < LEVEL;
    }
    return n;
}

/* A line alone does not show how it is aligned; those of its column do. Where most end at one place
 * and begin at many, as numbers do, all of these are aligned on the right. */
static void align_column(const struct grid *grid, size_t column)
{
    const struct table *table = &grid->table;
    float pad = table->padding;

    for (size_t i = 0; i < table->n_cells; i++) {
        struct cell *cell = &table->cells[i];
        struct paragraph *p = cell->column == column ? line_in(cell) : NULL;
        size_t ends;

        if (!p)
            continue;
        ends = count_level(table, column, p, true);
        if (ends < ALIGNED || ends <= count_level(table, column, p, false))
            continue;
        p->align = ALIGN_RIGHT;
        p->left = p->first = 0;
        p->right = fmaxf(grid->xs[column + 1] - pad - p->area.x1, -pad);
    }
}

/* What was one line stays one where a font is a bit wider: into the padding, where there is no
 * other room. */
static void spare_line(const struct grid *grid, const struct cell *cell, struct paragraph *p)
{
    float width = area_width(&p->area), lacking;
    float room = grid->xs[cell->column + cell->columns] - grid->xs[cell->column] -
                 2 * grid->table.padding - p->left - p->right - fmaxf(p->first, 0);

    lacking = fminf((1 + SPARE) * width - room, 2 * SPARE * width);
    if (p->n_lines != 1 || p->n_tabs || lacking <= 0)
        return;
    if (p->align == ALIGN_CENTER || p->align == ALIGN_RIGHT)
        p->left -= p->align == ALIGN_CENTER ? lacking / 2 : lacking;
    if (p->align != ALIGN_RIGHT)
        p->right -= p->align == ALIGN_CENTER ? lacking / 2 : lacking;
}

static void spare_lines(const struct grid *grid)
{
    for (size_t i = 0; i < grid->table.n_cells; i++) {
        const struct cell *cell = &grid->table.cells[i];

        for (size_t k = 0; k < cell->n_blocks && cell->direction == TEXT_UPRIGHT; k++)
            if (cell->blocks[k].kind == BLOCK_PARAGRAPH)
                spare_line(grid, cell, &cell->blocks[k].paragraph);
    }
}

static size_t count_lines(const struct word_list *words)
{
    size_t n = words->n > 0;

    for (size_t i = 1; i < words->n; i++)
        n +=
            fabsf(words->items[i]->base - words->items[i - 1]->base) > 0.5F * words->items[i]->size;
    return n;
}

/* How far lines of a column go, if no line closes the column, and a cell has enough of them to show
 * it: its edge is somewhere in the white space. Or 0. */
static float reach_of(const struct table *table, const struct word_list *lists, size_t column)
{
    size_t most = 0;
    float reach = 0;

    for (size_t i = 0; i < table->n_cells; i++) {
        const struct cell *cell = &table->cells[i];

        if (cell->right.width > 0 && cell->column + cell->columns == column + 1)
            return 0;
        if (cell->left.width > 0 && cell->column == column + 1)
            return 0;
        if (cell->column != column || cell->columns > 1)
            continue;
        if (count_lines(&lists[i]) > most)
            most = count_lines(&lists[i]);
        for (size_t k = 0; k < lists[i].n; k++)
            reach = fmaxf(reach, lists[i].items[k]->area.x1);
    }
    return most >= REACHING ? reach : 0;
}

void cells_fill(const struct flow *page, struct grid *grid, struct word *words, size_t n)
{
    struct table *table = &grid->table;
    struct word_list *lists = ARENA_ARRAY(page->arena, struct word_list, table->n_cells);
    float *reach = ARENA_ARRAY(page->arena, float, table->n_columns);
    float pad = 5.4F;

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);
        struct cell *cell = words[i].claimed_by == OWNER_NONE &&
                                    area_has(&table->area, at.x, at.y) &&
                                    (!words[i].rotated || rotated_text_is_quarter(&words[i]))
                                ? grid_cell(grid, at.x, at.y)
                                : NULL;

        if (!cell)
            continue;
        claim_word(&words[i], grid->owner);
        leave_edge(grid, cell, &words[i]);
        leave_shade(cell, &words[i]);
        *ARENA_ADD(page->arena, &lists[cell - table->cells]) = &words[i];
        if (!words[i].rotated)
            pad = fminf(pad, words[i].area.x0 - grid->xs[cell->column]);
    }
    table->padding = fmaxf(pad, 0);
    for (size_t c = 0; c < table->n_columns; c++)
        reach[c] = reach_of(table, lists, c);
    for (size_t i = 0; i < table->n_cells; i++) {
        struct cell *cell = &table->cells[i];
        struct area area = { grid->xs[cell->column], grid->ys[cell->row],
                             grid->xs[cell->column + cell->columns],
                             grid->ys[cell->row + cell->rows] };

        if (is_rotated(&lists[i]))
            fill_rotated(page, &area, cell, &lists[i]);
        else
            fill_upright(page, &area, table->padding, reach[cell->column], cell, &lists[i]);
    }
    for (size_t c = 0; c < table->n_columns && table->n_cells < MOST; c++)
        align_column(grid, c);
    spare_lines(grid);
    table->rtl = rtl_table_is(table);
}
