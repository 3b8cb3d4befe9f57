#include "layout/tables/key_value_table.h"

#include <math.h>

#include "layout/page/numbering.h"
#include "layout/page/sentence.h"
#include "layout/tables/table_style.h"

#define ROWS    3     /* at least */
#define MOST    200   /* rows */
#define SAME    1.5F  /* points: edges that are one below the other */
#define WHITE   0.85F /* sizes: between the columns, in all rows */
#define WIDE    1.5F  /* and in half of them */
#define INNER   1.2F  /* sizes: what is white in a cell is less */
#define FAR     2.6F  /* sizes: from line to line */
#define LEADING 1.45F /* the same, within a cell */
#define LABEL   28    /* characters on the left, at most, as a mean */
#define LEFT    0.42F /* of the width: what the left column takes, at most */
#define AMOUNT  14    /* characters, at most */
#define RAGGED  0.2F  /* of the width: what a line of a sentence ends before others, at most */
#define NEAR    5     /* lines */
#define SPEECH  14    /* characters of what somebody says, as a mean, at least */

/* One line of a table: what is on its left and on its right. */
struct part {
    struct line left, right; /* words.n: 0 for none */
    bool row;                /* one begins */
};

struct list {
    struct part parts[MOST];
    size_t n;
    float left, till; /* where the left parts begin, or end: */
    bool begins, ends;
    float edge; /* where the right ones begin */
    float end;  /* or, if they are amounts, end */
    bool amounts;
    float right; /* where lines of the page end at most */
};

/* The white before the i-th word. */
static float gap_at(const struct line *line, size_t i)
{
    return line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1;
}

/* Where the line has its widest gap, if all others are narrow; 0: nowhere. */
static size_t cut_at(const struct line *line)
{
    size_t cut = 0;

    for (size_t i = 1; i < line->words.n; i++)
        if (cut == 0 || gap_at(line, i) > gap_at(line, cut))
            cut = i;
    for (size_t i = 1; i < line->words.n; i++)
        if (line->words.items[i]->role == ROLE_AFTER_DOTS ||
            (i != cut && gap_at(line, i) > fminf(INNER * line->size, 0.7F * gap_at(line, cut))))
            return 0;
    return cut && gap_at(line, cut) > WHITE * line->size ? cut : 0;
}

static size_t count_chars(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++)
        n += line->words.items[i]->n_glyphs + 1;
    return n;
}

static bool is_ascii_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

/* A price or the like: digits with a point or comma among them, or with a sign of a currency. */
static bool is_amount(const struct line *line)
{
    size_t digits = 0, signs = 0;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++) {
            uint32_t c = line->words.items[i]->glyphs[k].code;

            digits += is_ascii_digit(c);
            signs += c == '.' || c == ',' || c == '$' || c == '%' || (c >= 0xa2 && c <= 0xa5) ||
                     (c >= 0x20a0 && c <= 0x20bf);
        }
    return digits > 0 && signs > 0 && count_chars(line) <= AMOUNT;
}

static bool is_same_edge(const struct line *a, const struct line *b)
{
    const struct word *p = a->words.items[0], *q = b->words.items[0];

    if (a->words.n != b->words.n || p->n_glyphs != q->n_glyphs)
        return false;
    for (size_t i = 0; i < p->n_glyphs; i++)
        if (p->glyphs[i].code != q->glyphs[i].code)
            return false;
    return true;
}

/* Nothing but digits: the number of a page. */
static bool is_number(const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++)
            if (!is_ascii_digit(line->words.items[i]->glyphs[k].code))
                return false;
    return true;
}

/* The label of an item in a list. */
static bool is_label(const struct line *line)
{
    uint32_t codes[8];
    struct label label;
    size_t n = line->words.items[0]->n_glyphs;

    if (count_chars(line) <= 3)
        return true;
    if (line->words.n > 1 || n > 8)
        return false;
    for (size_t i = 0; i < n; i++)
        codes[i] = line->words.items[0]->glyphs[i].code;
    return numbering_read_label(codes, n, &label);
}

/* What the left part of a line says goes on from the line above. */
static bool continues_value(const struct line *above, const struct line *line)
{
    return line->base - above->base < LEADING * line->size && sentence_runs_on(above, line);
}

/* Whether a left part begins, or ends, where all others do. */
static bool is_in_line(struct list *list, const struct area *area)
{
    bool begins = list->begins && fabsf(area->x0 - list->left) < SAME;
    bool ends = list->ends && fabsf(area->x1 - list->till) < SAME;

    if (!begins && !ends)
        return false;
    list->begins = begins;
    list->ends = ends;
    return true;
}

/* Takes in a line that can be of the table. */
static bool add_pair_line(struct list *list, const struct line *line)
{
    struct part *part = &list->parts[list->n], *last = part - 1;
    float far = (line->base - last->left.base) / line->size;
    size_t n = 0;

    if (list->n == MOST || far > FAR || far < 0.6F)
        return false;
    if (list->amounts)
        n = cut_at(line);
    else
        while (n < line->words.n && line->words.items[n]->area.x0 < list->edge - SAME)
            n++;
    *part = (struct part){ words_line_part(line, 0, n), words_line_part(line, n, line->words.n - n),
                           n > 0 };
    for (size_t i = 1; i < line->words.n; i++)
        if (line->words.items[i]->role == ROLE_AFTER_DOTS ||
            (i != n && gap_at(line, i) > INNER * line->size))
            return false;
    if (n > 0 && !is_in_line(list, &part->left.area))
        return false;
    if (list->amounts) {
        if (n == 0 || !is_amount(&part->right) || fabsf(part->right.area.x1 - list->end) > SAME)
            return false;
        list->n++;
        return true;
    }
    if (n < line->words.n && (part->right.area.x0 > list->edge + SAME ||
                              (n > 0 && gap_at(line, n) < WHITE * line->size)))
        return false;
    if (n == 0 || n == line->words.n) {
        part->row = false;
        if (far > LEADING ||
            (n > 0 && (last->left.words.n == 0 || !continues_value(&last->left, &part->left))))
            return false;
    } else if (last->left.words.n && continues_value(&last->left, &part->left)) {
        part->row = false;
    }
    list->n++;
    return true;
}

/* Begins a table with a line; false: none can begin there. */
static bool begin_list(struct list *list, const struct page_content *content,
                       const struct line *line, bool amounts)
{
    size_t cut = cut_at(line);

    if (cut == 0 || words_are_typed(content, line))
        return false;
    *list->parts = (struct part){ words_line_part(line, 0, cut),
                                  words_line_part(line, cut, line->words.n - cut), true };
    list->n = 1;
    list->amounts = amounts;
    list->left = list->parts->left.area.x0;
    list->till = list->parts->left.area.x1;
    list->begins = list->ends = true;
    list->edge = list->parts->right.area.x0;
    list->end = list->parts->right.area.x1;
    return !amounts || is_amount(&list->parts->right);
}

/* What the parts are like. */
struct look {
    size_t rows, chars, labels, numbers, wide; /* of the rows; characters on the left */
    size_t wrapped, left_wraps;                /* rows with more lines on the right; lines */
    size_t speeches, said;                     /* sentences on the right, and characters */
    size_t again;                              /* rows that are called as one just before */
    size_t broken;                             /* rows that begin within a sentence of another */
    float from, left, right, end;              /* where both sides begin and end */
};

/* Whether a row has the name of the one before it, or of the one before that: somebody speaks. */
static bool is_again(const struct list *list, size_t i)
{
    size_t rows = 0;

    for (size_t k = i; k-- > 0 && rows < 2;) {
        if (!list->parts[k].row)
            continue;
        if (is_same_edge(&list->parts[k].left, &list->parts[i].left))
            return true;
        rows++;
    }
    return false;
}

/* Whether the line on the right goes on in the next, of which it is known only that it is below. */
static bool is_within(const struct list *list, const struct line *above, const struct line *line)
{
    float edge = list->right;

    if (sentence_runs_on(above, line))
        edge -= RAGGED * (list->right - list->edge);
    return !sentence_ends(above) && above->area.x1 + words_first_width(line) > edge;
}

static void look_at_list(const struct list *list, struct look *look)
{
    const struct line *above = NULL;
    bool wrapped = true;

    *look =
        (struct look){ .from = INFINITY, .left = -INFINITY, .right = INFINITY, .end = -INFINITY };
    for (size_t i = 0; i < list->n; i++) {
        const struct line *left = &list->parts[i].left, *right = &list->parts[i].right;

        if (left->words.n) {
            look->from = fminf(look->from, left->area.x0);
            look->left = fmaxf(look->left, left->area.x1);
        }
        if (right->words.n) {
            look->right = fminf(look->right, right->area.x0);
            look->end = fmaxf(look->end, right->area.x1);
        }
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct line *left = &list->parts[i].left, *right = &list->parts[i].right;

        if (!list->parts[i].row) {
            look->wrapped += right->words.n && !wrapped;
            wrapped |= right->words.n > 0;
            look->left_wraps += left->words.n > 0;
        } else {
            look->rows++;
            look->chars += count_chars(left);
            look->labels += is_label(left);
            look->again += is_again(list, i);
            look->numbers += is_number(right);
            look->wide += right->area.x0 - left->area.x1 > WIDE * left->size;
            look->speeches += sentence_ends(right);
            look->said += count_chars(right);
            look->broken += above && is_within(list, above, right);
            wrapped = false;
        }
        above = right->words.n ? right : above;
    }
}

static bool is_key_value_table(const struct list *list, float width)
{
    struct look look;

    look_at_list(list, &look);
    if (look.rows < ROWS || look.chars > LABEL * look.rows || look.labels * 2 >= look.rows ||
        look.numbers == look.rows || (look.wide * 2 < look.rows && !list->ends) ||
        look.again * 3 >= look.rows)
        return false;
    if (list->amounts)
        return true;
    /* A paragraph that hangs on its first word is that; but such a word has one line. */
    if (look.wrapped * 5 > look.rows * 2 && look.left_wraps == 0)
        return false;
    if (look.speeches * 10 >= look.rows * 6 && look.said >= SPEECH * look.rows)
        return false;
    return look.broken < 2 && list->edge - look.from <= LEFT * width;
}

/* Whether lines near the i-th, after it or before it, go on where the right parts are: then all of
 * it is a column. */
static bool is_column(const struct line_list *lines, size_t i, bool after, const struct list *list)
{
    for (size_t n = 0; n < NEAR && (after ? i + 1 < lines->n : i > 0); n++) {
        const struct line *from = &lines->items[i], *line;

        i = after ? i + 1 : i - 1;
        line = &lines->items[i];
        if (fabsf(line->base - from->base) > FAR * line->size ||
            (line->area.x0 < list->edge - SAME && line->area.x1 > list->edge))
            return false;
        if (line->area.x0 < list->edge + SAME && line->area.x0 > list->edge - SAME)
            return true;
    }
    return false;
}

static void make_list_grid(struct arena *arena, const struct list *list, struct grid *grid)
{
    struct look look;
    size_t rows = 0;

    look_at_list(list, &look);
    grid_even(arena, grid, 2, look.rows);
    grid->xs[0] = look.from - 5.4F;
    grid->xs[1] =
        table_style_edge(look.left, look.right, !list->begins, list->begins && !list->amounts);
    grid->xs[2] = look.end + 6;
    for (size_t i = 0; i < list->n; i++)
        if (list->parts[i].row)
            grid->ys[rows++] =
                i == 0 ? list->parts[i].left.area.y0
                       : (list->parts[i - 1].left.base + 0.25F * list->parts[i - 1].left.size +
                          list->parts[i].left.area.y0) /
                             2;
    grid->ys[rows] =
        list->parts[list->n - 1].left.base + 0.25F * list->parts[list->n - 1].left.size;
    grid_measure(grid);
}

struct grid_list key_value_table_find_all(struct arena *arena, const struct page_content *content,
                                          const struct line_list *lines)
{
    struct list *list = ARENA_NEW(arena, struct list);
    struct grid_list grids = { 0 };
    float x0 = INFINITY, x1 = -INFINITY, width;

    for (size_t i = 0; i < lines->n; i++) {
        x0 = fminf(x0, lines->items[i].area.x0);
        x1 = fmaxf(x1, lines->items[i].area.x1);
    }
    width = fmaxf(x1 - x0, 0.5F * content->width);
    list->right = x1;
    for (size_t i = 0; i < lines->n;) {
        bool found = false;
        size_t n = 1;

        for (int amounts = 0; amounts < 2 && !found; amounts++) {
            if (!begin_list(list, content, &lines->items[i], amounts))
                continue;
            while (i + list->n < lines->n && add_pair_line(list, &lines->items[i + list->n]))
                continue;
            found = is_key_value_table(list, width) && !is_column(lines, i, false, list) &&
                    !is_column(lines, i + list->n - 1, true, list);
            /* A part of a rejected table is rejected, too. */
            if (found || list->n > n)
                n = list->n;
        }
        if (found)
            make_list_grid(arena, list, ARENA_ADD(arena, &grids));
        i += found || n > ROWS ? n : 1;
    }
    return grids;
}
