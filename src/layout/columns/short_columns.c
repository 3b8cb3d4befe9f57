#include "layout/columns/short_columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/scope.h"
#include "layout/page/numbering.h"
#include "layout/page/sentence.h"

#define MOST       40    /* lines of a column, at most */
#define MOST_ITEMS 240   /* of columns next to each other, at most */
#define WHITE      4     /* points between two of them, at least */
#define APART      1.5F  /* sizes of white below columns, at least */
#define LEADING    1.7F  /* sizes: from line to line of a text, at most */
#define GUTTER     1.2F  /* sizes of white between columns, at least */
#define LEVEL      0.3F  /* sizes: lines at the same height, at most */
#define SAME       0.08F /* of the size: fonts of one text */
#define WORDS      3     /* of a line of a text, at least, */
#define CHARS      16    /* or as many characters */
#define SPARSE     5     /* characters of a line, on average */

/* A line of a column. */
struct row {
    const struct line *label; /* of a list, far from its text; or NULL */
    const struct line *text;
    struct label item; /* kind: LABEL_NONE if it is not an item of a list */
    float base, x;
};

struct side {
    struct row rows[MOST];
    size_t n;
    size_t runs;  /* lines that go on with the sentence of the line above */
    size_t items; /* of a list */
};

/* Boxes are fields of a form, and not bullets of a list. */
static bool is_check_box(uint32_t c)
{
    return (c >= 0x2610 && c <= 0x2612) || (c >= 0x274f && c <= 0x2752) || c == 0x25a1 ||
           c == 0x25a2;
}

static struct label label_of(const struct line *line)
{
    const struct word *word = line->words.items[0];
    uint32_t codes[8];
    struct label label = { .kind = LABEL_NONE };

    for (size_t i = 0; i < word->n_glyphs && i < COUNT(codes); i++)
        codes[i] = word->glyphs[i].code;
    if (word->n_glyphs > COUNT(codes) || word->field || is_check_box(codes[0]) ||
        !numbering_read_label(codes, word->n_glyphs, &label))
        return (struct label){ .kind = LABEL_NONE };
    return label;
}

static int by_place(const void *a, const void *b)
{
    const struct row *p = a, *q = b;
    int order = num_compare_floats(&p->base, &q->base);

    return order ? order : num_compare_floats(&p->x, &q->x);
}

/* Joins labels with the text next to them. False if other pieces are at one height: the side is not
 * a column. */
static bool join_labels(struct side *side)
{
    size_t n = 0;

    for (size_t i = 0; i < side->n; i++) {
        struct row *row = &side->rows[i], *last = n ? &side->rows[n - 1] : NULL;

        if (last && row->base - last->base < LEVEL * row->text->size) {
            struct row *label = last->x < row->x ? last : row, *text = label == last ? row : last;

            if (last->label || label->text->words.n > 1 || label->item.kind == LABEL_NONE)
                return false;
            *last = (struct row){ label->text, text->text, label->item, text->base, label->x };
            continue;
        }
        side->rows[n++] = *row;
    }
    side->n = n;
    for (size_t i = 0; i < n; i++)
        if (!side->rows[i].label && side->rows[i].text->words.n < 2)
            side->rows[i].item.kind = LABEL_NONE;
    return true;
}

static size_t chars_of(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++)
        n += line->words.items[i]->n_glyphs + 1;
    return n;
}

static bool has_letter(const struct word *word)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        if ((word->glyphs[i].code | 0x20) - 'a' < 26 || word->glyphs[i].code >= 0xc0)
            return true;
    return false;
}

/* Whether a line ends with a word that none is likely to end with: two or three small letters, as
 * "of", "the" and their like in many languages. */
static bool is_open(const struct line *line)
{
    const struct word *last = line->words.items[line->words.n - 1];

    if (last->n_glyphs < 2 || last->n_glyphs > 3 || line->words.n <= WORDS ||
        chars_of(line) < CHARS)
        return false;
    for (size_t i = 0; i < last->n_glyphs; i++)
        if (last->glyphs[i].code - 'a' >= 26)
            return false;
    return has_letter(line->words.items[line->words.n - 2]);
}

/* Whether a line begins with a word, and not with an address of the web or of mail. */
static bool begins_with_word(const struct line *line)
{
    const struct word *word = line->words.items[0];

    for (size_t i = 0; i + 1 < word->n_glyphs; i++)
        if (word->glyphs[i].code == '@' || word->glyphs[i].code == '.' ||
            word->glyphs[i].code == '/')
            return false;
    return true;
}

/* Whether row i goes on with the sentence of the row above it. */
static bool runs_on(const struct side *side, size_t i)
{
    const struct row *row = &side->rows[i];
    const struct line *above = side->rows[i - 1].text;

    return row->item.kind == LABEL_NONE &&
           row->base - side->rows[i - 1].base < LEADING * above->size &&
           fabsf(row->text->size - above->size) < SAME * above->size &&
           row->text->bold == above->bold && begins_with_word(row->text) &&
           (sentence_runs_on(above, row->text) || is_open(above)) &&
           (above->words.n >= WORDS || chars_of(above) >= CHARS);
}

/* Whether row i is where something begins: not the first row, and none below a heading. */
static bool begins(const struct side *side, size_t i)
{
    const struct line *text = side->rows[i].text, *above;

    if (i == 0 || runs_on(side, i))
        return false;
    above = side->rows[i - 1].text;
    return text->bold == above->bold && fabsf(text->size - above->size) < SAME * above->size;
}

/* The lines between x0 and x1. False if they are not a column. */
static bool read_side(const struct item *items, size_t n, float x0, float x1, struct side *side)
{
    size_t chars = 0, unknown = 0;

    *side = (struct side){ .n = 0 };
    for (size_t i = 0; i < n; i++) {
        const struct item *item = &items[i];

        if (item->area.x0 < x0 - 1 || item->area.x1 > x1 + 1)
            continue;
        if (side->n == MOST || (!item->line && item->block->kind != BLOCK_FIGURE))
            return false;
        if (item->line)
            side->rows[side->n++] = (struct row){ .text = item->line,
                                                  .item = label_of(item->line),
                                                  .base = item->line->base,
                                                  .x = item->area.x0 };
    }
    if (side->n < 2)
        return false;
    qsort(side->rows, side->n, sizeof *side->rows, by_place);
    if (!join_labels(side))
        return false;
    for (size_t i = 0; i < side->n; i++) {
        const struct row *row = &side->rows[i];

        chars += chars_of(row->text);
        side->items += row->item.kind != LABEL_NONE;
        side->runs += i > 0 && runs_on(side, i);
        unknown += begins(side, i) && row->item.kind == LABEL_NONE && !sentence_ends(row[-1].text);
    }
    return side->n >= 2 && chars > SPARSE * side->n && (side->runs > 0 || side->items > 1) &&
           unknown * 2 < side->n;
}

/* Whether a line of the other side is next to white between two lines of this one, as in a table
 * with an empty cell. */
static bool has_hole(const struct side *side, const struct side *other)
{
    for (size_t i = 1; i < side->n; i++) {
        float from = side->rows[i - 1].base, to = side->rows[i].base,
              size = side->rows[i].text->size;

        for (size_t k = 0; k < other->n && to - from > LEADING * size; k++)
            if (other->rows[k].base > from + size && other->rows[k].base < to - size)
                return true;
    }
    return false;
}

/* Whether both sides begin again at one height, as the cells of a row do. */
static bool has_row(const struct side *left, const struct side *right)
{
    for (size_t i = 1; i < left->n; i++)
        for (size_t k = 1; k < right->n; k++)
            if (begins(left, i) && begins(right, k) &&
                fabsf(left->rows[i].base - right->rows[k].base) <
                    LEVEL * left->rows[i].text->size &&
                (left->rows[i].item.kind == LABEL_NONE || right->rows[k].item.kind == LABEL_NONE))
                return true;
    return false;
}

/* The first item of a list, or the last one; NULL: there is none. */
static const struct label *find_item(const struct side *side, bool last)
{
    for (size_t i = 0; i < side->n; i++) {
        const struct row *row = &side->rows[last ? side->n - 1 - i : i];

        if (row->item.kind != LABEL_NONE)
            return &row->item;
    }
    return NULL;
}

/* Whether the numbers of two lists say that the items go on from left to right: 1 2, 3 4. */
static bool goes_across(const struct side *left, const struct side *right)
{
    const struct label *first = find_item(left, false), *last = find_item(left, true),
                       *next = find_item(right, false);

    return left->items > 1 && right->items > 0 && first->kind != LABEL_BULLET &&
           first->kind == next->kind && next->value == first->value + 1 &&
           last->value > next->value;
}

/* Whether the words of the two sides are texts. The first one begins with a capital letter, a sign
 * or a number; small letters everywhere are those of two lists of words. */
static bool are_texts(const struct side *left, const struct side *right)
{
    const struct line *first = left->rows[0].text, *last = left->rows[left->n - 1].text;
    bool sentences = false;

    for (size_t i = 0; i < left->n; i++)
        sentences = sentences || sentence_ends(left->rows[i].text);
    for (size_t i = 0; i < right->n; i++)
        sentences = sentences || sentence_ends(right->rows[i].text);
    if (sentence_begins_small(first) && !sentences && left->items == 0)
        return false;
    return !sentence_begins_small(right->rows[0].text) || right->items > 0 ||
           sentence_runs_on(last, right->rows[0].text);
}

static bool are_columns(const struct item *items, size_t n, float from, const struct column *strip,
                        float to)
{
    struct side left, right;

    return read_side(items, n, from, strip->x0, &left) &&
           read_side(items, n, strip->x1, to, &right) &&
           strip->x1 - strip->x0 > GUTTER * left.rows[0].text->size && !has_hole(&left, &right) &&
           !has_hole(&right, &left) && !has_row(&left, &right) && !goes_across(&left, &right) &&
           are_texts(&left, &right);
}

/* How many items are above the first white space that goes all across. */
static size_t count_above(const struct item *items, size_t n)
{
    float end = -INFINITY;
    size_t i;

    for (i = 0; i < n; i++) {
        float size = items[i].line ? items[i].line->size : 0;

        if (i > 0 && items[i].area.y0 > end + APART * size)
            break;
        end = fmaxf(end, items[i].area.y1);
    }
    return i;
}

/* Whether all that is between x0 and x1 are labels of a list. */
static bool are_labels(const struct item *items, size_t n, float x0, float x1)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].area.x0 >= x0 - 1 && items[i].area.x1 <= x1 + 1 &&
            (!items[i].line || items[i].line->words.n > 1 ||
             label_of(items[i].line).kind == LABEL_NONE))
            return false;
    return true;
}

static int by_left(const void *a, const void *b)
{
    return num_compare_floats(&((const struct area *) a)->x0, &((const struct area *) b)->x0);
}

/* The strips of white between the items, from left to right, but for those right of labels. */
static size_t find_gutters(const struct item *items, size_t n, struct column *gutter)
{
    struct area areas[MOST_ITEMS];
    size_t found = 0;
    float end, from = 0;

    for (size_t i = 0; i < n; i++)
        areas[i] = items[i].area;
    qsort(areas, n, sizeof *areas, by_left);
    end = areas[0].x1;
    for (size_t i = 1; i < n && found + 1 < MODEL_COLUMNS; i++) {
        if (areas[i].x0 > end + WHITE && !are_labels(items, n, from, end)) {
            gutter[found++] = (struct column){ end, areas[i].x0 };
            from = areas[i].x0;
        }
        end = fmaxf(end, areas[i].x1);
    }
    return found;
}

size_t short_columns_find(const struct item *items, size_t n, struct column *gutter,
                          size_t *n_gutters)
{
    size_t count = count_above(items, n), all, kept = 0;
    float from = 0;

    *n_gutters = 0;
    if (count < 4 || count > MOST_ITEMS)
        return 0;
    all = find_gutters(items, count, gutter);
    for (size_t i = 0; i < all; i++)
        if (are_columns(items, count, from, &gutter[i],
                        i + 1 < all ? gutter[i + 1].x0 : (float) INFINITY)) {
            from = gutter[i].x1;
            gutter[kept++] = gutter[i];
        }
    *n_gutters = kept;
    return kept ? count : 0;
}
