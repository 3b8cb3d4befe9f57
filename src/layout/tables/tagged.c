#include "layout/tables/tagged.h"

#include <math.h>

#include "layout/tables/table_style.h"

#define MOST_ROWS    400
#define MOST_COLUMNS 40
#define MOST_TABLES  40

/* What the cells of a row, or of a column, take. */
struct span {
    float from, to;
    size_t n, left, right; /* cells; those that begin, and that end, where the outermost does */
};

struct making {
    struct arena *arena;
    const struct page_content *content;
    const struct word *words;
    size_t n_words;
    uint32_t table;
    int first_row, n_rows, n_columns;
    struct span *rows, *columns;
    const struct page_tag **cells; /* that begin at each field */
};

/* The cell a word is in, of this table; or NULL. */
static const struct page_tag *cell_of(const struct making *m, const struct word *word)
{
    const struct page_tag *tag = &m->content->tags[word->glyphs->tag];

    return word->claimed_by == OWNER_NONE && !word->rotated && tag->table == m->table &&
                   tag->row >= 0 && tag->column >= 0
               ? tag
               : NULL;
}

static bool measure_cells(struct making *m)
{
    int last = -1, right = 0;
    size_t n = 0;

    m->first_row = 1 << 30;
    for (size_t i = 0; i < m->n_words; i++) {
        const struct page_tag *cell = cell_of(m, &m->words[i]);

        if (!cell)
            continue;
        m->first_row = cell->row < m->first_row ? cell->row : m->first_row;
        last = cell->row > last ? cell->row : last;
        right = cell->column + cell->columns > right ? cell->column + cell->columns : right;
        n++;
    }
    m->n_rows = last - m->first_row + 1;
    m->n_columns = right;
    return n > 1 && m->n_rows >= 1 && m->n_rows <= MOST_ROWS && right >= 2 && right <= MOST_COLUMNS;
}

static void widen(struct span *span, float from, float to)
{
    span->from = fminf(span->from, from);
    span->to = fmaxf(span->to, to);
}

/* Where the cells of a column begin and end. */
static void align(struct making *m, const struct span *boxes)
{
    for (int r = 0; r < m->n_rows; r++)
        for (int c = 0; c < m->n_columns; c++) {
            const struct page_tag *cell = m->cells[r * m->n_columns + c];
            const struct span *box = &boxes[r * m->n_columns + c];
            struct span *column = &m->columns[c];

            if (!cell || cell->columns > 1)
                continue;
            column->n++;
            column->left += box->from - column->from < 1.5F;
            column->right += column->to - box->to < 1.5F;
        }
}

static void collect_words(struct making *m)
{
    struct span *boxes =
        ARENA_ARRAY(m->arena, struct span, (size_t) m->n_rows * (size_t) m->n_columns);

    m->rows = ARENA_ARRAY(m->arena, struct span, (size_t) m->n_rows);
    m->columns = ARENA_ARRAY(m->arena, struct span, (size_t) m->n_columns);
    m->cells =
        ARENA_ARRAY(m->arena, const struct page_tag *, (size_t) m->n_rows *(size_t) m->n_columns);
    for (int i = 0; i < m->n_rows * m->n_columns; i++)
        boxes[i] = (struct span){ .from = INFINITY, .to = -INFINITY };
    for (int i = 0; i < m->n_rows; i++)
        m->rows[i] = (struct span){ .from = INFINITY, .to = -INFINITY };
    for (int i = 0; i < m->n_columns; i++)
        m->columns[i] = (struct span){ .from = INFINITY, .to = -INFINITY };
    for (size_t i = 0; i < m->n_words; i++) {
        const struct area *a = &m->words[i].area;
        const struct page_tag *cell = cell_of(m, &m->words[i]);
        int row = cell ? cell->row - m->first_row : 0;

        if (!cell)
            continue;
        m->cells[row * m->n_columns + cell->column] = cell;
        widen(&boxes[row * m->n_columns + cell->column], a->x0, a->x1);
        if (cell->rows == 1)
            widen(&m->rows[row], a->y0, a->y1);
        if (cell->columns == 1)
            widen(&m->columns[cell->column], a->x0, a->x1);
    }
    align(m, boxes);
}

/* Most cells of a column begin, or end, at one place. */
static bool spans_all(size_t n, const struct span *span)
{
    return span->n > 1 && n * 10 >= span->n * 7;
}

/* The edges between neighbours; false if they overlap. */
static bool edges(struct arena *arena, const struct span *spans, int n, float **at)
{
    float *edge = ARENA_ARRAY(arena, float, (size_t) n + 1);
    float end = -INFINITY;

    *at = edge;
    for (int i = 0; i < n; i++) {
        if (spans[i].from > spans[i].to)
            return false;
        if (i > 0 && spans[i].from < end - 2)
            return false;
        edge[i] = i == 0 ? spans[0].from - (spans[0].n ? 5.4F : 3)
                         : table_style_edge(end, spans[i].from,
                                            spans_all(spans[i - 1].right, &spans[i - 1]) &&
                                                !spans_all(spans[i - 1].left, &spans[i - 1]),
                                            spans_all(spans[i].left, &spans[i]));
        if (i > 0 && edge[i] <= edge[i - 1])
            return false;
        end = spans[i].to;
    }
    edge[n] = end + (spans[0].n ? 6 : 3);
    return edge[n] > edge[n - 1];
}

static void add_cells(const struct making *m, struct table *table)
{
    size_t rows = (size_t) m->n_rows, columns = (size_t) m->n_columns;
    bool *covered = ARENA_ARRAY(m->arena, bool, rows *columns);

    table->cells = ARENA_ARRAY(m->arena, struct cell, rows * columns);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            const struct page_tag *tag = m->cells[r * columns + c];
            struct cell *cell = &table->cells[table->n_cells];

            if (covered[r * columns + c])
                continue;
            table->n_cells++;
            *cell = (struct cell){
                .row = r, .column = c, .rows = 1, .columns = 1, .shade = STYLE_PLAIN
            };
            while (tag && c + cell->columns < columns && (int) cell->columns < tag->columns &&
                   !covered[r * columns + c + cell->columns])
                cell->columns++;
            while (tag && r + cell->rows < rows && (int) cell->rows < tag->rows)
                cell->rows++;
            for (size_t y = r; y < r + cell->rows; y++)
                for (size_t x = c; x < c + cell->columns; x++)
                    covered[y * columns + x] = true;
        }
}

static bool make_tagged_grid(struct making *m, struct grid *grid)
{
    struct table *table = &grid->table;

    *grid = (struct grid){ 0 };
    if (!measure_cells(m))
        return false;
    collect_words(m);
    if (!edges(m->arena, m->columns, m->n_columns, &grid->xs) ||
        !edges(m->arena, m->rows, m->n_rows, &grid->ys))
        return false;
    table->n_rows = (size_t) m->n_rows;
    table->n_columns = (size_t) m->n_columns;
    table->widths = ARENA_ARRAY(m->arena, float, table->n_columns);
    table->heights = ARENA_ARRAY(m->arena, float, table->n_rows);
    for (size_t i = 0; i < table->n_columns; i++)
        table->widths[i] = grid->xs[i + 1] - grid->xs[i];
    for (size_t i = 0; i < table->n_rows; i++)
        table->heights[i] = grid->ys[i + 1] - grid->ys[i];
    table->area = (struct area){ grid->xs[0], grid->ys[0], grid->xs[table->n_columns],
                                 grid->ys[table->n_rows] };
    add_cells(m, table);
    return true;
}

struct grid_list tagged_tables(struct arena *arena, const struct page_content *content,
                               const struct word *words, size_t n)
{
    struct grid_list grids = { 0 };
    uint32_t seen[MOST_TABLES];
    size_t n_seen = 0;

    for (size_t i = 0; content->tags && i < n && n_seen < MOST_TABLES; i++) {
        uint32_t table = words[i].claimed_by ? 0 : content->tags[words[i].glyphs->tag].table;
        struct making m = {
            .arena = arena, .content = content, .words = words, .n_words = n, .table = table
        };
        struct grid grid;
        bool known = table == 0;

        for (size_t k = 0; k < n_seen && !known; k++)
            known = seen[k] == table;
        if (known)
            continue;
        seen[n_seen++] = table;
        if (make_tagged_grid(&m, &grid))
            *ARENA_ADD(arena, &grids) = grid;
    }
    return grids;
}
