#include "layout/regions/note_line.h"

#define LONGEST 2 /* characters of a mark */

static bool is_letter(uint32_t c)
{
    return (c | 0x20) - 'a' < 26 || (c >= 0xc0 && c != 0xd7 && c != 0xf7 && c < 0x2000);
}

static bool is_sign(uint32_t c)
{
    return c == '*' || c == 0x2020 || c == 0x2021 || c == 0xa7;
}

/* A number, a single letter, or asterisks and daggers. */
static bool is_mark(const struct word *word)
{
    uint32_t first = word->glyphs->code, last = word->glyphs[word->n_glyphs - 1].code;

    if (word->n_glyphs > LONGEST)
        return false;
    return (first - '0' < 10 && last - '0' < 10) || (is_sign(first) && is_sign(last)) ||
           (word->n_glyphs == 1 && first - 'a' < 26);
}

static bool is_note(const struct row *row, const struct segment *segment)
{
    const struct word *const *words =
        (const struct word *const *) row->line.words.items + segment->from;

    return segment->n > 1 && is_mark(words[0]) && words[1]->n_glyphs > 1 &&
           is_letter(words[1]->glyphs->code);
}

static bool is_raised_in(const struct word *mark, const struct row *row)
{
    for (size_t i = 0; i < row->line.words.n; i++) {
        const struct word *word = row->line.words.items[i];

        if (word->glyphs->code == mark->glyphs->code &&
            words_script(word, &row->line) == SCRIPT_SUPER)
            return true;
    }
    return false;
}

bool note_line_is(const struct row *row, const struct row *above, size_t n, bool alone)
{
    const struct word *mark = row->line.words.items[0];
    uint32_t first = mark->glyphs->code;

    for (size_t i = 0; i < row->n; i++)
        if (!is_note(row, &row->segments[i]))
            return false;
    if (alone && mark->n_glyphs == 1 && (first == '1' || first == 'a' || is_sign(first)))
        return true;
    for (size_t i = 0; i < n; i++)
        if (is_raised_in(mark, &above[i]))
            return true;
    return false;
}
