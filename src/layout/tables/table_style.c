#include "layout/tables/table_style.h"

#include <math.h>

#define REACH   0.45F /* of a row's height: how far from its edge a line can be */
#define OUTSIDE 10.0F /* points: the same, above and below the table */
#define PADDING 5.4F  /* points, as cells have it */

float table_style_edge(float from, float to, bool right_before, bool left_after)
{
    float pad = fminf(PADDING, (to - from) / 2);

    return right_before ? from + pad : left_after ? to - pad : (from + to) / 2;
}

/* The rule that a row's edge is, or NULL. */
static const struct rule *near_edge(const struct rule_list *rules, const struct grid *grid,
                                    size_t row)
{
    const struct table *table = &grid->table;
    float above = row > 0 ? REACH * table->heights[row - 1] : OUTSIDE;
    float below = row < table->n_rows ? REACH * table->heights[row] : OUTSIDE;
    const struct rule *found = NULL;

    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->items[i];
        float shared = fminf(rule->to, table->area.x1) - fmaxf(rule->from, table->area.x0);
        float y = grid->ys[row];

        if (!rule->across || rule->width <= 0 || shared < 0.3F * area_width(&table->area) ||
            rule->at < y - above || rule->at > y + below)
            continue;
        if (!found || fabsf(rule->at - y) < fabsf(found->at - y))
            found = rule;
    }
    return found;
}

/* The rule between two columns that their edge is, or NULL. */
static const struct rule *near_column(const struct rule_list *rules, const struct grid *grid,
                                      size_t column)
{
    const struct table *table = &grid->table;
    const struct rule *found = NULL;

    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->items[i];
        float shared = fminf(rule->to, table->area.y1) - fmaxf(rule->from, table->area.y0);
        float far = fabsf(rule->at - grid->xs[column]);

        if (rule->across || rule->width <= 0 || shared < 0.3F * area_height(&table->area) ||
            far > OUTSIDE || (found && far > fabsf(found->at - grid->xs[column])))
            continue;
        found = rule;
    }
    return found;
}

static void move_columns(const struct rule_list *rules, struct grid *grid)
{
    struct table *table = &grid->table;

    for (size_t i = 0; i <= table->n_columns; i++) {
        const struct rule *rule = near_column(rules, grid, i);

        if (rule && (i == 0 || rule->at > grid->xs[i - 1] + 1) &&
            (i == table->n_columns || rule->at < grid->xs[i + 1] - 1))
            grid->xs[i] = rule->at;
    }
    for (size_t i = 0; i < table->n_columns; i++)
        table->widths[i] = grid->xs[i + 1] - grid->xs[i];
    table->area.x0 = grid->xs[0];
    table->area.x1 = grid->xs[table->n_columns];
}

static struct border border_down(const struct rule_list *rules, float x, float y)
{
    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->items[i];

        if (!rule->across && rule->width > 0 && fabsf(rule->at - x) < RULE_SNAP &&
            rule->from <= y && rule->to >= y)
            return (struct border){ rule->width, rule->color };
    }
    return (struct border){ 0 };
}

static struct border border_at(const struct rule_list *rules, float y, float x)
{
    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->items[i];

        if (rule->across && rule->width > 0 && fabsf(rule->at - y) < RULE_SNAP && rule->from <= x &&
            rule->to >= x)
            return (struct border){ rule->width, rule->color };
    }
    return (struct border){ 0 };
}

static void move_rows(struct grid *grid, const float *ys)
{
    struct table *table = &grid->table;

    for (size_t i = 0; i <= table->n_rows; i++)
        grid->ys[i] = ys[i];
    for (size_t i = 0; i < table->n_rows; i++)
        table->heights[i] = ys[i + 1] - ys[i];
    table->area.y0 = ys[0];
    table->area.y1 = ys[table->n_rows];
}

/* The outer columns go as far as lines and colours of the rows do. */
static void widen(struct grid *grid, const struct rule_list *rules)
{
    struct table *table = &grid->table;
    size_t n = table->n_columns;
    float from = grid->xs[0], to = grid->xs[n];

    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->items[i];

        if (!rule->across || rule->at < grid->ys[0] - 1 || rule->at > grid->ys[table->n_rows] + 1 ||
            rule->from > grid->xs[n] || rule->to < grid->xs[0])
            continue;
        from = fminf(from, rule->from);
        to = fmaxf(to, rule->to);
    }
    table->widths[0] += grid->xs[0] - from;
    table->widths[n - 1] += to - grid->xs[n];
    table->area.x0 = grid->xs[0] = from;
    table->area.x1 = grid->xs[n] = to;
}

void table_style_set(struct arena *arena, struct page_content *content,
                     const struct rule_list *rules, struct grid *grid)
{
    struct table *table = &grid->table;
    float *ys = ARENA_ARRAY(arena, float, table->n_rows + 1);

    for (size_t i = 0; i <= table->n_rows; i++) {
        const struct rule *rule = near_edge(rules, grid, i);

        ys[i] = rule ? rule->at : grid->ys[i];
    }
    move_rows(grid, ys);
    widen(grid, rules);
    move_columns(rules, grid);
    for (size_t i = 0; i < table->n_cells; i++) {
        struct cell *cell = &table->cells[i];
        float x = (grid->xs[cell->column] + grid->xs[cell->column + cell->columns]) / 2;
        float y = (ys[cell->row] + ys[cell->row + cell->rows]) / 2;

        cell->top = border_at(rules, ys[cell->row], x);
        cell->bottom = border_at(rules, ys[cell->row + cell->rows], x);
        cell->left = border_down(rules, grid->xs[cell->column], y);
        cell->right = border_down(rules, grid->xs[cell->column + cell->columns], y);
    }
    grid_claim(content, grid);
}
