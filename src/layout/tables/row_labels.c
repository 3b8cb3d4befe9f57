#include "layout/tables/row_labels.h"

#include <math.h>
#include <string.h>

#define ROWS     3    /* with a label, at least */
#define LABELLED 0.6F /* of the rows: those with a label, at least */
#define SLACK    2.0F /* points by which words can reach over a line of the table */
#define ALIGNED  1.5F /* points between the left edges of labels, at most */
#define EVEN     0.7F /* of the labels: those that begin at the left edge, at least */
#define LONGEST  40   /* characters of a label, on average: more are running text */
#define PADDING  3.0F /* points from the new edge to the labels */
#define TALLEST  3.0F /* sizes of its label: the height of a row, at most */
#define ONE_LINE 0.3F /* sizes between the baselines of one label's words, at most */

/* The label of a row. */
struct row_label {
    float x0, base;
    size_t chars;
    bool small; /* it begins with a small letter, as the second line of a text does */
};

static bool is_label_letter(uint32_t c)
{
    return (c | 0x20) - 'a' < 26 || c >= 0xc0;
}

static bool has_letters(const struct word *word)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (is_label_letter(word->glyphs[i].code))
            return true;
    return false;
}

/* Whether a point is in a table, or left of one that is between it and `x`. */
static bool is_others(const struct grid_list *grids, const struct word *word, float x)
{
    float y = word->base - 0.3F * word->size;

    for (size_t i = 0; i < grids->n; i++) {
        const struct area *a = &grids->items[i].table.area;

        if (y > a->y0 && y < a->y1 && a->x1 < x + SLACK && word->area.x0 < a->x1)
            return true;
    }
    return false;
}

/* Whether the first column has labels already: letters in most of its cells below the first. */
static bool has_own(const struct grid *grid, const struct word *words, size_t n)
{
    const struct table *t = &grid->table;
    size_t letters = 0, rows = t->n_rows - 1;

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);

        letters += at.x > grid->xs[0] && at.x < grid->xs[1] && at.y > grid->ys[1] &&
                   at.y < grid->ys[t->n_rows] && has_letters(&words[i]);
    }
    return letters * 2 > rows;
}

static size_t row_of(const struct grid *grid, float y)
{
    size_t row = 0;

    while (row + 1 < grid->table.n_rows && y >= grid->ys[row + 1])
        row++;
    return row;
}

/* Adds a word to the label of its row; false if it cannot be one. */
static bool add_word(const struct grid *grid, const struct word *word, struct row_label *row_labels)
{
    size_t row = row_of(grid, word->base - 0.3F * word->size);
    struct row_label *row_label = &row_labels[row];

    if (word->rotated || word->base < grid->ys[row] || word->base > grid->ys[row + 1] + SLACK ||
        grid->ys[row + 1] - grid->ys[row] > TALLEST * word->size ||
        (row_label->chars && fabsf(row_label->base - word->base) > ONE_LINE * word->size))
        return false;
    if (row_label->chars == 0 || word->area.x0 < row_label->x0) {
        row_label->x0 = word->area.x0;
        row_label->small = word->glyphs->code - 'a' < 26;
    }
    row_label->base = word->base;
    row_label->chars += word->n_glyphs;
    return true;
}

/* The left edge of the labels; 0 if the words are something else. */
static float edge_of(const struct row_label *row_labels, size_t n)
{
    size_t labels = 0, even = 0, small = 0, chars = 0;
    float left = INFINITY;

    for (size_t i = 0; i < n; i++)
        if (row_labels[i].chars)
            left = fminf(left, row_labels[i].x0);
    for (size_t i = 0; i < n; i++) {
        if (row_labels[i].chars == 0)
            continue;
        labels++;
        chars += row_labels[i].chars;
        small += row_labels[i].small;
        even += row_labels[i].x0 < left + ALIGNED;
    }
    if (labels < ROWS || (float) labels < LABELLED * (float) n ||
        (float) even < EVEN * (float) labels || small * 2 > labels || chars > LONGEST * labels)
        return 0;
    return fmaxf(left - PADDING, 0.1F);
}

static void add_column(struct arena *arena, struct grid *grid, float left)
{
    struct table *t = &grid->table;
    struct cell *cells = ARENA_ARRAY(arena, struct cell, t->n_cells + t->n_rows);
    float *xs = ARENA_ARRAY(arena, float, t->n_columns + 2);
    size_t n = 0, at = 0;

    xs[0] = left;
    memcpy(xs + 1, grid->xs, (t->n_columns + 1) * sizeof *xs);
    for (size_t r = 0; r < t->n_rows; r++) {
        cells[n++] = (struct cell){ .row = r, .rows = 1, .columns = 1, .shade = STYLE_PLAIN };
        for (; at < t->n_cells && t->cells[at].row <= r; at++) {
            cells[n] = t->cells[at];
            cells[n++].column++;
        }
    }
    t->cells = cells;
    t->n_cells = n;
    t->n_columns++;
    t->widths = ARENA_ARRAY(arena, float, t->n_columns);
    grid->xs = xs;
    grid_measure(grid);
}

void row_labels_add(struct arena *arena, const struct word *words, size_t n,
                    const struct grid_list *grids, struct grid *grid)
{
    const struct table *t = &grid->table;
    struct row_label *row_labels = ARENA_ARRAY(arena, struct row_label, t->n_rows);
    float left;

    if (t->n_rows < ROWS || t->n_columns < 2 || t->rtl || has_own(grid, words, n))
        return;
    memset(row_labels, 0, t->n_rows * sizeof *row_labels);
    for (size_t i = 0; i < n; i++) {
        const struct word *word = &words[i];

        if (word->claimed_by || word->base <= t->area.y0 || word->base > t->area.y1 + SLACK ||
            word->area.x0 >= grid->xs[0] - SLACK)
            continue;
        if (is_others(grids, word, grid->xs[0]))
            continue;
        if (word->area.x1 > grid->xs[0] + SLACK || !add_word(grid, word, row_labels))
            return;
    }
    left = edge_of(row_labels, t->n_rows);
    if (left > 0)
        add_column(arena, grid, left);
}
