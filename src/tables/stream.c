#include "tables/stream.h"

#include <math.h>
#include <string.h>

#include "page/rules.h"
#include "tables/dress.h"

#define ROWS      3     /* at least */
#define COLUMNS   3     /* at least */
#define MOST      20    /* columns */
#define WHITE     0.75F /* sizes: between columns, in all rows */
#define WIDE      1.2F  /* sizes: between two cells of a row, somewhere in it */
#define CELL      24    /* characters, at most, as a mean */
#define FAR       2.2F  /* sizes between baselines of rows */
#define RULED     5.0F  /* the same, with a line between them */
#define TOLERANCE 0.3F  /* sizes: edges that are one below the other */

struct strips {
    struct column items[MOST]; /* what the rows take of the width */
    size_t n;
};

/* Takes a row's words in; strips that come nearer than the white become one. */
static bool take_in(struct strips *strips, const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++) {
        struct column now = { line->words.items[i]->area.x0, line->words.items[i]->area.x1 };
        size_t kept = 0;

        for (size_t k = 0; k < strips->n; k++) {
            struct column *strip = &strips->items[k];

            if (strip->x0 - now.x1 < WHITE * line->size &&
                now.x0 - strip->x1 < WHITE * line->size) {
                now.x0 = fminf(now.x0, strip->x0);
                now.x1 = fmaxf(now.x1, strip->x1);
            } else {
                strips->items[kept++] = *strip;
            }
        }
        if (kept == MOST)
            return false;
        strips->n = kept;
        while (kept > 0 && strips->items[kept - 1].x0 > now.x0) {
            strips->items[kept] = strips->items[kept - 1];
            kept--;
        }
        strips->items[kept] = now;
        strips->n++;
    }
    return true;
}

static size_t wide_gaps(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 1; i < line->words.n; i++)
        n += line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1 > WIDE * line->size;
    return n;
}

struct sides {
    bool left, right; /* where most of a strip's cells begin, or end, at the same place */
    bool numbers;     /* they end there more exactly */
};

static struct sides sides_of(const struct line *lines, size_t n, const struct column *strip)
{
    size_t cells = 0, left = 0, right = 0;
    float before = 0, after = 0;

    for (size_t i = 0; i < n; i++) {
        float from = INFINITY, to = -INFINITY, tolerance = TOLERANCE * lines[i].size;

        for (size_t k = 0; k < lines[i].words.n; k++) {
            const struct area *a = &lines[i].words.items[k]->area;

            if (a->x0 < strip->x0 - 1 || a->x1 > strip->x1 + 1)
                continue;
            from = fminf(from, a->x0);
            to = fmaxf(to, a->x1);
        }
        if (from > to)
            continue;
        cells++;
        left += from - strip->x0 < tolerance;
        right += strip->x1 - to < tolerance;
        before += from - strip->x0;
        after += strip->x1 - to;
    }
    return (struct sides){ cells >= 1 && left * 10 >= cells * 7,
                           cells >= 1 && right * 10 >= cells * 7, after < 0.5F * before };
}

static bool is_table(const struct line *lines, size_t n, const struct strips *strips)
{
    size_t chars = 0, aligned = 0, rich = 0;

    if (n < ROWS || strips->n < COLUMNS)
        return false;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < lines[i].words.n; k++)
            chars += lines[i].words.items[k]->n_glyphs;
        rich += wide_gaps(&lines[i]) + 1 >= COLUMNS;
    }
    for (size_t i = 0; i < strips->n; i++) {
        struct sides sides = sides_of(lines, n, &strips->items[i]);

        aligned += sides.left || sides.right;
    }
    return chars < CELL * n * strips->n && aligned * 10 >= strips->n * 8 && rich * 3 >= n * 2;
}

static void make(struct arena *arena, const struct line *lines, size_t n,
                 const struct strips *strips, struct grid *grid)
{
    grid_even(arena, grid, strips->n, n);
    for (size_t i = 1; i < strips->n; i++) {
        struct sides last = sides_of(lines, n, &strips->items[i - 1]);
        struct sides next = sides_of(lines, n, &strips->items[i]);

        grid->xs[i] = dress_edge(strips->items[i - 1].x1, strips->items[i].x0,
                                 last.right && (last.numbers || !last.left),
                                 next.left && !(next.right && next.numbers));
    }
    grid->xs[0] = strips->items[0].x0 - 5.4F;
    grid->xs[strips->n] = strips->items[strips->n - 1].x1 + 6;
    for (size_t i = 0; i <= n; i++)
        grid->ys[i] = i == 0   ? lines[0].area.y0
                      : i == n ? lines[n - 1].area.y1
                               : (lines[i - 1].area.y1 + lines[i].area.y0) / 2;
    grid_measure(grid);
}

/* Whether a line is drawn between two rows, which can then be further from each other. */
static bool is_ruled(const struct sheet *sheet, const struct line *line, const struct line *next)
{
    if (next->base - line->base > RULED * line->size)
        return false;
    for (size_t i = 0; i < sheet->n_fills; i++) {
        const struct area *a = &sheet->fills[i].area;

        if (area_height(a) <= RULE_WIDTH && a->y0 > line->base && a->y1 < next->base &&
            a->x0 < line->area.x0 + 2 && a->x1 > line->area.x1 - 2)
            return true;
    }
    return false;
}

/* How many lines from the first on have white strips in common. */
static size_t reach(const struct sheet *sheet, const struct line *lines, size_t n,
                    struct strips *strips)
{
    size_t i = 0;

    strips->n = 0;
    while (i < n && wide_gaps(&lines[i]) >= 1) {
        struct strips more = *strips;

        if (i > 0 && ((lines[i].base - lines[i - 1].base > FAR * lines[i].size &&
                       !is_ruled(sheet, &lines[i - 1], &lines[i])) ||
                      lines[i].base - lines[i - 1].base < 0.6F * lines[i].size))
            break;
        if (!take_in(&more, &lines[i]) || (i > 0 && more.n < COLUMNS))
            break;
        *strips = more;
        i++;
    }
    return i;
}

struct grid_list streams_find(struct arena *arena, const struct sheet *sheet,
                              const struct line_list *lines)
{
    struct grid_list grids = { 0 };

    for (size_t i = 0; i < lines->n;) {
        struct strips strips;
        size_t n = reach(sheet, &lines->items[i], lines->n - i, &strips);

        if (!is_table(&lines->items[i], n, &strips)) {
            i++;
            continue;
        }
        make(arena, &lines->items[i], n, &strips, ARENA_ADD(arena, &grids));
        i += n;
    }
    return grids;
}
