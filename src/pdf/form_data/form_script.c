#include "pdf/form_data/form_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/form_data/form_fields.h"

#define MAX_SCRIPT (1 << 20) /* bytes */
#define MAX_WORD   1000      /* bytes of a name in a script */
#define ARGUMENTS  6

/* A call's source, of which `at` moves on. */
struct source {
    const char *at, *end;
};

static void skip_space(struct source *s)
{
    while (s->at < s->end) {
        size_t left = (size_t) (s->end - s->at);
        const char *stop = NULL;

        if (strchr(" \t\r\n", *s->at))
            s->at++;
        else if (left > 1 && s->at[0] == '/' && s->at[1] == '*')
            stop = memmem(s->at + 2, left - 2, "*/", 2), s->at = stop ? stop + 2 : s->end;
        else if (left > 1 && s->at[0] == '/' && s->at[1] == '/')
            while (s->at < s->end && *s->at != '\n' && *s->at != '\r')
                s->at++;
        else
            return;
    }
}

static bool skip(struct source *s, const char *word)
{
    size_t n = strlen(word);

    skip_space(s);
    if ((size_t) (s->end - s->at) < n || memcmp(s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

static void put_escape(struct source *s, struct buf *out)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    const char *known = strchr(from, *s->at);
    uint32_t c = 0;

    if (*s->at == 'u' && s->end - s->at > 4) {
        for (int i = 1; i <= 4; i++) {
            int digit = num_hex_digit(s->at[i]);

            c = c * 16 + (uint32_t) (digit < 0 ? 0 : digit);
        }
        if (c > 0 && (c < 0xD800 || c >= 0xE000))
            utf8_put(c, out);
        s->at += 4;
    } else {
        buf_putc(out, known && *known ? to[known - from] : *s->at);
    }
}

/* A string in quotes of either kind. */
static bool read_string(struct source *s, struct buf *out)
{
    char quote;

    skip_space(s);
    if (s->at == s->end || (*s->at != '"' && *s->at != '\''))
        return false;
    quote = *s->at++;
    for (; s->at < s->end && *s->at != quote; s->at++) {
        if (*s->at == '\\' && s->at + 1 < s->end) {
            s->at++;
            put_escape(s, out);
        } else {
            buf_putc(out, *s->at);
        }
    }
    if (s->at == s->end || out->failed || out->len > MAX_WORD)
        return false;
    s->at++;
    return true;
}

static bool read_small_number(struct source *s, int *number)
{
    size_t n = 0;
    int64_t value;

    skip_space(s);
    while (s->at + n < s->end && strchr("-0123456789", s->at[n]))
        n++;
    if (n == 0 || !num_parse_i64(s->at, n, -1000, 1000, &value))
        return false;
    s->at += n;
    *number = (int) value;
    return true;
}

static bool add_field_name(struct form_script *script, const char *name, size_t n)
{
    char **more;

    while (n > 0 && *name == ' ')
        name++, n--;
    while (n > 0 && name[n - 1] == ' ')
        n--;
    if (script->n_names == FORM_SCRIPT_NAMES)
        return false;
    more = reallocarray(script->names, script->n_names + 1, sizeof *more);
    if (!more)
        return false;
    script->names = more;
    script->names[script->n_names] = strndup(name, n);
    return script->names[script->n_names] && ++script->n_names;
}

/* new Array("a", "b"), ["a", "b"] or "a, b" */
static bool read_names(struct source *s, struct form_script *script)
{
    bool array = skip(s, "new") ? skip(s, "Array") && skip(s, "(") : skip(s, "[");
    AUTO_BUF struct buf word = BUF_EMPTY;

    if (!array) {
        if (!read_string(s, &word))
            return false;
        for (const char *at = buf_text(&word), *next; at; at = next) {
            const char *comma = strchr(at, ',');

            next = comma ? comma + 1 : NULL;
            if (!add_field_name(script, at, comma ? (size_t) (comma - at) : strlen(at)))
                return false;
        }
        return true;
    }
    do {
        word.len = 0;
        if (!read_string(s, &word) || !add_field_name(script, buf_text(&word), word.len))
            return false;
    } while (skip(s, ","));
    return skip(s, ")") || skip(s, "]");
}

static bool read_calculation(struct source *s, struct form_script *script)
{
    static const char *const operations[] = { "SUM", "PRD", "AVG", "MIN", "MAX" };
    AUTO_BUF struct buf word = BUF_EMPTY;
    bool known = false;

    script->kind = FORM_SCRIPT_CALCULATION;
    if (!read_string(s, &word) || !skip(s, ",") || !read_names(s, script))
        return false;
    for (size_t i = 0; i < COUNT(operations); i++)
        known |= strcmp(operations[i], buf_text(&word)) == 0;
    snprintf(script->operation, sizeof script->operation, "%s", buf_text(&word));
    return known;
}

/* AFNumber_Format(nDec, sepStyle, negStyle, currStyle, strCurrency, bCurrencyPrepend) */
static bool read_number_format(struct source *s, struct form_script *script)
{
    AUTO_BUF struct buf word = BUF_EMPTY;
    int unused;

    script->kind = FORM_SCRIPT_NUMBER;
    if (!read_small_number(s, &script->decimals) || !skip(s, ",") ||
        !read_small_number(s, &script->separators) || !skip(s, ",") ||
        !read_small_number(s, &script->negative) || !skip(s, ",") ||
        !read_small_number(s, &unused) || !skip(s, ",") || !read_string(s, &word) || !skip(s, ","))
        return false;
    script->currency_first = skip(s, "true");
    snprintf(script->currency, sizeof script->currency, "%s", buf_text(&word));
    return (script->currency_first || skip(s, "false")) && word.len < sizeof script->currency &&
           utf8_is_valid(buf_text(&word), word.len);
}

/* The patterns that AFDate_Format names by number. */
static const char *const date_patterns[] = { "m/d",    "m/d/yy",   "mm/dd/yy",    "mm/yy",
                                             "d-mmm",  "d-mmm-yy", "dd-mmm-yy",   "yy-mm-dd",
                                             "mmm-yy", "mmmm-yy",  "mmm d, yyyy", "mmmm d, yyyy" };

static bool read_call(struct source *s, struct form_script *script)
{
    AUTO_BUF struct buf word = BUF_EMPTY;
    int number = 0;

    if (skip(s, "AFSimple_Calculate("))
        return read_calculation(s, script);
    if (skip(s, "AFNumber_Format("))
        return read_number_format(s, script);
    if (skip(s, "AFPercent_Format(")) {
        script->kind = FORM_SCRIPT_PERCENT;
        if (!read_small_number(s, &script->decimals) || !skip(s, ",") ||
            !read_small_number(s, &script->separators))
            return false;
        if (skip(s, ",")) /* whether the sign stands first */
            script->currency_first = skip(s, "true") || (skip(s, "false") && false);
        return true;
    }
    if (skip(s, "AFDate_FormatEx(")) {
        script->kind = FORM_SCRIPT_DATE;
        if (!read_string(s, &word) || word.len >= sizeof script->pattern)
            return false;
        snprintf(script->pattern, sizeof script->pattern, "%s", buf_text(&word));
        return true;
    }
    if (skip(s, "AFDate_Format(")) {
        script->kind = FORM_SCRIPT_DATE;
        if (!read_small_number(s, &number) || number < 0 || number >= (int) COUNT(date_patterns))
            return false;
        snprintf(script->pattern, sizeof script->pattern, "%s", date_patterns[number]);
        return true;
    }
    if (!skip(s, "AFSpecial_Format("))
        return false;
    script->kind = FORM_SCRIPT_SPECIAL;
    return read_small_number(s, &script->special) && script->special >= 0 && script->special <= 3;
}

/* The text of a script: a text string, or a stream of such text. */
static bool read_source(struct obj script, struct buf *out)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (obj_is_string(script))
        buf_puts(out, form_text(script));
    else if (obj_is_stream(script) && obj_stream_data(script, &data, &n) && n <= MAX_SCRIPT)
        buf_put(out, data, n);
    return out->len > 0 && out->len <= MAX_SCRIPT && !out->failed;
}

void form_script_read(struct form_script *script, struct obj field, const char *trigger)
{
    AUTO_OBJ struct obj actions = obj_key(field, "/AA");
    AUTO_OBJ struct obj action = obj_key(actions, trigger);
    AUTO_OBJ struct obj text = obj_key(action, "/JS");
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    struct source source;

    *script = (struct form_script){ .kind = FORM_SCRIPT_NONE };
    if (!read_source(text, &bytes))
        return;
    source = (struct source){ bytes.data, bytes.data + bytes.len };
    if (!read_call(&source, script) || !skip(&source, ")")) {
        script->kind = FORM_SCRIPT_OTHER;
        return;
    }
    while (skip(&source, ";"))
        ;
    skip_space(&source);
    if (source.at < source.end)
        script->kind = FORM_SCRIPT_OTHER;
}

void form_script_free(struct form_script *script)
{
    for (size_t i = 0; i < script->n_names; i++)
        free(script->names[i]);
    free(script->names);
    script->names = NULL;
    script->n_names = 0;
}
