#include "engine/layer_fit/odd_words.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

#define CHANGES      1 /* of letters to digits and back that words have: "3rd" */
#define NO_VOWELS    4 /* letters of a word that has vowels */
#define LETTERS_MOST 40

enum kind { SYMBOL, DIGIT, LOWER, UPPER, OTHER_LETTER, MARK, NONE };

static enum kind kind_of_character(uint32_t c)
{
    static const enum kind kinds[] = {
        [UTF8PROC_CATEGORY_CN] = NONE,         [UTF8PROC_CATEGORY_LU] = UPPER,
        [UTF8PROC_CATEGORY_LL] = LOWER,        [UTF8PROC_CATEGORY_LT] = UPPER,
        [UTF8PROC_CATEGORY_LM] = OTHER_LETTER, [UTF8PROC_CATEGORY_LO] = OTHER_LETTER,
        [UTF8PROC_CATEGORY_MN] = MARK,         [UTF8PROC_CATEGORY_MC] = MARK,
        [UTF8PROC_CATEGORY_ME] = MARK,         [UTF8PROC_CATEGORY_ND] = DIGIT,
        [UTF8PROC_CATEGORY_NL] = DIGIT,        [UTF8PROC_CATEGORY_NO] = DIGIT,
        [UTF8PROC_CATEGORY_CC] = NONE,         [UTF8PROC_CATEGORY_CF] = MARK,
        [UTF8PROC_CATEGORY_CS] = NONE,         [UTF8PROC_CATEGORY_CO] = NONE,
    }; /* SYMBOL: all others */
    size_t category = (size_t) utf8proc_category((utf8proc_int32_t) c);

    return c == 0xfffd ? NONE : category < sizeof kinds / sizeof *kinds ? kinds[category] : SYMBOL;
}

static bool is_letter_kind(enum kind kind)
{
    return kind == LOWER || kind == UPPER || kind == OTHER_LETTER;
}

/* The letter without its accents, in lower case. */
static uint32_t plain(uint32_t c)
{
    utf8proc_int32_t parts[8];
    int boundary = 0;
    utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t) c, parts, 8,
                                                 UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD, &boundary);

    return n > 0 ? (uint32_t) parts[0] : c;
}

static bool is_latin(uint32_t c)
{
    return c < 0x250 || (c >= 0x1e00 && c < 0x1f00);
}

static bool is_vowel(uint32_t c)
{
    static const uint32_t others[] = { 0xe6, 0xf8, 0x131, 0x153 };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (c == others[i])
            return true;
    return c < 0x80 && c > 0 && strchr("aeiouy", (int) c);
}

/* What stands inside of words: "don't", "e.g.", "12/98", "a@b.c". */
static bool joins(uint32_t c)
{
    return (c < 0x80 && c > 0 && strchr("'-.,/&@:_+()", (int) c)) || c == 0x2019 || c == 0xb7 ||
           (c >= 0x2010 && c <= 0x2015);
}

struct word {
    size_t letters, latin, foreign, vowels, changes, uppers;
    bool raised, strange, repeats; /* a capital after a small letter; a symbol; "aaaa" */
};

static void note_character(struct word *w, const uint32_t *token, size_t i)
{
    uint32_t c = token[i], base = plain(c), before = i > 0 ? token[i - 1] : 0;
    enum kind kind = kind_of_character(c), last = i > 0 ? kind_of_character(before) : SYMBOL;

    if (kind == SYMBOL)
        w->strange |= !joins(c);
    w->changes += i > 0 && ((kind == DIGIT && is_letter_kind(last)) ||
                            (is_letter_kind(kind) && last == DIGIT));
    if (!is_letter_kind(kind))
        return;
    w->letters++;
    w->uppers += kind == UPPER;
    w->latin += is_latin(base);
    w->foreign += !is_latin(base);
    w->vowels += is_vowel(base);
    w->raised |= kind == UPPER && last == LOWER;
    w->repeats |= i > 2 && is_latin(base) && c == before && c == token[i - 2] && c == token[i - 3];
}

static bool is_odd(const uint32_t *token, size_t n)
{
    struct word w = { 0 };

    for (size_t i = 0; i < n; i++)
        note_character(&w, token, i);
    return w.raised || w.strange || w.repeats || w.changes > CHANGES ||
           (w.latin > 0 && w.foreign > 0) ||
           (w.latin >= NO_VOWELS && w.foreign == 0 && w.vowels == 0 && w.uppers < w.latin &&
            w.changes == 0);
}

void odd_words_count(struct odd_words *words, const uint32_t *token, size_t n)
{
    size_t begin = 0, end = n;

    for (size_t i = 0; i < n; i++) {
        bool none = kind_of_character(token[i]) == NONE;

        words->unknown += none;
        words->known += !none;
    }
    while (begin < end && !is_letter_kind(kind_of_character(token[begin])) &&
           kind_of_character(token[begin]) != DIGIT)
        begin++;
    while (end > begin && !is_letter_kind(kind_of_character(token[end - 1])) &&
           kind_of_character(token[end - 1]) != DIGIT)
        end--;
    words->symbols += begin == end;
    if (end - begin < 2)
        return;
    words->words++;
    words->odd += end - begin <= LETTERS_MOST && is_odd(token + begin, end - begin);
}
