#include "layout/columns/column_gap.h"

#include <math.h>

#include "layout/page/sentence.h"

#define IN_PANEL 3    /* least number of lines of a column with a fill behind it */
#define APART    4    /* places that no table has, at least */
#define BLOCKS   4    /* parts of a column, where parts of the other one are elsewhere */
#define LEADING  1.7F /* sizes: from line to line of a text, at most */
#define WHITE    1.5F /* and from where on there is white between them */
#define RAGGED   0.2F /* of the width: what a line of a sentence ends before others, at most */
#define SPARSE   5    /* characters of a line in a column, on average */

size_t column_gap_chars(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++)
        if (line->words.items[i]->glyphs->code != '.')
            n += line->words.items[i]->n_glyphs + 1;
    return n;
}

static struct column_gap_row row_of(const struct line *line, float x)
{
    struct column_gap_row row = {
        .base = line->base, .size = line->size, .y0 = line->area.y0, .y1 = line->area.y1
    };
    size_t n = 0;

    while (n < line->words.n && line->words.items[n]->area.x0 < x - COLUMN_GAP_SAME)
        n++;
    if (n > 0)
        row.left = words_line_part(line, 0, n);
    if (n < line->words.n)
        row.right = words_line_part(line, n, line->words.n - n);
    row.across = line->words.items[0]->side || (n > 0 && row.left.area.x1 > x - COLUMN_GAP_GUTTER);
    return row;
}

/* Lines at almost one height are one row. */
static bool is_side_by_side(const struct column_gap_row *a, const struct column_gap_row *b)
{
    return b->base - a->base < 0.25F * fminf(a->size, b->size) && !a->across && !b->across &&
           (a->left.words.n ? !b->left.words.n && !a->right.words.n : !b->right.words.n);
}

static bool is_across(const struct area *area, float x)
{
    return area->x0 < x - COLUMN_GAP_SAME && area->x1 > x - COLUMN_GAP_GUTTER;
}

/* In the column with a colour, but not on that. */
static bool is_off(const struct column_gap_row *row, const struct column_gap_strip *strip)
{
    return strip->panel && (strip->right ? row->right : row->left).words.n &&
           (row->base < strip->panel->y0 || row->base > strip->panel->y1);
}

/* What is across, or between this row and the last one. */
static void mark_items(const struct item_list *items, const struct column_gap_strip *strip,
                       const struct column_gap_row *last, struct column_gap_row *row)
{
    for (size_t i = 0; i < items->n; i++) {
        const struct item *item = &items->items[i];
        float y = (item->area.y0 + item->area.y1) / 2;

        if (!item->side && !is_across(&item->area, strip->x))
            continue;
        row->across |= row->base > item->area.y0 && row->base < item->area.y1;
        row->cut |= last && last->base < y && row->base > y;
    }
}

size_t column_gap_rows(const struct line_list *lines, const struct item_list *items,
                       const struct column_gap_strip *strip, struct column_gap_row *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < lines->n; i++) {
        struct column_gap_row row = row_of(&lines->items[i], strip->x);
        struct column_gap_row *last = n ? &rows[n - 1] : NULL;

        row.across |= is_off(&row, strip);
        if (last && is_side_by_side(last, &row)) {
            if (row.left.words.n)
                last->left = row.left;
            else
                last->right = row.right;
            last->y0 = fminf(last->y0, row.y0);
            last->y1 = fmaxf(last->y1, row.y1);
            continue;
        }
        mark_items(items, strip, last, &row);
        rows[n++] = row;
    }
    return n;
}

/* What is known of one side of some rows. */
struct column_text {
    const struct line *before; /* the last line so far; or NULL */
    float x0, x1;
    size_t n, chars, blocks;
    float last; /* its baseline */
};

static void add_text(struct column_text *text, const struct column_gap_row *row,
                     const struct line *line)
{
    if (line->words.n == 0)
        return;
    text->blocks += text->n == 0 || row->base - text->last > WHITE * row->size;
    text->x0 = text->n ? fminf(text->x0, line->area.x0) : line->area.x0;
    text->x1 = text->n ? fmaxf(text->x1, line->area.x1) : line->area.x1;
    text->last = row->base;
    text->chars += column_gap_chars(line);
    text->n++;
}

/* Whether a line is in the midst of a paragraph. */
static bool continues_text(const struct column_text *text, const struct line *line)
{
    const struct line *before = text->before;
    float edge = text->x1;

    if (!before || line->words.n == 0 || line->base - before->base > LEADING * line->size ||
        fabsf(line->size - before->size) > 0.08F * line->size)
        return false;
    if (sentence_runs_on(before, line))
        edge -= RAGGED * (text->x1 - text->x0);
    return !sentence_ends(before) &&
           before->area.x1 + words_first_width(line) + 0.25F * line->size > edge;
}

/* Whether a line of the other side has one of this side's above and one below it, with no white
 * between these. */
static bool is_within(const struct column_gap_row *rows, size_t n, size_t i, bool right)
{
    const struct line *above = NULL, *below = NULL;
    float far = LEADING * rows[i].size;

    for (size_t k = i; k-- > 0 && !above && rows[i].base - rows[k].base < far;)
        if ((right ? rows[k].right : rows[k].left).words.n)
            above = right ? &rows[k].right : &rows[k].left;
    for (size_t k = i + 1; k < n && !below && rows[k].base - rows[i].base < far; k++)
        if ((right ? rows[k].right : rows[k].left).words.n)
            below = right ? &rows[k].right : &rows[k].left;
    return above && below && below->base - above->base < LEADING * below->size;
}

/* Positions where the two sides continue as rows of a table would not: a line begins next to the
 * middle of a paragraph, or where nothing begins on the other side. */
static size_t count_apart(const struct column_gap_row *rows, size_t n, struct column_text *left,
                          struct column_text *right)
{
    bool wide_left = left->chars * right->n > right->chars * left->n;
    size_t apart = 0;

    left->before = right->before = NULL;
    for (size_t i = 0; i < n; i++) {
        bool left_on = continues_text(left, &rows[i].left),
             right_on = continues_text(right, &rows[i].right);

        if (rows[i].left.words.n && rows[i].right.words.n)
            apart += wide_left ? left_on && !right_on : right_on && !left_on;
        else if (rows[i].left.words.n)
            apart += !left_on && is_within(rows, n, i, true);
        else
            apart += is_within(rows, n, i, false);
        if (rows[i].left.words.n)
            left->before = &rows[i].left;
        if (rows[i].right.words.n)
            right->before = &rows[i].right;
    }
    return apart;
}

/* Parts with white above and below them, all across, that have text on both sides. */
static size_t count_bands(const struct column_gap_row *rows, size_t n)
{
    size_t bands = 0;

    for (size_t i = 0; i < n;) {
        bool left = false, right = false;
        size_t first = i;

        for (; i < n && (i == first || rows[i].base - rows[i - 1].base <= WHITE * rows[i].size);
             i++) {
            left |= rows[i].left.words.n > 0;
            right |= rows[i].right.words.n > 0;
        }
        bands += left && right;
    }
    return bands;
}

bool column_gap_is(const struct column_gap_row *rows, size_t n, bool panel)
{
    struct column_text left = { 0 }, right = { 0 };
    size_t bands, apart, blocks, least, level = 0;

    for (size_t i = 0; i < n; i++) {
        add_text(&left, &rows[i], &rows[i].left);
        add_text(&right, &rows[i], &rows[i].right);
        level += rows[i].left.words.n && rows[i].right.words.n;
    }
    least = left.n < right.n ? left.n : right.n;
    if (least < (panel ? IN_PANEL : BESIDE_LINES) || left.chars <= SPARSE * left.n ||
        right.chars <= SPARSE * right.n)
        return false;
    /* Columns of running text are found by the white between them. Every row of a table begins on
     * the left. */
    if ((left.chars > BESIDE_PROSE * left.n && right.chars > BESIDE_PROSE * right.n) ||
        (!panel && (n - level) * 8 < n))
        return false;
    bands = count_bands(rows, n);
    blocks = left.blocks < right.blocks ? left.blocks : right.blocks;
    if (bands >= 3 && bands * 10 >= blocks * 7)
        return false;
    apart = count_apart(rows, n, &left, &right);
    /* Rows that have white between them have it on both sides. */
    if (panel || (blocks >= BLOCKS && bands * 3 <= blocks))
        return apart >= (panel ? 1 : APART / 2) && apart * 20 >= least;
    return apart >= APART && apart * 5 >= least;
}
