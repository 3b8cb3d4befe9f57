#include "layout/columns/column_layout.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/columns/column_tail.h"
#include "layout/columns/short_columns.h"

#define BINS        2048    /* points of a page's width that are looked at */
#define GUTTER      4       /* points of white between columns, at least */
#define LINES       3       /* of a column, at least */
#define FEW         4       /* lines of a column, which do not show how wide it is */
#define STAGGERED   5       /* lines of a column without running text, at least */
#define WIDE        8       /* points of white space next to a column */
#define MOST        4000    /* items of a band that is looked for */
#define MOST_LOOKS  8000000 /* at items, on a page */
#define MOST_BESIDE 800     /* limit of lines that are compared with each other */
#define SPARSE      5       /* characters of a line in it, on average */
#define FAR         1.5F    /* sizes of white above a line that begins another text, at least */
#define PROSE       16      /* characters of a line of running text, at least */

static int by_top(const void *a, const void *b)
{
    const struct item *p = a, *q = b;

    return p->area.y0 < q->area.y0   ? -1
           : p->area.y0 > q->area.y0 ? 1
           : p->area.x0 < q->area.x0 ? -1
                                     : p->area.x0 > q->area.x0;
}

static int bin(float x)
{
    return x < 0 ? 0 : x >= BINS ? BINS - 1 : (int) x;
}

static void occupy(bool *bins, const struct area *area)
{
    int from = bin(area->x0 + 0.5F), to = bin(area->x1 - 0.5F);

    if (to >= from)
        memset(bins + from, true, (size_t) (to - from) + 1);
}

/* The first place from `from` on that is, or is not, occupied. */
static int next_bin(const bool *bins, int from, bool occupied)
{
    const bool *found = from < BINS ? memchr(bins + from, occupied, (size_t) (BINS - from)) : NULL;

    return found ? (int) (found - bins) : BINS;
}

/* The strips of white between what is occupied. */
static size_t find_gutters(const bool *bins, struct column *found)
{
    size_t n = 0;
    int end = next_bin(bins, next_bin(bins, 0, true), false);

    while (end < BINS && n < MODEL_COLUMNS - 1) {
        int start = next_bin(bins, end, true);

        if (start < BINS && start - end >= GUTTER)
            found[n++] = (struct column){ (float) end, (float) start };
        end = next_bin(bins, start, false);
    }
    return n;
}

static size_t count_chars(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++)
        n += line->words.items[i]->n_glyphs + 1;
    return n;
}

/* Running text between x0 and x1, not the cells of a table: lines long enough, most of which go
 * over most of the width; `tables`: over that of the lines, where a table can be wider. */
enum content { CONTENT_OTHER, CONTENT_BLOCKS, CONTENT_TEXT };

static enum content content_of(const struct item *items, size_t n, float x0, float x1, bool tables)
{
    size_t lines = 0, chars = 0, full = 0;
    float left = x1, right = x0;
    float text = 0, blocks = 0; /* heights */

    for (size_t i = 0; i < n; i++)
        if (items[i].area.x0 >= x0 - 1 && items[i].area.x1 <= x1 + 1 &&
            (items[i].line || !tables)) {
            left = fminf(left, items[i].area.x0);
            right = fmaxf(right, items[i].area.x1);
        }
    for (size_t i = 0; i < n; i++) {
        if (items[i].area.x0 < x0 - 1 || items[i].area.x1 > x1 + 1)
            continue;
        if (items[i].line) {
            lines++;
            text += area_height(&items[i].area);
            chars += count_chars(items[i].line);
            full += area_width(&items[i].area) > 0.7F * (right - left);
        } else {
            blocks += area_height(&items[i].area);
        }
    }
    if (lines >= LINES && chars >= PROSE * lines && full * 2 >= lines)
        return CONTENT_TEXT;
    return blocks > 40 && blocks > text ? CONTENT_BLOCKS : CONTENT_OTHER;
}

/* In a tagged PDF, what is left of the strip comes before what is right of it. */
static bool is_ordered(const struct item *items, size_t n, float from, const struct column *strip,
                       float to)
{
    uint32_t left = 0, right = UINT32_MAX;
    size_t before = 0, after = 0;

    for (size_t i = 0; i < n; i++) {
        const struct area *a = &items[i].area;
        uint32_t tag = items[i].line ? items[i].line->words.items[0]->glyphs->tag : 0;

        if (a->x0 < from - 1 || a->x1 > to + 1)
            continue;
        if (tag == 0 && items[i].line)
            return false;
        if (a->x1 < strip->x0 + 1 && tag) {
            before++;
            left = tag > left ? tag : left;
        } else if (tag) {
            after++;
            right = tag < right ? tag : right;
        }
    }
    return before >= LINES && after >= LINES && left < right;
}

static bool is_between(const struct item *item, float x0, float x1)
{
    return item->line && item->area.x0 >= x0 - 1 && item->area.x1 <= x1 + 1;
}

static bool is_next_to_line(const struct item *items, size_t n, const struct line *line, float x0,
                            float x1)
{
    for (size_t i = 0; i < n; i++)
        if (is_between(&items[i], x0, x1) &&
            fabsf(items[i].line->base - line->base) < 0.1F * line->size)
            return true;
    return false;
}

/* Whether there are columns of text within a part of the band: they would be one text. */
static bool is_split(const struct item *items, size_t n, float x0, float x1)
{
    size_t lines = 0, paired = 0;

    for (size_t i = 0; i < n; i++) {
        const struct area *a = &items[i].area;
        bool found = false;

        if (!is_between(&items[i], x0, x1) || count_chars(items[i].line) < PROSE)
            continue;
        lines++;
        for (size_t k = 0; k < n && !found; k++) {
            const struct area *b = &items[k].area;

            found = k != i && is_between(&items[k], x0, x1) &&
                    count_chars(items[k].line) >= PROSE && (b->x0 > a->x1 || b->x1 < a->x0) &&
                    fminf(a->y1, b->y1) - fmaxf(a->y0, b->y0) > 0.5F * area_height(a);
        }
        paired += found;
    }
    return paired * 5 > lines;
}

/* Whether there are lines enough to be a column; how many. Labels of a list are not. */
static size_t count_lines(const struct item *items, size_t n, float x0, float x1)
{
    size_t lines = 0, chars = 0;

    for (size_t i = 0; i < n; i++)
        if (is_between(&items[i], x0, x1)) {
            lines++;
            chars += count_chars(items[i].line);
        }
    return lines >= STAGGERED && chars > SPARSE * lines ? lines : 0;
}

/* Lines on both sides of the strip that stand at heights of their own are no rows of a table. */
static bool is_staggered(const struct item *items, size_t n, float from, const struct column *strip,
                         float to)
{
    size_t left, right, level = 0;

    if (n > MOST_BESIDE || strip->x1 - strip->x0 <= WIDE)
        return false;
    left = count_lines(items, n, from, strip->x0);
    right = count_lines(items, n, strip->x1, to);
    if (left == 0 || right == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        level += is_between(&items[i], strip->x1, to) &&
                 is_next_to_line(items, n, items[i].line, from, strip->x0);
    return level * 3 < (left < right ? left : right) && !is_split(items, n, from, strip->x0) &&
           !is_split(items, n, strip->x1, to);
}

/* The band's gutters that have running text on both sides. */
static size_t check_gutters(const struct item *items, size_t n, struct column *gutter,
                            size_t n_gutters, bool tables)
{
    size_t kept = 0;
    float from = 0;

    for (size_t i = 0; i < n_gutters; i++) {
        float to = i + 1 < n_gutters ? gutter[i + 1].x0 : BINS;

        enum content left = content_of(items, n, from, gutter[i].x0, tables);
        enum content right = content_of(items, n, gutter[i].x1, to, tables);

        if ((left && right && (left == CONTENT_TEXT || right == CONTENT_TEXT)) ||
            is_ordered(items, n, from, &gutter[i], to) ||
            is_staggered(items, n, from, &gutter[i], to)) {
            from = gutter[i].x1;
            gutter[kept++] = gutter[i];
        }
    }
    return kept;
}

/* The next one begins next to this one, and not below it. */
static bool has_neighbour(const struct item *items, size_t n, size_t i)
{
    const struct area *a = &items[i].area, *b = &items[i + 1].area;

    return i + 1 < n && items[i].line && items[i + 1].line &&
           b->y0 < a->y1 - 0.1F * items[i].line->size && (b->x0 > a->x1 || b->x1 < a->x0);
}

/* Whether a heading begins where what is below it does. */
static bool is_heading(const struct item *items, size_t n, size_t i)
{
    const struct line *line = items[i].line;

    for (size_t k = 2; line && line->bold && k < n; k++)
        if (items[k].line && items[k].area.x1 > items[i].area.x0 &&
            items[k].area.x0 < items[i].area.x1)
            return !items[k].line->bold && fabsf(items[k].area.x0 - items[i].area.x0) < 2 &&
                   items[k].area.y0 < items[i].area.y1 + 2 * line->size;
    return false;
}

/* Two headings next to each other, each that of a column. */
static bool are_headings(const struct item *items, size_t n)
{
    return has_neighbour(items, n, 0) && is_heading(items, n, 0) && is_heading(items, n, 1);
}

/* One or two pieces with white below them, all across, belong to what is above. */
static bool is_loose(const struct item *items, size_t n)
{
    float end = items[0].area.y1;

    if (n < 4 || !items[0].line || are_headings(items, n))
        return false;
    for (size_t i = 1; i < 3; i++) {
        if (items[i].area.y0 > end + 0.9F * items[0].line->size)
            return true;
        end = fmaxf(end, items[i].area.y1);
    }
    return false;
}

/* Items next to a short text: the band ends where that ends, with the paragraph next to it then.
 * Returns the number of these items; 0: neither side is short. */
static size_t find_short_side(const struct item *items, size_t n, const struct column *gutter)
{
    size_t count[2] = { 0 }, last = 0, lines = 0, i;
    float end[2] = { -INFINITY, -INFINITY };
    int side;

    for (i = 0; i < n; i++)
        count[items[i].area.x0 > gutter->x0] += 1;
    side = count[0] > count[1];
    for (i = 0; i < n; i++) {
        int at = items[i].area.x0 > gutter->x0;
        float size = items[i].line ? items[i].line->size : 10;

        /* Far below it begins another text. */
        if (at == side && end[side] > 0 && items[i].area.y0 > end[side] + 2 * size)
            break;
        end[at] = fmaxf(end[at], items[i].area.y1);
        last = at == side ? i : last;
    }
    for (i = 0; i <= last; i++)
        lines += (items[i].area.x0 > gutter->x0) == side && items[i].line;
    if (lines < LINES)
        return 0;
    end[!side] = -INFINITY;
    for (i = 0; i < n; i++) {
        bool short_side = (items[i].area.x0 > gutter->x0) == side;
        float size = items[i].line ? items[i].line->size : 10;

        if (i > last && (short_side || items[i].area.y0 > end[!side] + 0.3F * size))
            break;
        if (!short_side)
            end[!side] = fmaxf(end[!side], items[i].area.y1);
    }
    return i < n ? i : 0;
}

/* A line that is a heading by its weight, which nothing else of the n items goes as far down as. */
static bool is_heading_below(const struct item *items, size_t n)
{
    const struct line *line = items[n - 1].line;

    if (!line || !line->bold)
        return false;
    for (size_t i = 0; i + 1 < n; i++)
        if (items[i].area.y1 > items[n - 1].area.y0 + 0.3F * line->size ||
            (items[i].line && items[i].line->bold && items[i].line->size > 0.95F * line->size &&
             items[i].area.y1 > items[n - 1].area.y0 - line->size))
            return false;
    return true;
}

/* Columns do not end with a heading: one below all of them is that of what goes all across. */
static size_t without_heading(const struct item *items, size_t n)
{
    return n > LINES && is_heading_below(items, n) ? n - 1 : n;
}

static bool has_table(const struct item *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].block && items[i].block->kind == BLOCK_TABLE)
            return true;
    return false;
}

/* Columns do not go on with a line below all of them, and far below what it would continue. */
static size_t without_tail(const struct item *items, size_t n, const struct column *gutter)
{
    float end[2] = { -INFINITY, -INFINITY };

    for (size_t i = 0; i < n; i++) {
        bool right = items[i].area.x0 > gutter->x0;
        float y = items[i].area.y0;

        if (items[i].line && isfinite(end[0]) && isfinite(end[1]) && y > end[!right] &&
            y > end[right] + FAR * items[i].line->size)
            return i;
        end[right] = fmaxf(end[right], items[i].area.y1);
    }
    return n;
}

/* The white between the columns of a band. */
struct gutters {
    struct column items[MODEL_COLUMNS];
    size_t n;
    bool brief; /* as that of struct band */
};

/* Whether all columns are running text. */
static bool are_texts(const struct item *items, size_t n, const struct gutters *white)
{
    for (size_t k = 0; k <= white->n; k++) {
        float x0 = k > 0 ? white->items[k - 1].x1 : 0,
              x1 = k < white->n ? white->items[k].x0 : BINS;

        if (content_of(items, n, x0, x1, false) != CONTENT_TEXT)
            return false;
    }
    return true;
}

/* Whether each column has but a few lines. */
static bool are_brief(const struct item *items, size_t n, const struct gutters *white)
{
    size_t lines[MODEL_COLUMNS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < white->n && items[i].area.x0 > white->items[k].x0)
            k++;
        if (!items[i].line || ++lines[k] > FEW)
            return false;
    }
    return true;
}

/* How many items from the first on can be a band of columns, by the white between them. */
static size_t reach_white(const struct item *items, size_t n, float width, struct gutters *white)
{
    bool bins[BINS] = { false };
    size_t j;

    for (j = 0; j < n; j++) {
        struct column now[MODEL_COLUMNS];
        bool before[BINS];
        size_t n_now;
        int first, last;

        memcpy(before, bins, sizeof bins);
        occupy(bins, &items[j].area);
        n_now = find_gutters(bins, now);
        if (n_now == 0) {
            for (first = next_bin(bins, 0, true), last = first; next_bin(bins, last, true) < BINS;)
                last = next_bin(bins, next_bin(bins, last, true), false);
            if ((float) (last - 1 - first) < 0.6F * width || (j == 0 && has_neighbour(items, n, j)))
                continue;
            white->n = find_gutters(before, white->items);
            return without_heading(items, j);
        }
        white->n = n_now;
        memcpy(white->items, now, sizeof now);
    }
    return j;
}

/* How many items from the first on are a band of columns; 0: none. `looks`: what is left of them.
 */
static size_t reach(const struct item *items, size_t n, float width, struct gutters *white,
                    size_t *looks)
{
    size_t n_white, all, j;
    struct column first;

    *white = (struct gutters){ .n = 0 };
    all = reach_white(items, n < *looks ? n : *looks, width, white);
    *looks -= all;
    if (white->n == 0 || is_loose(items, all))
        return 0;
    n_white = white->n;
    first = white->items[0];
    j = all;
    white->n = check_gutters(items, j, white->items, n_white, false);
    if (white->n == 0 && n_white == 1 && (j = find_short_side(items, all, &first))) {
        white->items[0] = first;
        white->n = check_gutters(items, j, white->items, 1, false);
    }
    if (white->n == 0 && n_white == 1 && has_table(items, all)) {
        white->items[0] = first;
        j = without_tail(items, all, &first);
        white->n = check_gutters(items, j, white->items, 1, true);
    }
    if (white->n == 0)
        j = short_columns_find(items, all, white->items, &white->n);
    if (white->n && are_texts(items, j, white) &&
        (j == n || items[j].area.y0 > items[j - 1].area.y1 - 1))
        j = column_tail_before(items, j, white->items, white->n);
    white->brief = are_brief(items, j, white);
    return white->n ? j : 0;
}

static void put_into(struct arena *arena, struct band *band, size_t k, const struct item *item)
{
    struct column *column = &band->columns[k];

    if (band->contents[k].n == 0)
        *column = (struct column){ item->area.x0, item->area.x1 };
    column->x0 = fminf(column->x0, item->area.x0);
    column->x1 = fmaxf(column->x1, item->area.x1);
    *ARENA_ADD(arena, &band->contents[k]) = *item;
}

static void put_band(struct arena *arena, struct band *band, const struct item *items, size_t n,
                     const struct column *gutter)
{
    for (size_t i = 0; i < n; i++) {
        float x = (items[i].area.x0 + items[i].area.x1) / 2;
        size_t k = 0;

        while (k + 1 < band->n_columns && x > gutter[k].x0)
            k++;
        put_into(arena, band, k, &items[i]);
    }
}

/* All of a pair of columns, from the first item of it on. */
static void put_sides(struct arena *arena, struct band *band, const struct item_list *items,
                      size_t first)
{
    unsigned side = (items->items[first].side + 1U) / 2;

    *band = (struct band){ .n_columns = 2, .pair = side };
    for (size_t i = first; i < items->n; i++)
        if ((items->items[i].side + 1U) / 2 == side)
            put_into(arena, band, items->items[i].side % 2 == 0, &items->items[i]);
}

/* How many items stand in no such columns, until one does; of those that are looked at. */
static size_t before_sides(const struct item *items, size_t n)
{
    size_t i = 0;

    while (i < n && i < MOST && !items[i].side)
        i++;
    return i;
}

struct band_list column_layout_find(struct arena *arena, struct item_list *items)
{
    struct band_list bands = { 0 };
    bool known[UCHAR_MAX + 1] = { false };
    float x0 = BINS, x1 = 0;
    size_t looks = MOST_LOOKS;

    if (items->n)
        qsort(items->items, items->n, sizeof *items->items, by_top);
    for (size_t i = 0; i < items->n; i++) {
        x0 = fminf(x0, items->items[i].area.x0);
        x1 = fmaxf(x1, items->items[i].area.x1);
    }
    for (size_t i = 0; i < items->n;) {
        struct gutters white;
        struct band *band = bands.n ? &bands.items[bands.n - 1] : NULL;
        unsigned pair = (items->items[i].side + 1U) / 2;
        size_t n;

        if (pair > 0) {
            if (!known[pair])
                put_sides(arena, ARENA_ADD(arena, &bands), items, i);
            known[pair] = true;
            i++;
            continue;
        }
        n = reach(&items->items[i], before_sides(&items->items[i], items->n - i), x1 - x0, &white,
                  &looks);
        if (n || !band || band->n_columns > 1) {
            band = ARENA_ADD(arena, &bands);
            *band = (struct band){ .n_columns = n ? white.n + 1 : 1, .brief = n && white.brief };
        }
        n = n ? n : 1;
        put_band(arena, band, &items->items[i], n, white.items);
        i += n;
    }
    return bands;
}
