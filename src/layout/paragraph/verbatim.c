#include "layout/paragraph/verbatim.h"

#include <math.h>

#define NEAR     1.9F /* sizes between the baselines of two lines that follow each other, at most */
#define LEAST    3    /* pairs of lines, at least */
#define FEW      3    /* times as many pairs as those of which the first is full, at least */
#define RULE     3    /* characters of a rule, at least */
#define SHORT    5    /* words of a line with an amount, at most */
#define DECIMALS 2

bool verbatim_is_rule(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++, n++) {
            uint32_t c = line->words.items[i]->glyphs[k].code;
            bool drawn = c == '-' || c == '=' || c == '_' || c == '*' || c == '.' || c == '~' ||
                         c == '#' || c == 0xb7 || (c >= 0x2010 && c <= 0x2015) || c == 0x2212 ||
                         c == 0x2022 || c == 0x2026 || (c >= 0x2500 && c <= 0x257f);

            if (!drawn)
                return false;
        }
    return n >= RULE;
}

bool verbatim_is_column(const struct joins *joins, const struct page_content *content,
                        const struct line_list *lines)
{
    size_t typed = 0, pairs = 0, full = 0;

    for (size_t i = 0; i < lines->n; i++) {
        const struct line *a = &lines->items[i], *b = a + 1;

        if (!words_are_typed(content, a))
            continue;
        typed++;
        if (i + 1 == lines->n || b->base - a->base > NEAR * a->size || !words_are_typed(content, b))
            continue;
        pairs++;
        full += fabsf(b->area.x0 - a->area.x0) < 0.5F * a->size && !verbatim_is_rule(a) &&
                !verbatim_is_rule(b) &&
                a->area.x1 + 0.6F * a->size + words_first_width(b) > joins->rights[i];
    }
    return typed * 2 >= lines->n && pairs >= LEAST && full * FEW <= pairs;
}

static bool is_digit(uint32_t c)
{
    return c - '0' < 10;
}

/* Digits, in groups of three if there are several: no part of a date. */
static bool is_grouped_amount(const struct word *word, size_t from, size_t to)
{
    size_t group = 0;
    bool several = false;

    for (size_t i = from; i < to; i++) {
        uint32_t c = word->glyphs[i].code;

        if (is_digit(c)) {
            group++;
            continue;
        }
        if ((c != '.' && c != ',' && c != '\'') || group > 3 || (several && group < 3))
            return false;
        several = true;
        group = 0;
    }
    return !several || group == 3;
}

/* "401.51", "-25,00", "$4.00", "(3.00)", "12.50 EUR" but for the code: two digits after the last
 * point or comma, and no letters before it. */
static bool is_amount(const struct word *word)
{
    size_t end = word->n_glyphs, from = 0, digits = 0;

    while (end > 0 && !is_digit(word->glyphs[end - 1].code) && word->n_glyphs - end < 3)
        end--;
    while (from < end && !is_digit(word->glyphs[from].code) && from < 3)
        from++;
    while (end > from && is_digit(word->glyphs[end - 1].code)) {
        end--;
        digits++;
    }
    if (digits != DECIMALS || end < from + 2 ||
        (word->glyphs[end - 1].code != '.' && word->glyphs[end - 1].code != ','))
        return false;
    return is_grouped_amount(word, from, end - 1);
}

/* The amount can be before the name of its currency. */
static bool ends_with_amount(const struct line *line)
{
    const struct word_list *words = &line->words;
    const struct word *last = words->items[words->n - 1];

    return is_amount(last) ||
           (words->n > 1 && last->n_glyphs <= 3 && is_amount(words->items[words->n - 2]));
}

bool verbatim_parts_amounts(const struct line *a, const struct line *b, bool alone)
{
    uint32_t next = b->words.items[0]->glyphs->code;

    if (a->words.n > SHORT || !ends_with_amount(a))
        return false;
    if (b->words.n <= SHORT && ends_with_amount(b))
        return true;
    return alone && !(next - 'a' < 26 || (next >= 0xdf && next <= 0xff));
}
