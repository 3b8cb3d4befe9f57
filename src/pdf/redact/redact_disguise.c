#include "pdf/redact/redact_disguise.h"

#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "base/utf8.h"

#define ESCAPE       0x1b
#define MOST_ELEMENT 1000 /* bytes between < and > */
#define MOST_MARK    8    /* bytes between two escape characters: a language and a country */
#define MOST_NUMBER  10   /* digits of a number of XML */

/* The hexadecimal number of n digits; -1: it is not one. */
static long hex(const char *text, size_t n)
{
    long number = 0;

    for (size_t i = 0; i < n; i++) {
        int digit = num_hex_digit(text[i]);

        if (digit < 0)
            return -1;
        number = number << 4 | digit;
    }
    return number;
}

/* How many bytes up to the last character `end`, if that is within `most` bytes and none of them is
 * one of `without`; else 0. */
static size_t up_to(const char *text, size_t n, char end, size_t most, const char *without)
{
    for (size_t i = 1; i < n && i <= most; i++) {
        if (text[i] == end)
            return i + 1;
        if (strchr(without, text[i]))
            return 0;
    }
    return 0;
}

/* "&#65;", "&#x41;" or "&amp;". */
static size_t entity(const char *text, size_t n, struct buf *out)
{
    static const struct {
        const char *name;
        char is;
    } named[] = {
        { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' }
    };
    size_t length = up_to(text, n, ';', MOST_NUMBER + 3, "& <");
    long number = 0;

    for (size_t i = 0; i < COUNT(named) && length; i++)
        if (length == strlen(named[i].name) && memcmp(text, named[i].name, length) == 0) {
            buf_putc(out, named[i].is);
            return length;
        }
    if (length < 4 || text[1] != '#')
        return 0;
    if (text[2] == 'x' || text[2] == 'X')
        number = length - 4 <= 6 ? hex(text + 3, length - 4) : -1;
    else
        for (size_t i = 2; i + 1 < length && number >= 0 && number < 0x110000; i++)
            number = text[i] >= '0' && text[i] <= '9' ? number * 10 + text[i] - '0' : -1;
    if (number <= 0 || number >= 0x110000)
        return 0;
    utf8_put((uint32_t) number, out);
    return length;
}

static size_t script_escape(const char *text, size_t n, struct buf *out)
{
    size_t digits = n > 1 && text[1] == 'u' ? 4 : n > 1 && text[1] == 'x' ? 2 : 0;
    long number = digits && n >= digits + 2 ? hex(text + 2, digits) : -1;

    if (number <= 0)
        return 0;
    utf8_put((uint32_t) number, out);
    return digits + 2;
}

/* The bytes of the text that are one character, or none; 0: they are themselves. */
static size_t disguised(const char *text, size_t n, struct buf *out)
{
    long number;

    switch (text[0]) {
    case '<':
        return up_to(text, n, '>', MOST_ELEMENT, "<");
    case '&':
        return entity(text, n, out);
    case '%':
        number = n > 2 ? hex(text + 1, 2) : -1;
        if (number <= 0)
            return 0;
        buf_putc(out, (char) number);
        return 3;
    case '\\':
        return script_escape(text, n, out);
    case ESCAPE:
        return up_to(text, n, ESCAPE, MOST_MARK, "");
    default:
        return 0;
    }
}

bool redact_disguise_plain(const char *text, size_t n, struct buf *out)
{
    bool any = false;

    for (size_t i = 0; i < n;) {
        size_t length = disguised(text + i, n - i, out);

        if (length)
            any = true;
        else
            buf_putc(out, text[i]);
        i += length ? length : 1;
    }
    return any && !out->failed;
}
