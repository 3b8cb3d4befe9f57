#include "layout/tables/gutters.h"

#include <math.h>
#include <stdlib.h>

#define WHITE     8.0F /* points: the width of the space, at least */
#define SAME      1.5F /* points: words that are nearer to each other begin at one place */
#define EDGE      5    /* lines that have a word at the beginning of a column, at least */
#define GAP       1.6F /* font sizes: distance of lines in one paragraph, at most */
#define PROSE     20   /* characters of a line of running text, at least */
#define WORDS     3    /* words of such a line, at least */
#define SPACE     0.7F /* font sizes: white space between its words, at most */
#define LINES     5    /* such lines in each column, at least */
#define ALL_LINES 16   /* and in both together */
#define RARE      3 /* among that many lines next to a column's text there must be one such line */
#define BINS      2048

struct looking {
    const struct line_list *lines;
    const struct rule_list *rules;
    float x;
};

/* Lines that follow each other without white space across both columns. */
struct stretch {
    size_t from, to;
    size_t left, right; /* lines of running text in each column */
    size_t in_both;     /* lines with words in both columns */
};

static size_t first_right(const struct looking *look, const struct line *line)
{
    size_t at = 0;

    while (at < line->words.n && line->words.items[at]->area.x0 < look->x - SAME)
        at++;
    return at;
}

static bool is_prose(const struct line *line, size_t from, size_t to)
{
    size_t chars = 0;

    for (size_t i = from; i < to; i++) {
        const struct word *word = line->words.items[i];

        if (i > from && word->area.x0 - line->words.items[i - 1]->area.x1 > SPACE * line->size)
            return false;
        chars += word->n_glyphs;
    }
    return to - from >= WORDS && chars >= PROSE;
}

/* Whether the line has words in the white space, or a rule above it, below the line before it,
 * crosses it. */
static bool crosses(const struct looking *look, size_t at)
{
    const struct line *line = &look->lines->items[at];
    size_t right = first_right(look, line);

    for (size_t i = 0; i < right; i++)
        if (line->words.items[i]->area.x1 > look->x - WHITE)
            return true;
    for (size_t i = 0; i < look->rules->n && at > 0; i++) {
        const struct rule *rule = &look->rules->items[i];

        if (rule->across && rule->from < look->x - WHITE && rule->to > look->x &&
            rule->at > line[-1].base && rule->at < line->base)
            return true;
    }
    return false;
}

/* The stretch that begins with a line; its `to` is at least the next one. */
static struct stretch stretch_at(const struct looking *look, size_t from)
{
    struct stretch stretch = { .from = from };
    const struct line *lines = look->lines->items;
    size_t i = from;

    do {
        size_t right = first_right(look, &lines[i]);

        stretch.left += is_prose(&lines[i], 0, right);
        stretch.right += is_prose(&lines[i], right, lines[i].words.n);
        stretch.in_both += right > 0 && right < lines[i].words.n;
        i++;
    } while (i < look->lines->n && lines[i].base - lines[i - 1].base <= GAP * lines[i].size &&
             !crosses(look, i));
    stretch.to = i;
    return stretch;
}

static bool is_strong(const struct stretch *stretch)
{
    return stretch->left >= LINES && stretch->right >= LINES &&
           stretch->left + stretch->right >= ALL_LINES;
}

/* Whether a stretch next to columns of text is in them: it has text, and is not the rows of a table
 * of the page's width. */
static bool is_long_stretch(const struct stretch *stretch)
{
    return stretch->in_both == 0 ||
           (stretch->left + stretch->right) * RARE >= stretch->to - stretch->from;
}

/* The lines with the most running text on both sides of x; its number of lines, or 0. */
static size_t look_at_gutter(const struct looking *look, struct gutter *gutter)
{
    size_t best = 0, n = look->lines->n, from = 0, to = 0, prose = 0;
    bool strong = false;

    for (size_t i = 0; i <= n;) {
        struct stretch stretch = { .to = i + 1 };
        bool crossed = i == n || crosses(look, i);

        if (!crossed)
            stretch = stretch_at(look, i);
        if (crossed || !is_long_stretch(&stretch)) {
            if (strong && prose > best) {
                best = prose;
                *gutter = (struct gutter){ from, to, look->x };
            }
            from = to = stretch.to;
            prose = 0;
            strong = false;
        } else {
            prose += stretch.left + stretch.right;
            strong = strong || is_strong(&stretch);
            to = stretch.to;
        }
        i = stretch.to;
    }
    return best;
}

bool gutters_find(struct arena *arena, const struct line_list *lines, const struct rule_list *rules,
                  struct gutter *gutter)
{
    unsigned short *bins = ARENA_ARRAY(arena, unsigned short, BINS);
    struct looking look = { .lines = lines, .rules = rules };
    size_t best = 0;

    for (size_t i = 0; i < BINS; i++)
        bins[i] = 0;
    for (size_t i = 0; i < lines->n; i++)
        for (size_t k = 0; k < lines->items[i].words.n; k++) {
            float x = lines->items[i].words.items[k]->area.x0;

            if (x >= 0 && x < BINS - 1 &&
                (k == 0 || x - lines->items[i].words.items[k - 1]->area.x1 >= WHITE))
                bins[(size_t) x]++;
        }
    for (size_t x = 1; x + 1 < BINS; x++) {
        struct gutter now;
        size_t prose;

        if (bins[x] + bins[x + 1] < EDGE || bins[x] < bins[x + 1] || bins[x] < bins[x - 1])
            continue;
        look.x = (float) x + 0.5F;
        prose = look_at_gutter(&look, &now);
        if (prose > best) {
            best = prose;
            *gutter = now;
        }
    }
    return best > 0;
}
