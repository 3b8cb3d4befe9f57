#include "recovery/objects/references.h"

#include <stdlib.h>
#include <string.h>

#include "syntax/pdf/lex.h"
#include "syntax/pdf/syntax.h"

static bool is_reference_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Skips a literal string. */
static const char *string_end(const char *at, const char *end)
{
    struct lex lex = { (const unsigned char *) at, (const unsigned char *) end };
    struct lex_token token;

    lex_next(&lex, &token);
    return (const char *) lex.at;
}

static bool is_there(const struct objects *objects, const char *digits)
{
    unsigned long number = strtoul(digits, NULL, 10);
    const struct object *object =
        number <= SYNTAX_NUMBER ? objects_find(objects, (uint32_t) number) : NULL;

    return object && !object->dead && !object->unusable;
}

/* References to what is not there; `out`, if it is not NULL, gets the text without them. */
static size_t find_dangling(struct buf *out, const struct objects *objects, struct text text)
{
    const char *at = text.at, *end = text.n ? at + text.n : at, *from = at; /* not yet written */
    size_t n = 0;

    while (at < end) {
        const char *token = at;

        if (*at == '(') {
            at = string_end(at, end);
        } else if (lex_is_regular((unsigned char) *at) || *at == '/') {
            for (at++; at < end && lex_is_regular((unsigned char) *at);)
                at++;
            if (is_reference_digit(*token) && end - at >= 4 && memcmp(at, " 0 R", 4) == 0) {
                at += 4;
                if (is_there(objects, token))
                    continue;
                n++;
                if (out) {
                    buf_put(out, from, (size_t) (token - from));
                    buf_puts(out, "null");
                }
                from = at;
            }
        } else {
            at++;
        }
    }
    if (out)
        buf_put(out, from, (size_t) (end - from));
    return n;
}

void references_write(struct buf *out, const struct objects *objects, struct text text)
{
    find_dangling(out, objects, text);
}

size_t references_dangling(const struct objects *objects, struct text text)
{
    return find_dangling(NULL, objects, text);
}

void references_mark(struct text text, unsigned char *used, size_t n)
{
    const char *at = text.at, *end = text.n ? at + text.n : at; /* NULL of nothing */

    while (at && (at = memmem(at, (size_t) (end - at), " 0 R", 4))) {
        const char *digits = at;

        while (digits > text.at && is_reference_digit(digits[-1]))
            digits--;
        if (digits < at && strtoul(digits, NULL, 10) < n)
            used[strtoul(digits, NULL, 10)] = 1;
        at += 4;
    }
}
