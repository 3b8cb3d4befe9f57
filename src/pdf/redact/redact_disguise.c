#include "pdf/redact/redact_disguise.h"

#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "pdf/redact/redact_entity.h"

#define ESCAPE       0x1b
#define MOST_ELEMENT 1000 /* bytes between < and > */
#define MOST_MARK    8    /* bytes between two escape characters: a language and a country */

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

static size_t entity(const char *text, size_t n, struct buf *out)
{
    uint32_t code = 0;
    size_t length = redact_entity(text, n, &code);

    if (code == 0)
        return 0;
    utf8_put(code, out);
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
