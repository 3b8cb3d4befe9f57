#include "write/json/emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* A value follows: a comma, unless it is the first one. */
static void separate_value(struct buf *out)
{
    if (out->len && !strchr("{[:\n", out->data[out->len - 1]))
        buf_putc(out, ',');
}

void emit_open(struct buf *out, char bracket)
{
    separate_value(out);
    buf_putc(out, bracket);
}

void emit_close(struct buf *out, char bracket)
{
    buf_putc(out, bracket);
}

void emit_key(struct buf *out, const char *name)
{
    separate_value(out);
    buf_printf(out, "\"%s\":", name);
}

static void put_character(struct buf *out, uint32_t c)
{
    if (c == '"' || c == '\\') {
        buf_putc(out, '\\');
        buf_putc(out, (char) c);
    } else if (c == '\n') {
        buf_puts(out, "\\n");
    } else if (c == '\t') {
        buf_puts(out, "\\t");
    } else if (c < ' ' || c == 0x7f) {
        buf_puts(out, "\xef\xbf\xbd");
    } else {
        utf8_put(c, out);
    }
}

void emit_text(struct buf *out, const char *text, size_t n)
{
    separate_value(out);
    buf_putc(out, '"');
    for (size_t at = 0; at < n;) {
        uint32_t c = 0xfffd;
        size_t length = utf8_decode(text + at, n - at, &c);

        put_character(out, length ? c : 0xfffd);
        at += length ? length : 1;
    }
    buf_putc(out, '"');
}

void emit_number(struct buf *out, float number)
{
    char text[64];
    size_t n;

    separate_value(out);
    if (!isfinite(number) || fabsf(number) > 1e9F)
        number = 0;
    snprintf(text, sizeof text, "%.2f", (double) number);
    n = strlen(text);
    while (text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    text[n] = '\0';
    buf_puts(out, strcmp(text, "-0") == 0 ? "0" : text);
}

void emit_integer(struct buf *out, long long number)
{
    separate_value(out);
    buf_printf(out, "%lld", number);
}

void emit_bool(struct buf *out, bool value)
{
    separate_value(out);
    buf_puts(out, value ? "true" : "false");
}

void emit_box(struct buf *out, const struct area *area)
{
    emit_open(out, '[');
    emit_number(out, area->x0);
    emit_number(out, area->y0);
    emit_number(out, area->x1);
    emit_number(out, area->y1);
    emit_close(out, ']');
}

void emit_color(struct buf *out, uint32_t color)
{
    char text[8];

    snprintf(text, sizeof text, "#%06x", color & 0xffffff);
    emit_text(out, text, 7);
}
