#include "layout/page/bidi_order.h"

#include <fribidi.h>
#include <utf8proc.h>

#define FAR ((size_t) 2000) /* signs of a line that are looked at together, at most */

struct reading {
    struct bidi_sign *signs;
    size_t *order;
    size_t n;
    enum bidi_letter last;
};

static FriBidiCharType type_of(uint32_t c)
{
    return fribidi_get_bidi_type(c);
}

bool bidi_is_letter_ltr(uint32_t code)
{
    return type_of(code) == FRIBIDI_TYPE_LTR;
}

bool bidi_is_letter_rtl(uint32_t code)
{
    return type_of(code) == FRIBIDI_TYPE_RTL || type_of(code) == FRIBIDI_TYPE_AL;
}

bool bidi_is_digit(uint32_t code)
{
    return type_of(code) == FRIBIDI_TYPE_EN || type_of(code) == FRIBIDI_TYPE_AN;
}

bool bidi_is_separator(uint32_t code)
{
    return type_of(code) == FRIBIDI_TYPE_CS;
}

bool bidi_is_mark(uint32_t code)
{
    return type_of(code) == FRIBIDI_TYPE_NSM;
}

uint32_t bidi_mirrored(uint32_t code)
{
    FriBidiChar mirrored;

    return fribidi_get_mirror_char(code, &mirrored) ? mirrored : 0;
}

int bidi_bracket(uint32_t code)
{
    int kind = (int) utf8proc_category((utf8proc_int32_t) code);

    return kind == UTF8PROC_CATEGORY_PS || kind == UTF8PROC_CATEGORY_PI   ? 1
           : kind == UTF8PROC_CATEGORY_PE || kind == UTF8PROC_CATEGORY_PF ? -1
                                                                          : 0;
}

static bool is_gap(const struct bidi_sign *sign)
{
    return sign->code == ' ' || sign->code == '\t';
}

static bool is_rtl_letter(const struct bidi_sign *sign)
{
    return bidi_is_letter_rtl(sign->code);
}

/* A letter from left to right or a digit. */
static bool is_token(const struct bidi_sign *sign)
{
    return bidi_is_letter_ltr(sign->code) || bidi_is_digit(sign->code);
}

static bool has_type(const struct reading *r, size_t i, FriBidiCharType type)
{
    return type_of(r->signs[i].code) == type;
}

static void put(struct reading *r, size_t i, bool odd, bool rtl)
{
    r->signs[i].odd = odd;
    r->signs[i].rtl = rtl;
    r->order[r->n++] = i;
}

/* Whether the sign before `at` holds the number from `at` on and the digit before it together (rule
 * W4). */
static bool joins_numbers(const struct reading *r, size_t from, size_t at)
{
    FriBidiCharType sign, type;

    if (at < from + 2)
        return false;
    sign = type_of(r->signs[at - 1].code);
    type = type_of(r->signs[at].code);
    if (type_of(r->signs[at - 2].code) != type ||
        (type != FRIBIDI_TYPE_EN && type != FRIBIDI_TYPE_AN))
        return false;
    return sign == FRIBIDI_TYPE_CS ||
           (sign == FRIBIDI_TYPE_ES && type == FRIBIDI_TYPE_EN && r->last != BIDI_ARABIC);
}

/* A sign before a number that stands alone to its left. */
static bool is_plus_or_minus(const struct reading *r, size_t from, size_t at)
{
    return at > from && has_type(r, at - 1, FRIBIDI_TYPE_ES) &&
           (at - 1 == from || is_gap(&r->signs[at - 2]));
}

/* Where the number begins that ends at `end`; `end` if no number ends there. */
static size_t number_start(const struct reading *r, size_t from, size_t end)
{
    size_t at = end;

    while (at > from && r->last != BIDI_ARABIC && has_type(r, at - 1, FRIBIDI_TYPE_ET))
        at--;
    if (at == from || !bidi_is_digit(r->signs[at - 1].code))
        return end;
    while (at > from) {
        if (bidi_is_digit(r->signs[at - 1].code))
            at--;
        else if (joins_numbers(r, from, at))
            at -= 2;
        else
            break;
    }
    while (at > from && r->last != BIDI_ARABIC && has_type(r, at - 1, FRIBIDI_TYPE_ET))
        at--;
    return is_plus_or_minus(r, from, at) ? at - 1 : at;
}

/* Where the bracket that ends at `end` was opened, in text from left to right; `end`: it is not one
 * that closes, or not in such text. */
static size_t bracket_start(const struct reading *r, size_t from, size_t end)
{
    uint32_t closing = end > from ? r->signs[end - 1].code : 0, opening = bidi_mirrored(closing);
    size_t depth = 0, least = end > from + FAR ? end - FAR : from;

    if (opening == 0 || bidi_bracket(closing) >= 0)
        return end;
    for (size_t i = end; i > least && !is_rtl_letter(&r->signs[i - 1]); i--) {
        depth += r->signs[i - 1].code == closing;
        if (r->signs[i - 1].code == opening && --depth == 0)
            return i - 1;
    }
    return end;
}

/* Whether text from right to left goes on between two tokens, of which the first ends at `u` and
 * the second begins at `t`: the second was drawn before the first, or a comma is at the left of
 * it. A number after a Latin word can be read in either way, and is then the word's. */
static bool is_cut(const struct reading *r, size_t u, size_t t)
{
    const struct bidi_sign *a = &r->signs[u - 1], *b = &r->signs[t];
    bool words = bidi_is_letter_ltr(a->code) && bidi_is_letter_ltr(b->code), gap = false;

    for (size_t i = u; i < t; i++)
        gap = gap || is_gap(&r->signs[i]);
    if (u == t || (words && !gap))
        return false;
    if (b->drawn < a->drawn)
        return true;
    return !words && t - u > 1 && is_gap(&r->signs[u]) &&
           (has_type(r, t - 1, FRIBIDI_TYPE_CS) || r->signs[t - 1].code == ';');
}

/* Where the text from left to right begins that ends at `end`, among text from right to left;
 * `end` if no such text ends there. */
static size_t island_start(const struct reading *r, size_t from, size_t end)
{
    size_t number = number_start(r, from, end), opened = bracket_start(r, from, end);
    size_t start = end, at, least = end > from + FAR ? end - FAR : from;
    bool letters = false;

    if (number == end && opened == end && !(end > from && is_token(&r->signs[end - 1])))
        return end;
    for (at = end; at > least && !is_rtl_letter(&r->signs[at - 1]); at--) {
        const struct bidi_sign *sign = &r->signs[at - 1];

        if (!is_token(sign) || sign->code == '\t')
            continue;
        if (start < end && is_cut(r, at, start))
            break;
        letters = letters || bidi_is_letter_ltr(sign->code);
        start = at - 1;
    }
    /* A bracket is that of text from left to right if such text is before it. */
    if (number == end && opened < end && (!letters || start >= opened))
        return end;
    if (!letters)
        return number;
    if (start > from && bidi_bracket(r->signs[start - 1].code) > 0)
        for (size_t i = start; i < end; i++)
            if (bracket_start(r, from, i + 1) == start - 1)
                return start - 1;
    return start;
}

/* Reads [from, to) as text from right to left. */
static void read_rtl(struct reading *r, size_t from, size_t to)
{
    for (size_t end = to; end > from;) {
        size_t start = island_start(r, from, end);

        if (start == end) {
            const struct bidi_sign *sign = &r->signs[--end];

            if (is_rtl_letter(sign))
                r->last = type_of(sign->code) == FRIBIDI_TYPE_AL ? BIDI_ARABIC : BIDI_HEBREW;
            put(r, end, true, true);
            continue;
        }
        for (size_t i = start; i < end; i++)
            if (bidi_is_letter_ltr(r->signs[i].code))
                r->last = BIDI_LEFT_TO_RIGHT;
        for (size_t i = start; i < end; i++)
            put(r, i, false, r->last != BIDI_LEFT_TO_RIGHT);
        end = start;
    }
}

/* Whether a bracket that ends or begins at `at` belongs to one in [from, to). */
static bool is_bracket_of(const struct reading *r, size_t at, size_t from, size_t to)
{
    uint32_t code = r->signs[at].code, other = bidi_mirrored(code);
    int depth = 1;

    if (other == 0 || bidi_bracket(code) == 0)
        return false;
    for (size_t i = from; i < to && depth > 0; i++)
        depth += r->signs[i].code == code ? 1 : r->signs[i].code == other ? -1 : 0;
    return depth == 0;
}

/* Whether Latin letters stand right before a number. */
static bool follows_letter(const struct reading *r, size_t from, size_t number)
{
    size_t at = number;

    while (at > from && !is_gap(&r->signs[at - 1]))
        if (bidi_is_letter_ltr(r->signs[--at].code))
            return true;
    return false;
}

/* Where the text from right to left begins, in a line from left to right, whose leftmost letter is
 * at `letter`: numbers next to it, and those that were drawn after it, belong to it. */
static size_t region_start(const struct reading *r, size_t from, size_t letter, size_t to)
{
    size_t start = letter;

    for (size_t end = letter, number; end > from; end = number) {
        bool gap = false;

        while (end > from && !is_token(&r->signs[end - 1]) && r->signs[end - 1].code != '\t')
            gap = is_gap(&r->signs[--end]) || gap;
        number = number_start(r, from, end);
        if (number == end || (gap && r->signs[number].drawn < r->signs[letter].drawn) ||
            follows_letter(r, from, number))
            break;
        start = number;
    }
    if (start > from && is_bracket_of(r, start - 1, start, to))
        start--;
    return start;
}

static void read_ltr(struct reading *r, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t letter = at, to;

        while (letter < n && !is_rtl_letter(&r->signs[letter]))
            letter++;
        to = letter;
        for (size_t i = letter;
             i < n && !bidi_is_letter_ltr(r->signs[i].code) && r->signs[i].code != '\t'; i++)
            to = is_rtl_letter(&r->signs[i]) ? i + 1 : to;
        for (size_t end = letter < n ? region_start(r, at, letter, to) : n; at < end; at++) {
            if (bidi_is_letter_ltr(r->signs[at].code))
                r->last = BIDI_LEFT_TO_RIGHT;
            put(r, at, false, false);
        }
        read_rtl(r, at, to);
        at = to;
    }
}

void bidi_order(struct bidi_sign *signs, size_t n, bool rtl, enum bidi_letter *last, size_t *order)
{
    struct reading reading = { .signs = signs, .order = order, .last = *last };

    if (rtl)
        read_rtl(&reading, 0, n);
    else
        read_ltr(&reading, n);
    *last = reading.last;
}
