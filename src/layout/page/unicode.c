#include "layout/page/unicode.h"

#include <ctype.h>
#include <string.h>

#include <utf8proc.h>

#include "base/scope.h"

#define MOST 32 /* characters of a decomposition, at most (U+FDFA has 18) */

static bool is_presentation_form(uint32_t c)
{
    return (c >= 0xfb00 && c <= 0xfb06) || (c >= 0xfb50 && c <= 0xfbff) ||
           (c >= 0xfe70 && c <= 0xfefc);
}

size_t unicode_plain(uint32_t c, uint32_t plain[static 4])
{
    utf8proc_int32_t parts[MOST];
    utf8proc_ssize_t n_parts;
    size_t n = 0;

    plain[0] = c;
    if (!is_presentation_form(c))
        return 1;
    n_parts = utf8proc_decompose_char((utf8proc_int32_t) c, parts, MOST,
                                      UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, NULL);
    n_parts = utf8proc_normalize_utf32(parts, n_parts, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    /* A vowel sign alone is decomposed into a space and the sign. */
    for (utf8proc_ssize_t i = 0; i < n_parts && n < 4; i++)
        if (parts[i] != ' ')
            plain[n++] = (uint32_t) parts[i];
    return n;
}

uint32_t unicode_compose(uint32_t letter, uint32_t mark)
{
    utf8proc_int32_t both[2] = { (utf8proc_int32_t) letter, (utf8proc_int32_t) mark };
    utf8proc_ssize_t n = utf8proc_normalize_utf32(both, 2, UTF8PROC_STABLE | UTF8PROC_COMPOSE);

    return n == 1 ? (uint32_t) both[0] : 0;
}

bool unicode_is_text(uint32_t c)
{
    return (c >= 0x20 || c == '\t') && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe &&
           c <= 0x10ffff;
}

/* Characters that Unicode has raised. */
static const struct {
    const char *plain, *raised;
} signs[] = {
    { "0", "\u2070" }, { "1", "\u00b9" },      { "2", "\u00b2" }, { "3", "\u00b3" },
    { "4", "\u2074" }, { "5", "\u2075" },      { "6", "\u2076" }, { "7", "\u2077" },
    { "8", "\u2078" }, { "9", "\u2079" },      { "+", "\u207a" }, { "-", "\u207b" },
    { "=", "\u207c" }, { "\u2212", "\u207b" }, { "(", "\u207d" }, { ")", "\u207e" },
    { "a", "\u1d43" }, { "b", "\u1d47" },      { "c", "\u1d9c" }, { "d", "\u1d48" },
    { "e", "\u1d49" }, { "f", "\u1da0" },      { "g", "\u1d4d" }, { "h", "\u02b0" },
    { "i", "\u2071" }, { "j", "\u02b2" },      { "k", "\u1d4f" }, { "l", "\u02e1" },
    { "m", "\u1d50" }, { "n", "\u207f" },      { "o", "\u1d52" }, { "p", "\u1d56" },
    { "r", "\u02b3" }, { "s", "\u02e2" },      { "t", "\u1d57" }, { "u", "\u1d58" },
    { "v", "\u1d5b" }, { "w", "\u02b7" },      { "x", "\u02e3" }, { "y", "\u02b8" },
    { "z", "\u1dbb" },
};

/* Appends the raised character of the one that a text begins with, or a separator of marks as it
 * is. Returns the length of what was read; 0: it has none. */
static size_t raise_first(const char *text, size_t n, struct buf *out)
{
    if (*text == ' ' || *text == ',' || *text == ';') {
        buf_putc(out, *text);
        return 1;
    }
    for (size_t i = 0; i < COUNT(signs); i++) {
        size_t length = strlen(signs[i].plain);

        if (length <= n && memcmp(text, signs[i].plain, length) == 0) {
            buf_puts(out, signs[i].raised);
            return length;
        }
    }
    return 0;
}

/* Whether a text is a number, with 'n' and 'i' in it, or, after a number, the letters of notes. A
 * bracket alone is a part of a formula. */
static bool is_raisable(const char *text, size_t n, bool after_number)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char) text[i], before = i ? (unsigned char) text[i - 1] : ' ';

        if (isalnum(c) && isalpha(before))
            return false;
        if (isalpha(c) && c != 'n' && c != 'i' && (!after_number || isdigit(before)))
            return false;
        any = any || isalnum(c) || c == '+' || c == '-';
    }
    return any;
}

/* Whether a number ends `out`, perhaps in the marks of Markdown, or with a raised mark. */
static bool follows_number(const struct buf *out)
{
    size_t n = out->len;

    while (n > 0 && (out->data[n - 1] == '*' || out->data[n - 1] == ','))
        n--;
    return n > 0 &&
           (isdigit((unsigned char) out->data[n - 1]) || unicode_raised_end(out->data, n) > 0);
}

bool unicode_put_raised(const char *text, size_t n, struct buf *out)
{
    size_t from = out->len;

    if (!is_raisable(text, n, follows_number(out)))
        return false;
    for (size_t at = 0, step; at < n; at += step) {
        step = raise_first(text + at, n - at, out);
        if (step == 0) {
            out->len = from;
            return false;
        }
    }
    return true;
}

static bool has_digit(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isdigit((unsigned char) text[i]))
            return true;
    return false;
}

void unicode_put_raised_text(const char *text, size_t n, struct buf *out)
{
    if (unicode_put_raised(text, n, out))
        return;
    if (out->len && isdigit((unsigned char) out->data[out->len - 1]) && n &&
        (isdigit((unsigned char) *text) || strchr("+-.,", *text)) && has_digit(text, n))
        buf_putc(out, '^');
    buf_put(out, text, n);
}

size_t unicode_raised_end(const char *text, size_t n)
{
    for (size_t i = 0; i < COUNT(signs); i++) {
        size_t length = strlen(signs[i].raised);

        if (length <= n && memcmp(text + n - length, signs[i].raised, length) == 0)
            return length;
    }
    return 0;
}
