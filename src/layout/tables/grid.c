#include "layout/tables/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/page/rules.h"
#include "layout/tables/page_border.h"

#define MAX_EDGES 400
#define MAX_CELLS 20000
#define THINNEST  4.0F  /* points between edges, at least */
#define SMALLEST  12.0F /* points: of a coloured part of a table */

struct edges {
    float at[MAX_EDGES];
    size_t n;
};

/* The grid while it is made: whether there is a line above and to the left of each field. */
struct making {
    struct arena *arena;
    const struct rule **rules; /* of the group */
    size_t n_rules;
    struct grid *grid;
    const struct rule **above, **before; /* (rows + 1) * (columns + 1) */
};

static int by_value(const void *a, const void *b)
{
    float p = *(const float *) a, q = *(const float *) b;

    return p < q ? -1 : p > q;
}

static void add_edge(struct edges *edges, float at)
{
    for (size_t i = 0; i < edges->n; i++)
        if (fabsf(edges->at[i] - at) < THINNEST)
            return;
    if (edges->n < MAX_EDGES)
        edges->at[edges->n++] = at;
}

/* Where lines go across (or down); and where they end, if nothing closes the side. */
static void find_edges(const struct making *m, bool across, struct edges *edges)
{
    float from = INFINITY, to = -INFINITY;

    edges->n = 0;
    for (int drawn = 1; drawn >= 0; drawn--)
        for (size_t i = 0; i < m->n_rules; i++)
            if (m->rules[i]->across == across && (m->rules[i]->width > 0) == drawn)
                add_edge(edges, m->rules[i]->at);
    for (size_t i = 0; i < m->n_rules; i++)
        if (m->rules[i]->across != across) {
            from = fminf(from, m->rules[i]->from);
            to = fmaxf(to, m->rules[i]->to);
        }
    if (from < to && edges->n) {
        add_edge(edges, from);
        add_edge(edges, to);
    }
    qsort(edges->at, edges->n, sizeof *edges->at, by_value);
}

static const struct rule *rule_at(const struct making *m, bool across, float at, float middle)
{
    const struct rule *found = NULL;

    for (size_t i = 0; i < m->n_rules; i++) {
        const struct rule *rule = m->rules[i];

        if (rule->across == across && fabsf(rule->at - at) < THINNEST && rule->from <= middle &&
            rule->to >= middle && (!found || rule->width > found->width))
            found = rule;
    }
    return found;
}

static void mark_lines(struct making *m)
{
    const struct grid *g = m->grid;
    size_t stride = g->table.n_columns + 1, rows = g->table.n_rows;

    m->above = ARENA_ARRAY(m->arena, const struct rule *, stride *(rows + 1));
    m->before = ARENA_ARRAY(m->arena, const struct rule *, stride *(rows + 1));
    for (size_t r = 0; r <= rows; r++)
        for (size_t c = 0; c < stride; c++) {
            if (c + 1 < stride)
                m->above[r * stride + c] =
                    rule_at(m, true, g->ys[r], (g->xs[c] + g->xs[c + 1]) / 2);
            if (r < rows)
                m->before[r * stride + c] =
                    rule_at(m, false, g->xs[c], (g->ys[r] + g->ys[r + 1]) / 2);
        }
}

static struct border border_of(const struct rule *rule)
{
    return rule ? (struct border){ rule->width, rule->color } : (struct border){ 0 };
}

static bool goes_down(const struct making *m, size_t row, size_t column, size_t columns)
{
    size_t stride = m->grid->table.n_columns + 1;

    if (row >= m->grid->table.n_rows)
        return false;
    for (size_t c = column; c < column + columns; c++)
        if (m->above[row * stride + c] || (c > column && m->before[row * stride + c]))
            return false;
    return true;
}

static void add_cell(struct making *m, bool *covered, size_t row, size_t column)
{
    struct table *t = &m->grid->table;
    size_t stride = t->n_columns + 1;
    struct cell *cell = &t->cells[t->n_cells++];

    *cell = (struct cell){
        .row = row, .column = column, .rows = 1, .columns = 1, .shade = STYLE_PLAIN
    };
    while (column + cell->columns < t->n_columns &&
           !m->before[row * stride + column + cell->columns] &&
           !covered[row * stride + column + cell->columns])
        cell->columns++;
    while (goes_down(m, row + cell->rows, column, cell->columns))
        cell->rows++;
    for (size_t r = row; r < row + cell->rows; r++)
        for (size_t c = column; c < column + cell->columns; c++)
            covered[r * stride + c] = true;
    cell->top = border_of(m->above[row * stride + column]);
    cell->bottom = border_of(m->above[(row + cell->rows) * stride + column]);
    cell->left = border_of(m->before[row * stride + column]);
    cell->right = border_of(m->before[row * stride + column + cell->columns]);
}

static void shade(const struct page_content *content, const struct grid *grid)
{
    for (size_t i = 0; i < grid->table.n_cells; i++) {
        struct cell *cell = &grid->table.cells[i];
        float x = (grid->xs[cell->column] + grid->xs[cell->column + cell->columns]) / 2;
        float y = (grid->ys[cell->row] + grid->ys[cell->row + cell->rows]) / 2;
        float h = grid->ys[cell->row + cell->rows] - grid->ys[cell->row];

        for (size_t k = 0; k < content->n_fills; k++) {
            const struct fill *fill = &content->fills[k];
            if (area_height(&fill->area) > 0.75F * h && area_width(&fill->area) > RULE_WIDTH &&
                area_has(&fill->area, x, y))
                cell->shade = fill->color;
        }
        if (cell->shade == 0xffffff)
            cell->shade = STYLE_PLAIN;
    }
}

void grid_measure(struct grid *grid)
{
    struct table *t = &grid->table;

    for (size_t i = 0; i < t->n_columns; i++)
        t->widths[i] = grid->xs[i + 1] - grid->xs[i];
    for (size_t i = 0; i < t->n_rows; i++)
        t->heights[i] = grid->ys[i + 1] - grid->ys[i];
    t->area =
        (struct area){ grid->xs[0], grid->ys[0], grid->xs[t->n_columns], grid->ys[t->n_rows] };
}

/* A table with room for its edges. */
static void size(struct arena *arena, struct grid *grid, size_t n_columns, size_t n_rows)
{
    *grid = (struct grid){ .table = { .n_columns = n_columns, .n_rows = n_rows } };
    grid->xs = ARENA_ARRAY(arena, float, n_columns + 1);
    grid->ys = ARENA_ARRAY(arena, float, n_rows + 1);
    grid->table.widths = ARENA_ARRAY(arena, float, n_columns);
    grid->table.heights = ARENA_ARRAY(arena, float, n_rows);
}

void grid_even(struct arena *arena, struct grid *grid, size_t n_columns, size_t n_rows)
{
    struct table *t = &grid->table;

    size(arena, grid, n_columns, n_rows);
    t->cells = ARENA_ARRAY(arena, struct cell, n_columns * n_rows);
    for (size_t r = 0; r < n_rows; r++)
        for (size_t c = 0; c < n_columns; c++)
            t->cells[t->n_cells++] = (struct cell){
                .row = r, .column = c, .rows = 1, .columns = 1, .shade = STYLE_PLAIN
            };
}

static void measure_edges(struct making *m, const struct edges *xs, const struct edges *ys)
{
    size(m->arena, m->grid, xs->n - 1, ys->n - 1);
    memcpy(m->grid->xs, xs->at, xs->n * sizeof *xs->at);
    memcpy(m->grid->ys, ys->at, ys->n * sizeof *ys->at);
    grid_measure(m->grid);
}

struct cell *grid_cell(const struct grid *grid, float x, float y)
{
    for (size_t i = 0; i < grid->table.n_cells; i++) {
        const struct cell *cell = &grid->table.cells[i];

        if (x >= grid->xs[cell->column] && x < grid->xs[cell->column + cell->columns] &&
            y >= grid->ys[cell->row] && y < grid->ys[cell->row + cell->rows])
            return &grid->table.cells[i];
    }
    return NULL;
}

/* A chart's grid, or a frame around everything, is not a table. */
static bool has_filled_cells(const struct grid *grid, const struct word *words, size_t n)
{
    size_t used = 0, inside = 0, cut = 0;
    bool *seen = calloc(grid->table.n_cells + 1, sizeof *seen);

    for (size_t i = 0; i < n && seen; i++) {
        struct place at = words_middle(&words[i]);
        const struct cell *cell =
            area_has(&grid->table.area, at.x, at.y) ? grid_cell(grid, at.x, at.y) : NULL;

        if (!cell)
            continue;
        inside++;
        used += !seen[cell - grid->table.cells];
        seen[cell - grid->table.cells] = true;
        if (words[i].rotated)
            continue;
        cut += words[i].area.x1 > grid->xs[cell->column + cell->columns] + 3 ||
               words[i].area.x0 < grid->xs[cell->column] - 3;
    }
    free(seen);
    if (grid->table.n_cells <= 4 && grid->table.area.y1 - grid->table.area.y0 > 300)
        return false;
    return grid->table.n_cells >= 2 && used >= 2 && used * 6 >= grid->table.n_cells &&
           cut * 8 <= inside;
}

static bool is_at_edge(const float *edges, size_t n, float at)
{
    for (size_t i = 0; i < n; i++)
        if (fabsf(edges[i] - at) < THINNEST)
            return true;
    return false;
}

/* What is drawn in a table is the table; but for what is small and in the midst of a cell, such as
 * a box to be ticked. */
static bool is_tables(const struct grid *grid, const struct area *a)
{
    const struct table *t = &grid->table;
    float w = area_width(a), h = area_height(a);

    if (a->x0 < t->area.x0 - 4 || a->x1 > t->area.x1 + 4 || a->y0 < t->area.y0 - 4 ||
        a->y1 > t->area.y1 + 4)
        return false;
    if (h <= RULE_WIDTH && w > h)
        return is_at_edge(grid->ys, t->n_rows + 1, (a->y0 + a->y1) / 2);
    if (w <= RULE_WIDTH)
        return is_at_edge(grid->xs, t->n_columns + 1, (a->x0 + a->x1) / 2);
    return w > SMALLEST || h > SMALLEST;
}

static void claim_fills(struct page_content *content, const struct grid *grid)
{
    for (size_t i = 0; i < content->n_fills; i++)
        if (is_tables(grid, &content->fills[i].area))
            claim_fill(&content->fills[i], grid->owner);
}

void grid_claim_frame(struct page_content *content, const struct grid *grid)
{
    for (size_t i = 0; i < content->n_fills; i++) {
        const struct area *a = &content->fills[i].area;

        if ((area_height(a) <= RULE_WIDTH || area_width(a) <= RULE_WIDTH) && is_tables(grid, a))
            claim_fill(&content->fills[i], grid->owner);
    }
}

void grid_claim(struct page_content *content, const struct grid *grid)
{
    shade(content, grid);
    claim_fills(content, grid);
}

/* Whether it is a row with a colour and no lines, of a tagged PDF: others of its table can be
 * without colour, and the tags say which they are. */
static bool is_stripe(const struct making *m, const struct page_content *content)
{
    for (size_t i = 0; i < m->n_rules; i++)
        if (m->rules[i]->width > 0)
            return false;
    return m->grid->table.n_rows == 1 && content->tags;
}

/* Leaves out edges at which no cell begins: of lines that divide no column. */
static void drop_rows(struct making *m)
{
    struct grid *grid = m->grid;
    struct table *t = &grid->table;
    size_t *places = ARENA_ARRAY(m->arena, size_t, t->n_rows + 1); /* of the rows that are kept */
    size_t kept = 0;

    for (size_t i = 0; i < t->n_cells; i++)
        places[t->cells[i].row] = 1;
    for (size_t row = 0; row < t->n_rows; row++) {
        bool begins = places[row];

        places[row] = kept;
        if (begins)
            grid->ys[kept++] = grid->ys[row];
    }
    grid->ys[kept] = grid->ys[t->n_rows];
    places[t->n_rows] = kept;
    for (size_t i = 0; i < t->n_cells; i++) {
        struct cell *cell = &t->cells[i];

        cell->rows = places[cell->row + cell->rows] - places[cell->row];
        cell->row = places[cell->row];
    }
    t->n_rows = kept;
    grid_measure(grid);
}

static bool make_grid(struct making *m, struct grid *grid)
{
    struct edges xs, ys;
    bool *covered;
    size_t stride;

    *grid = (struct grid){ 0 };
    m->grid = grid;
    find_edges(m, false, &xs);
    find_edges(m, true, &ys);
    if (xs.n < 2 || ys.n < 2 || (xs.n - 1) * (ys.n - 1) > MAX_CELLS || xs.n > 63)
        return false;
    measure_edges(m, &xs, &ys);
    mark_lines(m);
    stride = xs.n;
    covered = ARENA_ARRAY(m->arena, bool, stride *ys.n);
    grid->table.cells = ARENA_ARRAY(m->arena, struct cell, (xs.n - 1) * (ys.n - 1));
    for (size_t r = 0; r < grid->table.n_rows; r++)
        for (size_t c = 0; c < grid->table.n_columns; c++)
            if (!covered[r * stride + c])
                add_cell(m, covered, r, c);
    drop_rows(m);
    return true;
}

/* One cell with a line all around it. */
static bool is_box(const struct grid *grid)
{
    const struct cell *cell = &grid->table.cells[0];

    return grid->table.n_cells == 1 && cell->top.width > 0 && cell->left.width > 0 &&
           cell->bottom.width > 0 && cell->right.width > 0;
}

struct grid_list grid_find_all(struct arena *arena, const struct page_content *content,
                               struct word *words, size_t n_words, struct grid_list *boxes)
{
    struct rule_list rules = rules_find(arena, content);
    struct grid_list grids = { 0 };
    const struct rule **group = ARENA_ARRAY(arena, const struct rule *, rules.n);

    page_border_drop(arena, content, words, n_words, &rules);
    for (size_t i = 0; i < rules.n; i++) {
        struct making m = { .arena = arena, .rules = group };
        struct grid grid;
        size_t down = 0;

        if (rules.items[i].group != i)
            continue;
        for (size_t k = i; k < rules.n; k++)
            if (rules.items[k].group == i) {
                group[m.n_rules++] = &rules.items[k];
                down += !rules.items[k].across;
            }
        if (down == 0 || m.n_rules - down < 2 || !make_grid(&m, &grid))
            continue;
        if (is_box(&grid)) {
            shade(content, &grid);
            *ARENA_ADD(arena, boxes) = grid;
        }
        if (is_stripe(&m, content) || !has_filled_cells(&grid, words, n_words))
            continue;
        *ARENA_ADD(arena, &grids) = grid;
    }
    return grids;
}
