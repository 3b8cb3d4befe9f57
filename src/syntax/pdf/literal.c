#include "syntax/pdf/literal.h"

#include <string.h>

void literal_put(struct buf *out, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    char *to = buf_room(out, 2 * n + 2), *at = to;

    if (!to)
        return;
    *at++ = '(';
    for (size_t i = 0; i < n; i++) {
        /* A carriage return alone would be read as a line feed. */
        if (from[i] == '(' || from[i] == ')' || from[i] == '\\' || from[i] == '\r')
            *at++ = '\\';
        *at++ = from[i] == '\r' ? 'r' : (char) from[i];
    }
    *at++ = ')';
    buf_added(out, (size_t) (at - to));
}

void literal_put_hex(struct buf *out, const void *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *from = bytes;
    char *to = buf_room(out, 2 * n + 2), *at = to;

    if (!to)
        return;
    *at++ = '<';
    for (size_t i = 0; i < n; i++) {
        *at++ = digits[from[i] >> 4];
        *at++ = digits[from[i] & 15];
    }
    *at++ = '>';
    buf_added(out, 2 * n + 2);
}

void literal_put_name(struct buf *out, const char *name)
{
    static const char delimiters[] = "()<>[]{}/%#";

    buf_putc(out, '/');
    for (const char *c = *name == '/' ? name + 1 : name; *c; c++) {
        if (*c <= ' ' || *c > '~' || strchr(delimiters, *c))
            buf_printf(out, "#%02x", (unsigned char) *c);
        else
            buf_putc(out, *c);
    }
}
