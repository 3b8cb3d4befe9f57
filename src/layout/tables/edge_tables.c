#include "layout/tables/edge_tables.h"

#include <math.h>

#include "layout/tables/continued_line.h"

#define LOW     0.25F /* of the page's height: rows of a table are lower, frames of a page are not */
#define GAP     1.0F  /* sizes: the white space between columns, at least, in the first line */
#define KEPT    0.4F  /* sizes of it that lines below leave white, at least */
#define COLUMNS 3     /* at least */
#define LINES   4     /* next to the line that continue the columns, at least */
#define MOST    24    /* lines that are looked at: most are lines of cells of several */
#define ROWS    2     /* of them that have text in all columns, at least */
#define PITCH   3.3F  /* sizes between the baselines of rows, at most */
#define BESIDE  0.8F  /* sizes: from a row to other lines of it, at most */
#define GAPS    32    /* of a line, at most */

/* White space of a line, and which of the first line's gaps it is a part of. */
struct gap {
    float x0, x1;
    size_t of;
};

struct gaps {
    struct gap items[GAPS];
    size_t n;
};

static bool row_is_divided(const struct grid *grid, size_t row)
{
    size_t cells = 0;

    for (size_t i = 0; i < grid->table.n_cells; i++)
        cells += grid->table.cells[i].row <= row &&
                 grid->table.cells[i].row + grid->table.cells[i].rows > row;
    return cells > 1;
}

/* Whether a ruled table reaches from an edge of the page beyond a height that headers have, by a
 * row of several cells. Where it does not, it is a header in a frame, or a frame around all text.
 */
static bool reaches(const struct grid *grid, float y, float height)
{
    for (size_t r = 0; r < grid->table.n_rows; r++)
        if (grid->ys[r] <= y && grid->ys[r + 1] > y)
            return grid->ys[r + 1] - grid->ys[r] < LOW * height && row_is_divided(grid, r);
    return false;
}

static void hold_grid(const struct grid *grid, struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);

        if (area_has(&grid->table.area, at.x, at.y))
            claim_reserve(&words[i]);
    }
}

static void find_gaps(const struct line *line, struct gaps *gaps)
{
    gaps->n = 0;
    for (size_t i = 1; i < line->words.n && gaps->n < GAPS; i++) {
        struct gap gap = { line->words.items[i - 1]->area.x1, line->words.items[i]->area.x0,
                           gaps->n };

        if (gap.x1 - gap.x0 > GAP * line->size)
            gaps->items[gaps->n++] = gap;
    }
}

static void add_part(struct gaps *gaps, float x0, float x1, size_t of, float least)
{
    if (x1 - x0 >= least && gaps->n < GAPS)
        gaps->items[gaps->n++] = (struct gap){ x0, x1, of };
}

/* Leaves of the gaps the parts that are white in the line too. Numbers that end where their column
 * ends cut the gap after a head that begins where it begins. */
static void narrow(struct gaps *gaps, const struct line *line)
{
    struct gaps left = { .n = 0 };

    for (size_t g = 0; g < gaps->n; g++) {
        struct gap gap = gaps->items[g];

        for (size_t i = 0; i < line->words.n; i++) {
            const struct area *area = &line->words.items[i]->area;

            if (area->x1 <= gap.x0 || area->x0 >= gap.x1)
                continue;
            add_part(&left, gap.x0, area->x0, gap.of, KEPT * line->size);
            gap.x0 = area->x1;
        }
        add_part(&left, gap.x0, gap.x1, gap.of, KEPT * line->size);
    }
    *gaps = left;
}

/* How many columns there are: one more than gaps of the first line of which something is left. */
static size_t columns(const struct gaps *gaps)
{
    size_t n = 1;

    for (size_t g = 0; g < gaps->n; g++)
        n += g == 0 || gaps->items[g].of != gaps->items[g - 1].of;
    return n;
}

/* Whether the lines next to line i (`step` 1: below it, -1: above it) continue its columns. */
static bool continues(const struct line_list *lines, size_t i, int step)
{
    struct gaps gaps, own;
    size_t n = 0, rows = 0;

    find_gaps(&lines->items[i], &gaps);
    for (size_t k = i; n < MOST && (n < LINES || rows < ROWS) && columns(&gaps) >= COLUMNS; n++) {
        const struct line *line = &lines->items[k], *next = line + step;

        if ((step < 0 ? k == 0 : k + 1 == lines->n) ||
            fabsf(next->base - line->base) > PITCH * line->size)
            break;
        k = (size_t) (next - lines->items);
        narrow(&gaps, next);
        find_gaps(next, &own);
        rows += own.n + 1 >= COLUMNS;
    }
    return n >= LINES && columns(&gaps) >= COLUMNS && rows >= ROWS;
}

static void hold_line(const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        claim_reserve(line->words.items[i]);
}

/* Whether a line is so near to one of a table, and between its ends, that it is of the same row. */
static bool is_same_row(const struct line *row, const struct line *line)
{
    return row->words.items[0]->reserved && fabsf(line->base - row->base) < BESIDE * row->size &&
           line->area.x0 >= row->area.x0 && line->area.x1 <= row->area.x1;
}

void edge_tables_reserve_rows(struct arena *arena, const struct page_content *content,
                              struct word *words, size_t n, float margin)
{
    struct line_list lines = words_make_upright_lines(arena, content, words, n);

    for (size_t i = 0; i < lines.n; i++) {
        struct line *line = &lines.items[i];
        bool top = line->area.y0<margin, bottom = line->area.y1> content->height - margin;

        if ((top && continues(&lines, i, 1)) || (bottom && continues(&lines, i, -1)) ||
            (top && i + 1 < lines.n && continues(&lines, i + 1, 1) && continued_line_is(line)))
            hold_line(line);
    }
    for (size_t i = 1; i < lines.n; i++) {
        if (is_same_row(&lines.items[i - 1], &lines.items[i]))
            hold_line(&lines.items[i]);
        else if (is_same_row(&lines.items[i], &lines.items[i - 1]))
            hold_line(&lines.items[i - 1]);
    }
}

void edge_tables_reserve_grids(const struct page_content *content, const struct grid_list *grids,
                               struct word *words, size_t n, float margin)
{
    for (size_t i = 0; i < grids->n; i++) {
        const struct grid *grid = &grids->items[i];
        float bottom = content->height - margin;

        if ((grid->table.area.y0 < margin && reaches(grid, margin, content->height)) ||
            (grid->table.area.y1 > bottom && reaches(grid, bottom, content->height)))
            hold_grid(grid, words, n);
    }
}

bool edge_tables_is_header(const struct word *words, size_t n, const struct grid *grid)
{
    size_t all = 0, used = 0;

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);

        if (!area_has(&grid->table.area, at.x, at.y))
            continue;
        all++;
        used += words[i].claimed_by != OWNER_NONE;
    }
    return all > 0 && used == all;
}
