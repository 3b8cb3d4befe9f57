#include "engine/redact/redact_scrub.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

/* Whether something is to be removed now. */
static bool is_scrubbing(const struct redact_edit *edit)
{
    return edit->elsewhere && edit->elsewhere->n && !edit->read && !edit->measuring;
}

static bool has_words(const struct redact_edit *edit, const char *text, size_t n)
{
    return redact_words_search(edit->elsewhere, text, n) != SIZE_MAX;
}

static bool string_has(const struct redact_edit *edit, struct obj string)
{
    size_t n = 0;
    const char *text = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);

    return has_words(edit, text, n);
}

bool redact_scrub_has(const struct redact_frame *f, size_t from)
{
    const struct redact_edit *edit = f->edit;

    for (size_t i = from; i < f->n && is_scrubbing(edit); i++) {
        const struct lex_token *token = &f->operands[i];
        char name[REDACT_NAME];

        if (token->kind == LEX_NAME && redact_frame_name(f, i, name) &&
            has_words(edit, name + 1, strlen(name + 1)))
            return true;
        if (token->kind != LEX_STRING && token->kind != LEX_HEX)
            continue;
        AUTO_FREE char *bytes = malloc(token->n + 1);
        if (!bytes)
            return true;
        AUTO_OBJ struct obj string = obj_new_string(edit->doc->q, bytes, lex_string(token, bytes));
        if (string_has(edit, string))
            return true;
    }
    return false;
}

bool redact_scrub_operator(struct redact_frame *f, const char *op)
{
    static const char *const known[] = {
        "b",  "B",  "b*", "B*",  "BDC", "BI", "BMC", "BT", "BX", "c",  "cm", "CS", "cs", "d",  "d0",
        "d1", "Do", "EI", "EMC", "ET",  "EX", "f",   "F",  "f*", "G",  "g",  "gs", "h",  "i",  "ID",
        "j",  "J",  "K",  "k",   "l",   "M",  "m",   "n",  "q",  "Q",  "re", "RG", "rg", "ri", "s",
        "S",  "SC", "sc", "SCN", "scn", "sh", "T*",  "Tc", "Td", "TD", "Tf", "Tj", "TJ", "TL", "Tm",
        "Tr", "Ts", "Tw", "Tz",  "v",   "w",  "W",   "W*", "y",  "'",  "\""
    };

    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(op, known[i]) == 0)
            return false;
    if (!redact_scrub_has(f, 0))
        return false;
    redact_frame_replace(f);
    buf_putc(&f->out, ' ');
    return true;
}

bool redact_scrub_properties(const struct redact_edit *edit, struct obj list)
{
    AUTO_KEYS char **keys = obj_is_dict(list) ? obj_keys(list) : NULL;
    bool found = false;

    for (size_t i = 0; keys && keys[i] && is_scrubbing(edit); i++) {
        AUTO_OBJ struct obj value = obj_key(list, keys[i]);

        if (has_words(edit, keys[i] + 1, strlen(keys[i] + 1)) ||
            (obj_is_string(value) && string_has(edit, value)) ||
            (!obj_is_string(value) && !obj_is_int(value, &(long long){ 0 }) &&
             has_words(edit, obj_value_text(value), strlen(obj_value_text(value))))) {
            obj_remove(list, keys[i]);
            found = true;
        }
    }
    return found;
}

/* Blanks what is comment in data from the first byte that one of the comments begins with. */
static bool blank_comments(const struct redact_edit *edit, unsigned char *data, size_t n)
{
    struct lex lex = { data, data + n };
    struct lex_token token;
    unsigned char *last = data;
    bool found = false, more = true;

    while (more) {
        more = lex_next(&lex, &token);
        unsigned char *end = more ? data + (token.at - data) : data + n;

        for (unsigned char *at = last; at < end; at++) {
            size_t length = 0;

            if (*at != '%')
                continue;
            while (at + length < end && at[length] != '\n' && at[length] != '\r')
                length++;
            if (has_words(edit, (const char *) at, length)) {
                memset(at, ' ', length);
                found = true;
            }
            at += length;
            if (at >= end)
                break;
        }
        if (more && token.kind == LEX_WORD && token.n == 2 && memcmp(token.at, "ID", 2) == 0)
            lex_image(&lex, &token);
        last = data + (lex.at - data);
    }
    return found;
}

bool redact_scrub_comments(const struct redact_edit *edit, unsigned char *data, size_t n)
{
    unsigned char *at = data;

    if (!is_scrubbing(edit))
        return false;
    while ((at = memchr(at, '%', (size_t) (data + n - at)))) {
        size_t length = 0;

        while (at + length < data + n && at[length] != '\n' && at[length] != '\r')
            length++;
        if (has_words(edit, (const char *) at, length))
            return blank_comments(edit, data, n);
        at += length;
    }
    return false;
}
