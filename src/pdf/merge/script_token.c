#include "pdf/merge/script_token.h"

#include <ctype.h>
#include <string.h>

#include "base/scope.h"

static bool is_word(char c)
{
    return isalnum((unsigned char) c) || c == '_' || c == '$' || (unsigned char) c >= 0x80;
}

static bool follows(const struct script *s, const char *text)
{
    size_t n = strlen(text);

    return (size_t) (s->end - s->at) >= n && memcmp(s->at, text, n) == 0;
}

static void skip_comment(struct script *s)
{
    const char *end = s->at[1] == '/' ? memchr(s->at, '\n', (size_t) (s->end - s->at))
                                      : memmem(s->at + 2, (size_t) (s->end - s->at - 2), "*/", 2);
    const char *line = s->at[1] == '/' ? memchr(s->at, '\r', (size_t) (s->end - s->at)) : NULL;

    if (line && (!end || line < end))
        end = line;
    s->at = end ? end + (s->at[1] == '/' ? 1 : 2) : s->end;
}

static void skip_blanks(struct script *s)
{
    for (;;) {
        while (s->at < s->end && isspace((unsigned char) *s->at))
            s->at++;
        if (!follows(s, "//") && !follows(s, "/*"))
            return;
        skip_comment(s);
    }
}

/* Up to the end of a string, template or regular expression that does not end with the line. */
static void skip_quoted(struct script *s, char quote)
{
    bool in_class = false;

    for (s->at++; s->at < s->end; s->at++) {
        if (*s->at == '\\' && s->end - s->at > 1)
            s->at++;
        else if (quote == '/' && (*s->at == '[' || *s->at == ']'))
            in_class = *s->at == '[';
        else if (*s->at == quote && !in_class)
            break;
        else if (quote != '`' && (*s->at == '\n' || *s->at == '\r'))
            return;
    }
    if (s->at < s->end)
        s->at++;
}

/* Whether a slash divides, because a value precedes it. */
static bool divides(const struct script_token *last)
{
    static const char *const keywords[] = { "return", "typeof", "case", "in",   "delete",
                                            "void",   "throw",  "new",  "else", "do" };

    if (last->kind == SCRIPT_SIGN)
        return *last->at == ')' || *last->at == ']' || *last->at == '}';
    for (size_t i = 0; i < COUNT(keywords); i++)
        if (last->kind == SCRIPT_WORD && script_is(last, keywords[i]))
            return false;
    return last->kind != SCRIPT_END;
}

struct script_token script_next(struct script *s)
{
    struct script_token token = { .kind = SCRIPT_END };

    skip_blanks(s);
    token.at = s->at;
    if (s->at == s->end) {
        s->last = token;
        return token;
    }
    token.kind = SCRIPT_SIGN;
    if (*s->at == '"' || *s->at == '\'') {
        token.kind = SCRIPT_STRING;
        skip_quoted(s, *s->at);
    } else if (*s->at == '`' || (*s->at == '/' && !divides(&s->last))) {
        token.kind = SCRIPT_OTHER;
        skip_quoted(s, *s->at);
    } else if (is_word(*s->at)) {
        token.kind = isdigit((unsigned char) *s->at) ? SCRIPT_OTHER : SCRIPT_WORD;
        while (s->at < s->end && is_word(*s->at))
            s->at++;
    } else {
        s->at++;
    }
    token.n = (size_t) (s->at - token.at);
    s->last = token;
    return token;
}

bool script_is(const struct script_token *token, const char *text)
{
    return strlen(text) == token->n && memcmp(token->at, text, token->n) == 0;
}

static void put_utf8(struct buf *out, unsigned c)
{
    if (c < 0x80) {
        buf_putc(out, (char) c);
    } else if (c < 0x800) {
        buf_putc(out, (char) (0xc0 | c >> 6));
        buf_putc(out, (char) (0x80 | (c & 0x3f)));
    } else {
        buf_putc(out, (char) (0xe0 | c >> 12));
        buf_putc(out, (char) (0x80 | (c >> 6 & 0x3f)));
        buf_putc(out, (char) (0x80 | (c & 0x3f)));
    }
}

/* Reads `digits` hexadecimal digits; false if they are not there. */
static bool read_hex(const char *at, const char *end, int digits, unsigned *value)
{
    *value = 0;
    if (end - at < digits)
        return false;
    for (int i = 0; i < digits; i++) {
        int c = tolower((unsigned char) at[i]);

        if (!isxdigit(c))
            return false;
        *value = *value * 16 + (unsigned) (isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* Appends what the escape sequence after the backslash at `at` means; returns its end. */
static const char *put_escaped(struct buf *out, const char *at, const char *end)
{
    static const char letters[] = "nrtbfv", meanings[] = "\n\r\t\b\f\v";
    const char *letter = strchr(letters, at[1]);
    int digits = at[1] == 'u' ? 4 : at[1] == 'x' ? 2 : 0;
    unsigned value;

    if (digits && read_hex(at + 2, end, digits, &value)) {
        put_utf8(out, value);
        return at + 2 + digits;
    }
    if (at[1] == '\n' || at[1] == '\r') /* the string goes on in the next line */
        return at + 2;
    buf_putc(out, letter && *letter ? meanings[letter - letters] : at[1]);
    return at + 2;
}

void script_value(const struct script_token *token, struct buf *out)
{
    const char *at = token->at + 1, *end = token->at + token->n;

    if (end > at && end[-1] == *token->at)
        end--;
    while (at < end) {
        if (*at == '\\' && end - at > 1)
            at = put_escaped(out, at, end);
        else
            buf_putc(out, *at++);
    }
}

void script_quote(const struct script_token *like, const char *value, size_t n, struct buf *out)
{
    buf_putc(out, *like->at);
    for (size_t i = 0; i < n; i++) {
        if (value[i] == *like->at || value[i] == '\\')
            buf_putc(out, '\\');
        if ((unsigned char) value[i] < ' ')
            buf_printf(out, "\\x%02x", value[i]);
        else
            buf_putc(out, value[i]);
    }
    buf_putc(out, *like->at);
}
