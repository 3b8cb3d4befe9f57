#include "pdf/crypt_text.h"

#include <string.h>

#include "base/num.h"

static bool is_octal(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '7';
}

/* Decodes an escape after its backslash; returns what follows it. */
static const char *read_escape(const char *at, const char *end, struct buf *out)
{
    static const char names[] = "nrtbf", values[] = "\n\r\t\b\f";
    const char *name = *at ? strchr(names, *at) : NULL;
    int code = 0;

    if (name) {
        buf_putc(out, values[name - names]);
        return at + 1;
    }
    if (*at == '\n')
        return at + 1;
    if (*at == '\r')
        return at + 1 < end && at[1] == '\n' ? at + 2 : at + 1;
    if (!is_octal(at, end)) {
        buf_putc(out, *at);
        return at + 1;
    }
    for (int i = 0; i < 3 && is_octal(at, end); i++)
        code = code << 3 | (*at++ - '0');
    buf_putc(out, (char) code);
    return at;
}

/* Decodes a literal string after its parenthesis; returns what follows it. */
static const char *read_literal(const char *at, const char *end, struct buf *out)
{
    for (int depth = 1; at < end;) {
        char c = *at++;

        if (c == '\\' && at < end) {
            at = read_escape(at, end, out);
            continue;
        }
        depth += (c == '(') - (c == ')');
        if (depth == 0)
            return at;
        buf_putc(out, c);
    }
    return end;
}

static const char *read_hex(const char *at, const char *end, struct buf *out)
{
    int high = -1;

    for (; at < end && *at != '>'; at++) {
        int digit = num_hex_digit(*at);

        if (digit < 0)
            continue;
        if (high >= 0)
            buf_putc(out, (char) (high << 4 | digit));
        high = high < 0 ? digit : -1;
    }
    if (high >= 0)
        buf_putc(out, (char) (high << 4));
    return at < end ? at + 1 : end;
}

static void put_string(const struct crypt *crypt, int number, const struct buf *string,
                       struct buf *out)
{
    AUTO_BUF struct buf secret = BUF_EMPTY;

    crypt_put(crypt, crypt->strings, number, 0, buf_text(string), string->len, &secret);
    buf_putc(out, '<');
    for (size_t i = 0; i < secret.len; i++)
        buf_printf(out, "%02x", (unsigned char) secret.data[i]);
    buf_putc(out, '>');
    out->failed |= secret.failed || string->failed;
}

void crypt_strings(const struct crypt *crypt, int number, struct buf *text)
{
    const char *at = buf_text(text), *end = at + text->len;
    AUTO_BUF struct buf out = BUF_EMPTY;

    while (at < end) {
        AUTO_BUF struct buf string = BUF_EMPTY;

        if (*at == '(') {
            at = read_literal(at + 1, end, &string);
            put_string(crypt, number, &string, &out);
        } else if (*at == '<' && at + 1 < end && at[1] != '<') {
            at = read_hex(at + 1, end, &string);
            put_string(crypt, number, &string, &out);
        } else {
            size_t n = *at == '<' ? 2 : 1;

            buf_put(&out, at, n);
            at += n;
        }
    }
    out.failed |= text->failed;
    buf_free(text);
    *text = out;
    out = BUF_EMPTY;
}
