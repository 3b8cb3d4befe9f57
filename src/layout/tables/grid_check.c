#include "layout/tables/grid_check.h"

#include <math.h>

#include "layout/regions/rows.h"

#define ROWS      1    /* with several segments in a cell, at least */
#define SHARED    0.4F /* of the rows that have several segments: those, at least */
#define SAME_EDGE 2    /* points: edges of columns are at the same place */

static bool is_in(const struct grid *grid, const struct word *word)
{
    struct place at = words_middle(word);

    return !word->rotated && area_has(&grid->table.area, at.x, at.y);
}

static const struct cell *cell_of(const struct grid *grid, const struct row *row, size_t i)
{
    const struct segment *segment = &row->segments[i];
    struct place at = words_middle(row->line.words.items[segment->from]);

    return grid_cell(grid, at.x, at.y);
}

bool grid_check_is_doubtful(struct arena *arena, const struct page_content *content,
                            struct word *words, size_t n, const struct grid *grid)
{
    struct word **inside = ARENA_ARRAY(arena, struct word *, n);
    size_t n_inside = 0, several = 0, shared = 0;
    struct line_list lines;
    struct row_list rows;

    for (size_t i = 0; i < n; i++)
        if (!words[i].claimed_by && is_in(grid, &words[i]))
            inside[n_inside++] = &words[i];
    lines = words_make_lines(arena, content, inside, n_inside, true);
    rows = rows_make(arena, &lines);
    for (size_t r = 0; r < rows.n; r++) {
        const struct row *row = &rows.items[r];
        bool is_shared = false;

        for (size_t i = 1; i < row->n && !is_shared; i++)
            is_shared = cell_of(grid, row, i) == cell_of(grid, row, i - 1);
        several += row->n > 1;
        shared += is_shared;
    }
    return shared >= ROWS && (float) shared >= SHARED * (float) several;
}

static bool has_same_columns(const struct grid *a, const struct grid *b)
{
    if (a->table.n_columns != b->table.n_columns)
        return false;
    for (size_t i = 0; i <= a->table.n_columns; i++)
        if (fabsf(a->xs[i] - b->xs[i]) > SAME_EDGE)
            return false;
    return true;
}

bool grid_check_is_stripe(const struct grid_list *grids, const struct grid *grid)
{
    for (size_t i = 0; i < grids->n && grid->table.n_rows == 1; i++)
        if (&grids->items[i] != grid && grids->items[i].table.n_rows == 1 &&
            has_same_columns(&grids->items[i], grid))
            return true;
    return false;
}

static size_t count_words(const struct word *words, size_t n, const struct grid *grid, bool claimed)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += is_in(grid, &words[i]) && (words[i].claimed_by != OWNER_NONE) == claimed;
    return count;
}

bool grid_check_is_claimed(const struct word *words, size_t n, const struct grid *grid)
{
    return count_words(words, n, grid, true) > count_words(words, n, grid, false);
}

bool grid_check_is_all_claimed(const struct word *words, size_t n, const struct grid *grid)
{
    return count_words(words, n, grid, true) > 0 && count_words(words, n, grid, false) == 0;
}
