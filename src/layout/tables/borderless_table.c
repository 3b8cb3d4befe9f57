#include "layout/tables/borderless_table.h"

#include <math.h>

#include "layout/tables/grid_check.h"
#include "layout/tables/gutters.h"
#include "layout/tables/records.h"

#define MOST        40   /* tables of a page */
#define COLUMNS     4    /* times that a page is divided at a space between columns */
#define MOST_WITHIN 0.5F /* of a region's words: those that are in one of the areas, at least */

#define BETTER  2 /* times as many segments share a cell of the ruled grids, at least */
#define STRIPED 4 /* times as many rows as segments that share a cell, at least */

struct finding {
    struct arena *arena;
    const struct page_content *content;
    struct rule_list rules;
    const struct grid_list *within; /* or NULL */
    struct grid_list grids;
};

/* Leaders are not written: the columns of the table say what belongs to what. */
static void drop_leaders(const struct line_list *lines, const struct grid *grid)
{
    for (size_t i = 0; i < lines->n; i++)
        for (size_t k = 0; k < lines->items[i].words.n; k++) {
            struct word *word = lines->items[i].words.items[k];
            struct place at = words_middle(word);

            if (word->dots && area_has(&grid->table.area, at.x, at.y) &&
                claim_word(word, OWNER_BORDERLESS_TABLE))
                word->role = ROLE_LEADER;
        }
}

static bool may_have_tables(const struct row_list *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++)
        n += rows->items[i].n > 1;
    return n > 1;
}

static const struct grid *grid_of(const struct grid_list *grids, const struct word *word)
{
    struct place at = words_middle(word);

    for (size_t i = 0; i < grids->n; i++)
        if (area_has(&grids->items[i].table.area, at.x, at.y))
            return &grids->items[i];
    return NULL;
}

/* Whether two words are in one cell of one grid. */
static bool share_cell(const struct grid_list *grids, const struct word *a, const struct word *b)
{
    const struct grid *grid = grid_of(grids, a);
    struct place p = words_middle(a), q = words_middle(b);

    return grid && grid == grid_of(grids, b) &&
           grid_cell(grid, p.x, p.y) == grid_cell(grid, q.x, q.y);
}

/* Whether the region is in the place of ruled grids, and explains the segments there better: far
 * fewer of them share a cell. */
static bool is_better(const struct finding *f, const struct region *region, const struct row *rows,
                      size_t n)
{
    size_t all = 0, in = 0, ruled = 0, shared = 0, within = 0, striped = 0;

    for (size_t r = 0; r < n; r++) {
        const struct grid *grid = grid_of(f->within, rows[r].line.words.items[0]);
        /* Such a row will have a segment in each column. */
        bool complete = rows[r].n == region->strips.n;

        within += grid != NULL;
        striped += grid && grid_check_is_stripe(f->within, grid);
        for (size_t i = 0; i < rows[r].line.words.n; i++)
            in += grid_of(f->within, rows[r].line.words.items[i]) != NULL;
        all += rows[r].line.words.n;
        for (size_t i = 1; i < rows[r].n; i++) {
            const struct segment *now = &rows[r].segments[i];

            ruled += share_cell(f->within, rows[r].line.words.items[now[-1].from],
                                rows[r].line.words.items[now->from]);
            shared += !complete && (now->first == SIZE_MAX || now->first == now[-1].last);
        }
        for (size_t i = 0; i < rows[r].n; i++)
            shared += !complete && rows[r].segments[i].last > rows[r].segments[i].first;
    }
    /* Stripes are rows of a table that has others. */
    if (striped > 1 && striped == within && within < n)
        return shared * STRIPED <= n;
    return (float) in >= MOST_WITHIN * (float) all && shared * BETTER <= ruled;
}

/* The part of each line that is left of x, or right of it. */
static struct line_list side_of(const struct finding *f, const struct line_list *lines, float x,
                                bool right)
{
    struct line_list side = { 0 };

    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->items[i];
        size_t at = 0;

        while (at < line->words.n && line->words.items[at]->area.x0 < x)
            at++;
        if (right ? at < line->words.n : at > 0)
            *ARENA_ADD(f->arena, &side) = right ? words_line_part(line, at, line->words.n - at)
                                                : words_line_part(line, 0, at);
    }
    return side;
}

static void find_tables(struct finding *f, const struct line_list *lines, bool may_split)
{
    struct search search = { .arena = f->arena,
                             .content = f->content,
                             .rows = rows_make(f->arena, lines),
                             .rules = f->rules };
    struct region region;

    if (!may_have_tables(&search.rows))
        return;
    while (f->grids.n < MOST && region_find(&search, &region)) {
        struct row *rows = &search.rows.items[region.from];
        size_t n = region.to - region.from;
        float x = may_split ? region_split(&search, &region) : NAN;

        for (size_t r = 0; r < n; r++)
            rows[r].used = true;
        if (f->within && !is_better(f, &region, rows, n))
            continue;
        if (!isnan(x)) {
            struct line_list whole = { 0 };

            for (size_t r = 0; r < n; r++)
                *ARENA_ADD(f->arena, &whole) = rows[r].line;
            for (int right = 0; right < 2; right++) {
                struct line_list side = side_of(f, &whole, x, right);

                find_tables(f, &side, false);
            }
            continue;
        }
        records_make(&search, &region, ARENA_ADD(f->arena, &f->grids));
        drop_leaders(lines, &f->grids.items[f->grids.n - 1]);
    }
}

static struct line_list lines_of(const struct line_list *lines, size_t from, size_t to)
{
    return (struct line_list){ .items = lines->items + from, .n = to - from };
}

/* Finds the tables in each column of running text, and in what is above and below the columns. */
static void find_in_columns(struct finding *f, const struct line_list *lines, int depth)
{
    struct gutter gutter;
    struct line_list parts[4];

    if (depth == COLUMNS || !gutters_find(f->arena, lines, &f->rules, &gutter)) {
        find_tables(f, lines, true);
        return;
    }
    parts[0] = lines_of(lines, 0, gutter.from);
    parts[1] = lines_of(lines, gutter.from, gutter.to);
    parts[2] = side_of(f, &parts[1], gutter.x - 1, true);
    parts[1] = side_of(f, &parts[1], gutter.x - 1, false);
    parts[3] = lines_of(lines, gutter.to, lines->n);
    for (size_t i = 0; i < 4; i++)
        if (parts[i].n)
            find_in_columns(f, &parts[i], depth + 1);
}

struct grid_list borderless_table_find_all(struct arena *arena, const struct page_content *content,
                                           const struct line_list *lines,
                                           const struct grid_list *within)
{
    struct finding f = { .arena = arena, .content = content, .within = within };
    size_t gaps = 0;

    for (size_t i = 0; i < lines->n && gaps < 2; i++)
        for (size_t k = 1; k < lines->items[i].words.n && gaps < 2; k++)
            gaps += lines->items[i].words.items[k]->area.x0 -
                        lines->items[i].words.items[k - 1]->area.x1 >
                    ROWS_WHITE * lines->items[i].size;
    if (gaps < 2)
        return f.grids;
    f.rules = rules_find(arena, content);
    find_in_columns(&f, lines, 0);
    return f.grids;
}
