#include "server/multipart/header_param.h"

#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/utf8.h"

void header_param_free(struct header_param *param)
{
    buf_free(&param->value);
}

bool header_param_is_token(unsigned char c)
{
    return c > ' ' && c < 0x7f && !strchr("\"(),/:;<=>?@[\\]{}", c);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

static size_t trimmed(const char *text, size_t n)
{
    while (n && is_blank(text[n - 1]))
        n--;
    return n;
}

size_t header_param_head(const char *text, const char **head, const char **rest)
{
    size_t n;

    *head = skip_blanks(text);
    n = strcspn(*head, ";");
    *rest = *head + n;
    return trimmed(*head, n);
}

/* p points after the opening quote. NULL if there is no closing one. */
static const char *read_quoted(const char *p, struct buf *out)
{
    for (; *p != '"'; p++) {
        if (*p == '\0')
            return NULL;
        if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
            p++;
        buf_putc(out, *p);
    }
    return p + 1;
}

int header_param_next(const char **rest, struct header_param *param)
{
    const char *p = *rest;
    size_t n;

    do { /* "a; ;b" and a ';' at the end are common */
        if (*p == ';')
            p++;
        p = skip_blanks(p);
    } while (*p == ';');
    if (*p == '\0')
        return 0;

    param->name = p;
    while (header_param_is_token((unsigned char) *p))
        p++;
    param->name_len = (size_t) (p - param->name);
    p = skip_blanks(p);
    if (param->name_len == 0 || *p != '=')
        return -1;
    p = skip_blanks(p + 1);

    param->value.len = 0;
    buf_put(&param->value, "", 0);
    if (*p == '"') {
        p = read_quoted(p + 1, &param->value);
        if (!p)
            return -1;
        p = skip_blanks(p);
        if (*p != ';' && *p != '\0')
            return -1;
    } else {
        n = strcspn(p, ";");
        if (memchr(p, '"', n))
            return -1;
        buf_put(&param->value, p, trimmed(p, n));
        p += n;
    }
    *rest = p;
    return param->value.failed ? -1 : 1;
}

bool header_param_is(const struct header_param *param, const char *name)
{
    return strlen(name) == param->name_len && strncasecmp(param->name, name, param->name_len) == 0;
}

bool header_param_extended(const char *text, struct buf *out)
{
    const char *language = strchr(text, '\'');
    const char *value = language ? strchr(language + 1, '\'') : NULL;
    size_t charset = language ? (size_t) (language - text) : 0;
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    bool latin1, utf8;

    if (!value)
        return false;
    utf8 = charset == 5 && strncasecmp(text, "UTF-8", 5) == 0;
    latin1 = charset == 10 && strncasecmp(text, "ISO-8859-1", 10) == 0;
    if (!utf8 && !latin1)
        return false;

    for (const char *p = value + 1; *p; p++) {
        int high, low;

        if (*p != '%') {
            buf_putc(&bytes, *p);
            continue;
        }
        high = num_hex_digit(p[1]);
        low = high < 0 ? -1 : num_hex_digit(p[2]);
        if (low < 0 || (high == 0 && low == 0))
            return false;
        buf_putc(&bytes, (char) (high * 16 + low));
        p += 2;
    }
    if (utf8 && !utf8_is_valid(buf_text(&bytes), bytes.len))
        return false;
    out->len = 0;
    if (utf8)
        buf_put(out, buf_text(&bytes), bytes.len);
    else
        header_param_latin1(buf_text(&bytes), bytes.len, out);
    return !out->failed && !bytes.failed;
}

void header_param_latin1(const char *text, size_t n, struct buf *out)
{
    out->len = 0;
    buf_put(out, "", 0);
    for (size_t i = 0; i < n; i++)
        utf8_put((unsigned char) text[i], out);
}
