#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for n more bytes and the terminating NUL. */
static bool grow(struct buf *buf, size_t n)
{
    size_t need, cap = buf->cap ? buf->cap : 128;
    char *data;

    if (buf->failed || __builtin_add_overflow(buf->len, n, &need) ||
        __builtin_add_overflow(need, 1, &need)) {
        buf->failed = true;
        return false;
    }
    if (need <= buf->cap)
        return true;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    data = realloc(buf->data, cap);
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

void buf_put(struct buf *buf, const void *data, size_t n)
{
    if (!grow(buf, n))
        return;
    if (n)
        memcpy(buf->data + buf->len, data, n);
    buf->len += n;
    buf->data[buf->len] = '\0';
}

void *buf_room(struct buf *buf, size_t n)
{
    return grow(buf, n) ? buf->data + buf->len : NULL;
}

void buf_added(struct buf *buf, size_t n)
{
    buf->len += n;
    buf->data[buf->len] = '\0';
}

void buf_puts(struct buf *buf, const char *text)
{
    buf_put(buf, text, strlen(text));
}

/* The buffer grows only when it is full. */
void buf_putc(struct buf *buf, char c)
{
    if (buf->cap - buf->len < 2 && !grow(buf, 1))
        return;
    if (buf->failed)
        return;
    buf->data[buf->len++] = c;
    buf->data[buf->len] = '\0';
}

void buf_put_be16(struct buf *buf, size_t value)
{
    buf_putc(buf, (char) (value >> 8));
    buf_putc(buf, (char) value);
}

void buf_put_be32(struct buf *buf, size_t value)
{
    buf_put_be16(buf, value >> 16);
    buf_put_be16(buf, value);
}

void buf_put_markup(struct buf *buf, char c)
{
    switch (c) {
    case '&':
        buf_puts(buf, "&amp;");
        return;
    case '<':
        buf_puts(buf, "&lt;");
        return;
    case '>':
        buf_puts(buf, "&gt;");
        return;
    case '"':
        buf_puts(buf, "&quot;");
        return;
    default:
        buf_putc(buf, c);
    }
}

void buf_printf(struct buf *buf, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || !grow(buf, (size_t) n)) {
        buf->failed = true;
        return;
    }
    va_start(ap, fmt);
    vsnprintf(buf->data + buf->len, (size_t) n + 1, fmt, ap);
    va_end(ap);
    buf->len += (size_t) n;
}

void buf_drop(struct buf *buf, size_t n)
{
    if (n == 0)
        return;
    memmove(buf->data, buf->data + n, buf->len - n + 1);
    buf->len -= n;
}

char *buf_take(struct buf *buf)
{
    char *data;

    buf_put(buf, "", 0);
    data = buf->failed ? NULL : buf->data;
    if (data)
        *buf = BUF_EMPTY;
    return data;
}

const char *buf_text(const struct buf *buf)
{
    return buf->data ? buf->data : "";
}

void buf_free(struct buf *buf)
{
    free(buf->data);
    *buf = BUF_EMPTY;
}
