#include "engine/layer_fit/text_rows.h"

#include <stdlib.h>
#include <string.h>

/* Lengths in pixels at TEXT_ROWS_DPI. */
#define BLOCK       48 /* the side of the squares whose paper is measured */
#define CONTRAST    22 /* least levels between paper and ink */
#define GRAIN       3  /* times the mean grain of the paper that ink is darker at least */
#define NEAR        40 /* levels around that of the paper that are its grain */
#define LEAST_HIGH  4  /* of letters */
#define MOST_HIGH   50
#define MOST_WIDE   300
#define LEAST_AREA  6
#define MOST_FILLED 0.92  /* part of its box that a letter fills */
#define LETTERS     60000 /* limit of the letters of a page */
#define IN_ROW      4     /* least letters of a row, */
#define ROW_WIDE    8     /* or its length in heights of its letters */
#define ALIKE       0.6   /* part of the letters of a row that are about as high as the others */

enum { PAPER, INK, SEEN };

struct search {
    const uint8_t *samples;
    struct text_rows *out;
    int *stack;
    struct text_rows_letter *found;
    size_t n, cap;
    size_t *row; /* of each letter found: another one of its row, or itself */
};

static void search_free(struct search *s)
{
    free(s->stack);
    free(s->found);
    free(s->row);
}

/* The paper of a block, and how much darker ink is. */
static void measure_block(const struct search *s, int x0, int y0, int *paper, int *contrast)
{
    size_t counts[256] = { 0 }, n = 0, below = 0, grain = 0, near = 0;
    int width = s->out->width, height = s->out->height, level = 0;

    for (int y = y0; y < y0 + BLOCK && y < height; y++)
        for (int x = x0; x < x0 + BLOCK && x < width; x++, n++)
            counts[s->samples[(size_t) y * (size_t) width + (size_t) x]]++;
    while (level < 255 && 2 * (below += counts[level]) < n)
        level++;
    for (int i = level > NEAR ? level - NEAR : 0; i < 256 && i <= level + NEAR; i++) {
        grain += counts[i] * (size_t) abs(i - level);
        near += counts[i];
    }
    *paper = level;
    *contrast = near ? (int) (GRAIN * grain / near) : 0;
    *contrast = *contrast < CONTRAST ? CONTRAST : *contrast;
}

static void find_ink(struct search *s)
{
    int width = s->out->width, height = s->out->height, paper, contrast;

    for (int y0 = 0; y0 < height; y0 += BLOCK) {
        for (int x0 = 0; x0 < width; x0 += BLOCK) {
            measure_block(s, x0, y0, &paper, &contrast);
            for (int y = y0; y < y0 + BLOCK && y < height; y++) {
                for (int x = x0; x < x0 + BLOCK && x < width; x++) {
                    size_t at = (size_t) y * (size_t) width + (size_t) x;

                    s->out->ink[at] = s->samples[at] + contrast <= paper ? INK : PAPER;
                }
            }
        }
    }
}

/* Marks the connected pixels of ink around one, and returns how many there are. */
static int lift(struct search *s, int x, int y, struct text_rows_letter *box)
{
    int width = s->out->width, height = s->out->height, area = 0;
    size_t n = 0;

    *box = (struct text_rows_letter){ x, y, x + 1, y + 1 };
    s->out->ink[(size_t) y * (size_t) width + (size_t) x] = SEEN;
    s->stack[n++] = y * width + x;
    while (n > 0) {
        int at = s->stack[--n], ax = at % width, ay = at / width;

        area++;
        box->left = ax < box->left ? ax : box->left;
        box->right = ax >= box->right ? ax + 1 : box->right;
        box->top = ay < box->top ? ay : box->top;
        box->bottom = ay >= box->bottom ? ay + 1 : box->bottom;
        for (int dy = ay > 0 ? -1 : 0; dy <= 1 && ay + dy < height; dy++) {
            for (int dx = ax > 0 ? -1 : 0; dx <= 1 && ax + dx < width; dx++) {
                int next = at + dy * width + dx;

                if (s->out->ink[next] == INK) {
                    s->out->ink[next] = SEEN;
                    s->stack[n++] = next;
                }
            }
        }
    }
    return area;
}

static bool is_letter_box(const struct text_rows_letter *box, int area)
{
    int w = box->right - box->left, h = box->bottom - box->top;

    return h >= LEAST_HIGH && h <= MOST_HIGH && w <= MOST_WIDE && area >= LEAST_AREA &&
           (area <= MOST_FILLED * w * h || (w <= 3 && h <= 20));
}

static bool keep(struct search *s, const struct text_rows_letter *box)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 1024;
        struct text_rows_letter *more = reallocarray(s->found, cap, sizeof *more);

        if (!more)
            return false;
        s->found = more;
        s->cap = cap;
    }
    s->found[s->n++] = *box;
    return true;
}

/* Finds letters in the order of their left edges. */
static bool find_letters(struct search *s)
{
    int width = s->out->width, height = s->out->height;
    struct text_rows_letter box;

    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++) {
            if (s->out->ink[(size_t) y * (size_t) width + (size_t) x] != INK)
                continue;
            int area = lift(s, x, y, &box);

            if (s->n < LETTERS && is_letter_box(&box, area) && !keep(s, &box))
                return false;
        }
    return true;
}

static int high(const struct text_rows_letter *box)
{
    return box->bottom - box->top;
}

/* Whether b is the next letter of a row after a. */
static bool follows(const struct text_rows_letter *a, const struct text_rows_letter *b)
{
    int low = a->bottom < b->bottom ? a->bottom : b->bottom;
    int common = low - (a->top > b->top ? a->top : b->top);
    int small = high(a) < high(b) ? high(a) : high(b), large = high(a) + high(b) - small;

    return 2 * common >= small && 2 * large <= 5 * small && 2 * (b->left - a->right) <= 3 * large &&
           b->right > a->right;
}

static size_t first_of(struct search *s, size_t i)
{
    while (s->row[i] != i)
        i = s->row[i] = s->row[s->row[i]];
    return i;
}

/* Joins letters that stand next to each other. They are in the order of their left edges. */
static bool find_rows(struct search *s)
{
    s->row = reallocarray(NULL, s->n + 1, sizeof *s->row);
    if (!s->row)
        return false;
    for (size_t i = 0; i < s->n; i++)
        s->row[i] = i;
    for (size_t i = 0; i < s->n; i++) {
        const struct text_rows_letter *a = &s->found[i];
        int reach = a->right + 4 * high(a);

        for (size_t k = i + 1; k < s->n && s->found[k].left <= reach; k++)
            if (follows(a, &s->found[k]))
                s->row[first_of(s, k)] = first_of(s, i);
    }
    return true;
}

/* What a row has, noted at its first letter. */
struct row {
    size_t n, alike;
    int wide, high; /* sums */
};

/* Leaves the letters of rows that look like text. */
static bool choose_rows(struct search *s)
{
    struct row *rows = calloc(s->n + 1, sizeof *rows);

    s->out->letters = reallocarray(NULL, s->n + 1, sizeof *s->out->letters);
    for (size_t i = 0; rows && i < s->n; i++) {
        struct row *row = &rows[first_of(s, i)];

        row->n++;
        row->high += high(&s->found[i]);
        row->wide += s->found[i].right - s->found[i].left;
    }
    for (size_t i = 0; rows && i < s->n; i++) {
        struct row *row = &rows[first_of(s, i)];
        int all = high(&s->found[i]) * (int) row->n;

        row->alike += 3 * all >= 2 * row->high && 2 * all <= 3 * row->high;
    }
    for (size_t i = 0; rows && s->out->letters && i < s->n; i++) {
        const struct row *row = &rows[first_of(s, i)];
        bool is_long = row->n >= IN_ROW || row->wide * (int) row->n >= ROW_WIDE * row->high;

        if (is_long && (double) row->alike >= ALIKE * (double) row->n)
            s->out->letters[s->out->n++] = s->found[i];
    }
    free(rows);
    return rows && s->out->letters;
}

bool text_rows_find(const uint8_t *samples, int width, int height, struct text_rows *out)
{
    size_t pixels = (size_t) width * (size_t) height;
    struct search s = { .samples = samples, .out = out };
    bool found;

    *out = (struct text_rows){ .width = width, .height = height, .ink = malloc(pixels + 1) };
    s.stack = reallocarray(NULL, pixels + 1, sizeof *s.stack);
    found = out->ink && s.stack;
    if (found)
        find_ink(&s);
    found = found && find_letters(&s) && find_rows(&s) && choose_rows(&s);
    for (size_t i = 0; found && i < pixels; i++)
        out->ink[i] = out->ink[i] != PAPER;
    search_free(&s);
    if (!found)
        text_rows_free(out);
    return found;
}

void text_rows_free(struct text_rows *rows)
{
    free(rows->letters);
    free(rows->ink);
    *rows = (struct text_rows){ 0 };
}
