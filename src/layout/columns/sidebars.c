#include "layout/columns/sidebars.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "layout/columns/column_gap.h"

#define CANDIDATES 24   /* places where a right column can begin */
#define MOST       1500 /* lines of a page that is looked at */
#define MOST_ITEMS 200  /* limit of items that are not lines */
#define EDGES      5    /* lines that have a word at one, at least */
#define PANEL      120  /* points: the height of what is coloured, at least */
#define TURNS      12   /* of looking for them */
#define PASSED     UCHAR_MAX
#define KNOWN      0.85F /* of the lines */
#define PIECE      0.85F /* sizes of white between pieces of a line */

struct finding {
    struct arena *arena;
    const struct page_content *content;
    const struct line_list *lines;
    const struct item_list *items;
    struct column_gap_row *rows;
    size_t n_rows;
};

/* A title above both columns is of none, even if it is as narrow as one. */
static bool is_title(const struct finding *f, const struct column_gap_row *row,
                     const struct column_gap_row *next)
{
    if (row->size < 1.3F * next->size || next->y0 < row->base ||
        (row->left.words.n && row->right.words.n))
        return false;
    for (size_t i = 0; i < f->items->n; i++)
        if (f->items->items[i].area.y0 < row->base && f->items->items[i].area.y1 > row->y0)
            return false;
    return true;
}

struct found {
    struct column_gap_strip strip;
    size_t from, to;
};

/* The longest part of the rows that is two columns, if it is longer than what was found. */
static void look_at_strip(struct finding *f, const struct column_gap_strip *strip,
                          struct found *found)
{
    f->n_rows = column_gap_rows(f->lines, f->items, strip, f->rows);
    for (size_t i = 0; i < f->n_rows;) {
        size_t from = i, to = i;

        while (to < f->n_rows && !f->rows[to].across && (to == i || !f->rows[to].cut))
            to++;
        i = to > i ? to : i + 1;
        if (to - from <= found->to - found->from)
            continue;
        while (to - from > 1 && is_title(f, &f->rows[from], &f->rows[from + 1]))
            from++;
        if (to - from > found->to - found->from &&
            column_gap_is(f->rows + from, to - from, strip->panel != NULL))
            *found = (struct found){ *strip, from, to };
    }
}

/* The pieces of the lines, and the other items. */
static struct item_list pieces_of(const struct finding *f, const struct line_list *lines,
                                  const struct area *area)
{
    struct line_list *pieces = ARENA_NEW(f->arena, struct line_list);
    struct item_list list = { 0 };

    *pieces = words_cut_lines(f->arena, f->content, lines, PIECE, false);
    for (size_t i = 0; i < pieces->n; i++)
        *ARENA_ADD(f->arena, &list) =
            (struct item){ .area = pieces->items[i].area, .line = &pieces->items[i] };
    for (size_t i = 0; i < f->items->n; i++) {
        const struct area *a = &f->items->items[i].area;

        if (!f->items->items[i].side && area_has(area, (a->x0 + a->x1) / 2, (a->y0 + a->y1) / 2))
            *ARENA_ADD(f->arena, &list) = f->items->items[i];
    }
    return list;
}

static size_t count_lines(const struct item_list *items, float y0, float y1)
{
    size_t n = 0;

    for (size_t i = 0; i < items->n; i++) {
        const struct line *line = items->items[i].line;

        n += line && line->base >= y0 && line->base <= y1;
    }
    return n;
}

/* Whether all columns of a band have running text. */
static bool is_prose(const struct band *band)
{
    for (size_t k = 0; k < band->n_columns; k++) {
        size_t lines = 0, chars = 0;

        for (size_t i = 0; i < band->contents[k].n; i++)
            if (band->contents[k].items[i].line) {
                chars += column_gap_chars(band->contents[k].items[i].line);
                lines++;
            }
        if (chars < BESIDE_PROSE * lines)
            return false;
    }
    return true;
}

/* How many lines stand in columns that are found without us, with the same white between them; or
 * in columns that can only be right. */
static size_t count_found(const struct band_list *bands, float x0, float x1, float y0, float y1)
{
    size_t n = 0;

    for (size_t i = 0; i < bands->n; i++) {
        const struct band *band = &bands->items[i];
        bool parted = band->n_columns > 1 && is_prose(band);

        for (size_t k = 0; k + 1 < band->n_columns; k++)
            parted |= band->columns[k].x1 < x1 && band->columns[k + 1].x0 > x0;
        for (size_t k = 0; parted && k < band->n_columns; k++)
            n += count_lines(&band->contents[k], y0, y1);
    }
    return n;
}

/* How many lines are in columns next to a longer one. */
static size_t count_side_by_side(const struct band_list *bands)
{
    size_t n = 0;

    for (size_t i = 0; i < bands->n; i++) {
        size_t most = 0;

        for (size_t k = 0; k < bands->items[i].n_columns; k++) {
            size_t lines = count_lines(&bands->items[i].contents[k], -INFINITY, INFINITY);

            n += lines;
            most = lines > most ? lines : most;
        }
        n -= most;
    }
    return n;
}

/* Whether there are columns within one of them. */
static bool is_split(const struct finding *f, const struct found *found, bool right)
{
    struct line_list lines = { 0 };
    struct area area = { right ? found->strip.x - COLUMN_GAP_SAME : -INFINITY,
                         f->rows[found->from].y0,
                         right ? INFINITY : found->strip.x - COLUMN_GAP_SAME,
                         f->rows[found->to - 1].y1 };
    struct item_list items;
    struct band_list bands;

    for (size_t i = found->from; i < found->to; i++) {
        const struct line *line = right ? &f->rows[i].right : &f->rows[i].left;

        if (line->words.n)
            *ARENA_ADD(f->arena, &lines) = *line;
    }
    items = pieces_of(f, &lines, &area);
    bands = column_layout_find(f->arena, &items);
    return count_side_by_side(&bands) * 4 > items.n;
}

/* Whether the columns are found without us, by the white between them. */
static bool is_known_pair(const struct finding *f, const struct found *found)
{
    struct area page = { -INFINITY, -INFINITY, INFINITY, INFINITY };
    struct item_list items = pieces_of(f, f->lines, &page);
    struct band_list bands = column_layout_find(f->arena, &items);
    float y0 = f->rows[found->from].base, y1 = f->rows[found->to - 1].base, x0 = 0;

    for (size_t i = found->from; i < found->to; i++)
        if (f->rows[i].left.words.n)
            x0 = fmaxf(x0, f->rows[i].left.area.x1);
    return (float) count_found(&bands, x0, found->strip.x, y0, y1) >
           KNOWN * (float) count_lines(&items, y0, y1);
}

/* Where several lines have a word that begins there, with white before it. */
static size_t find_edges(struct arena *arena, const struct line_list *lines,
                         struct column_gap_strip *strips)
{
    struct {
        float *items;
        size_t n, cap;
    } at = { 0 };
    size_t n = 0, counts[CANDIDATES];

    for (size_t i = 0; i < lines->n; i++)
        for (size_t k = 0; k < lines->items[i].words.n; k++) {
            struct word **word = &lines->items[i].words.items[k];

            if (k == 0 || word[0]->area.x0 - word[-1]->area.x1 >= COLUMN_GAP_GUTTER)
                *ARENA_ADD(arena, &at) = word[0]->area.x0;
        }
    if (at.n)
        qsort(at.items, at.n, sizeof *at.items, num_compare_floats);
    for (size_t i = 0; i < at.n;) {
        size_t first = i, place = n;

        while (i < at.n && at.items[i] - at.items[first] < COLUMN_GAP_SAME)
            i++;
        for (size_t k = 0; n == CANDIDATES && k < n; k++)
            place = place == n || counts[k] < counts[place] ? k : place;
        if (i - first < EDGES || (n == CANDIDATES && counts[place] >= i - first))
            continue;
        counts[place] = i - first;
        strips[place] = (struct column_gap_strip){ .x = at.items[first] };
        n += n < CANDIDATES;
    }
    return n;
}

/* The edges of coloured areas that are as high as a column. */
static size_t find_panels(const struct page_content *content, struct column_gap_strip *strips)
{
    size_t n = 0;

    for (size_t i = 0; i < content->n_fills && n + 2 <= CANDIDATES; i++) {
        const struct area *a = &content->fills[i].area;

        if (content->fills[i].stroked || content->fills[i].color == 0xffffff ||
            area_height(a) < PANEL || area_width(a) < 0.1F * content->width ||
            area_width(a) > 0.7F * content->width)
            continue;
        if (a->x0 > 0.1F * content->width)
            strips[n++] = (struct column_gap_strip){ a, a->x0 + COLUMN_GAP_SAME, true };
        if (a->x1 < 0.9F * content->width)
            strips[n++] = (struct column_gap_strip){ a, a->x1 + COLUMN_GAP_SAME, false };
    }
    return n;
}

static void mark_line(const struct line *line, unsigned char side)
{
    for (size_t i = 0; i < line->words.n; i++)
        line->words.items[i]->side = side;
}

static void mark_rows(const struct finding *f, const struct found *found, unsigned char left,
                      unsigned char right)
{
    for (size_t i = found->from; i < found->to; i++) {
        mark_line(&f->rows[i].left, left);
        mark_line(&f->rows[i].right, right);
    }
}

static void mark_pair(const struct finding *f, const struct found *found, struct item_list *items,
                      unsigned char side)
{
    float y0 = INFINITY, y1 = -INFINITY;

    mark_rows(f, found, side, (unsigned char) (side + 1));
    for (size_t i = found->from; i < found->to; i++) {
        y0 = fminf(y0, f->rows[i].y0);
        y1 = fmaxf(y1, f->rows[i].y1);
    }
    for (size_t i = 0; i < items->n; i++) {
        const struct area *a = &items->items[i].area;
        float y = (a->y0 + a->y1) / 2;

        if (y > y0 && y < y1 && !items->items[i].side)
            items->items[i].side =
                (unsigned char) (side + (a->x0 >= found->strip.x - COLUMN_GAP_SAME));
    }
}

/* What was passed over is in none. */
static void unmark(const struct line_list *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        for (size_t k = 0; k < lines->items[i].words.n; k++)
            if (lines->items[i].words.items[k]->side == PASSED)
                lines->items[i].words.items[k]->side = 0;
}

size_t sidebars_find(struct arena *arena, const struct page_content *content,
                     const struct line_list *lines, struct item_list *items, size_t n)
{
    struct finding f = { .arena = arena, .content = content, .lines = lines, .items = items };
    struct column_gap_strip strips[2 * CANDIDATES];
    size_t n_strips;

    if (lines->n < BESIDE_LINES || lines->n > MOST || items->n > MOST_ITEMS)
        return n;
    f.rows = ARENA_ARRAY(arena, struct column_gap_row, lines->n);
    n_strips = find_panels(content, strips);
    n_strips += find_edges(arena, lines, strips + n_strips);
    for (size_t round = 0; round < TURNS && n < SIDES; round++) {
        struct found found = { .to = 0 };

        for (size_t i = 0; i < n_strips; i++)
            look_at_strip(&f, &strips[i], &found);
        if (found.to == 0)
            break;
        f.n_rows = column_gap_rows(lines, items, &found.strip, f.rows);
        if (is_known_pair(&f, &found) || is_split(&f, &found, false) ||
            is_split(&f, &found, true)) {
            mark_rows(&f, &found, PASSED, PASSED);
            continue;
        }
        mark_pair(&f, &found, items, (unsigned char) (2 * n + 1));
        n++;
    }
    unmark(lines);
    return n;
}
