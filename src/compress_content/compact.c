#include "compress_content/compact.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"

#define INTEGER_MAX 18 /* digits: qpdf and others fail on an integer of more than 64 bits */

struct reader {
    struct compact *value;
    const char *at;
    bool regular;  /* the last token ends in a regular character */
    char name[32]; /* the last one */
    int below_ap;  /* open arrays and dictionaries, from the value of /AP on */
    compact_seen *seen;
    void *cls;
};

static bool is_space(int c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f';
}

static bool is_regular(int c)
{
    return c != '\0' && !is_space(c) && !strchr("()<>[]{}/%", c);
}

/* The character that a backslash and the characters after it mean; -1 for none (a line
 * continuation). */
static int unescape(const char **at)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    const char *p = *at, *known = *p ? strchr(from, *p) : NULL;
    int code = 0, digits = 0;

    if (known) {
        ++*at;
        return to[known - from];
    }
    for (; digits < 3 && *p >= '0' && *p <= '7'; digits++)
        code = code << 3 | (*p++ - '0');
    if (digits > 0) {
        *at = p;
        return code & 0xff;
    }
    ++*at;
    return *p == '\n' ? -1 : (unsigned char) *p;
}

static void put_string_byte(struct buf *out, int c)
{
    if (c == '(' || c == ')' || c == '\\')
        buf_putc(out, '\\');
    if (c == '\r')
        buf_puts(out, "\\r");
    else
        buf_putc(out, (char) c);
}

static bool read_literal(struct reader *r)
{
    struct buf *out = &r->value->text;
    int depth = 1;

    buf_putc(out, '(');
    for (r->at++; *r->at && depth > 0;) {
        int c = (unsigned char) *r->at++;

        if (c == '(')
            depth++;
        else if (c == ')' && --depth == 0)
            break;
        if (c == '\\' && (c = unescape(&r->at)) < 0)
            continue;
        put_string_byte(out, c);
    }
    buf_putc(out, ')');
    return depth == 0;
}

/* Written as a literal string: half as long, and compresses no worse. */
static bool read_hex(struct reader *r)
{
    struct buf *out = &r->value->text;
    int high = -1;

    buf_putc(out, '(');
    for (r->at++; *r->at && *r->at != '>'; r->at++) {
        int digit = num_hex_digit(*r->at);

        if (digit < 0)
            continue;
        if (high >= 0)
            put_string_byte(out, high << 4 | digit);
        high = high < 0 ? digit : -1;
    }
    if (high >= 0)
        put_string_byte(out, high << 4);
    buf_putc(out, ')');
    return *r->at++ == '>';
}

static void separate(struct reader *r)
{
    if (r->regular)
        buf_putc(&r->value->text, ' ');
    r->regular = true;
}

/* Reads "12 0 R": the two numbers, and where it ends; NULL if this is not a reference. */
static const char *parse_ref(const char *p, int *id, int *gen)
{
    char *end;
    long first, second;

    if (!isdigit((unsigned char) *p))
        return NULL;
    first = strtol(p, &end, 10);
    if (*end != ' ' || !isdigit((unsigned char) end[1]))
        return NULL;
    second = strtol(end + 1, &end, 10);
    if (end[0] != ' ' || end[1] != 'R' || is_regular((unsigned char) end[2]))
        return NULL;
    if (first <= 0 || first > INT32_MAX || second < 0 || second > 65535)
        return NULL;
    *id = (int) first;
    *gen = (int) second;
    return end + 2;
}

static bool is_below_ap(const struct reader *r)
{
    return r->below_ap > 0 || strcmp(r->name, "/AP") == 0;
}

static bool put_ref(struct reader *r, int id, int gen)
{
    struct compact *v = r->value;
    uint32_t target;

    if (!r->seen(r->cls, id, gen, r->name, &target))
        return false;
    if (v->n_refs == v->cap_refs) {
        size_t cap = v->cap_refs ? v->cap_refs * 2 : 4;
        struct compact_ref *more = reallocarray(v->refs, cap, sizeof *more);

        if (!more)
            return false;
        v->refs = more;
        v->cap_refs = cap;
    }
    separate(r);
    if (v->text.len > UINT32_MAX - 1)
        return false;
    v->refs[v->n_refs++] = (struct compact_ref){ (uint32_t) v->text.len, target, is_below_ap(r) };
    return true;
}

/* A number without zeros that say nothing; "-.002" instead of "-0.00200". */
static void put_number(struct reader *r, const char *text, size_t n)
{
    struct buf *out = &r->value->text;
    const char *point = memchr(text, '.', n);

    if (point && memchr(text, 'e', n) == NULL) {
        while (n > 1 && text[n - 1] == '0')
            n--;
        if (text[n - 1] == '.' && n - 1 <= INTEGER_MAX)
            n--;
        if (n > 0 && *text == '-') {
            buf_putc(out, '-');
            text++, n--;
        }
        for (; n > 1 && *text == '0'; n--)
            text++;
        if (n == 0)
            buf_putc(out, '0');
    }
    buf_put(out, text, n);
}

static bool read_regular(struct reader *r)
{
    const char *start = r->at, *end;
    int id, gen;

    end = parse_ref(start, &id, &gen);
    if (end) {
        r->at = end;
        return put_ref(r, id, gen);
    }
    while (is_regular((unsigned char) *r->at))
        r->at++;
    if (r->at == start)
        return false;
    separate(r);
    if (strspn(start, "+-.0123456789") >= (size_t) (r->at - start))
        put_number(r, start, (size_t) (r->at - start));
    else
        buf_put(&r->value->text, start, (size_t) (r->at - start));
    return true;
}

static bool read_name(struct reader *r)
{
    const char *start = r->at++;

    while (is_regular((unsigned char) *r->at))
        r->at++;
    buf_put(&r->value->text, start, (size_t) (r->at - start));
    snprintf(r->name, sizeof r->name, "%.*s", (int) (r->at - start), start);
    r->regular = true;
    return true;
}

static bool read_token(struct reader *r)
{
    size_t n = (r->at[0] == '<' || r->at[0] == '>') && r->at[1] == r->at[0] ? 2 : 1;

    switch (*r->at) {
    case '/':
        return read_name(r);
    case '(':
        r->regular = false;
        return read_literal(r);
    case '<':
        if (n == 1) {
            r->regular = false;
            return read_hex(r);
        }
        break;
    case '>':
        if (n == 1)
            return false;
        break;
    case '[':
    case ']':
        break;
    default:
        return read_regular(r);
    }
    if (*r->at == '>' || *r->at == ']')
        r->below_ap -= r->below_ap > 0;
    else
        r->below_ap += is_below_ap(r);
    buf_put(&r->value->text, r->at, n);
    r->at += n;
    r->regular = false;
    return true;
}

bool compact_read(struct compact *value, const char *text, compact_seen *seen, void *cls)
{
    struct reader r = { .value = value, .at = text, .seen = seen, .cls = cls };

    while (*r.at) {
        if (is_space((unsigned char) *r.at))
            r.at++;
        else if (!read_token(&r))
            return false;
    }
    return !value->text.failed;
}

void compact_free(struct compact *value)
{
    buf_free(&value->text);
    free(value->refs);
    *value = (struct compact){ 0 };
}

struct writer {
    const struct compact *value;
    const char *text;
    size_t next_ref;
    compact_number *number;
    const void *cls;
    struct buf *out;
};

/* Copies the text from `from` up to `to`, with the references between; with no out, passes over
 * them. A reference at `to` itself belongs to it. */
static void copy(struct writer *w, size_t from, size_t to, bool wanted)
{
    const struct compact *v = w->value;

    for (; w->next_ref < v->n_refs && v->refs[w->next_ref].at <= to; w->next_ref++) {
        const struct compact_ref *ref = &v->refs[w->next_ref];
        uint32_t number;

        if (!wanted)
            continue;
        buf_put(w->out, w->text + from, ref->at - from);
        from = ref->at;
        number = ref->target == COMPACT_NULL ? COMPACT_NULL : w->number(w->cls, ref->target);
        if (number == COMPACT_NULL)
            buf_puts(w->out, "null");
        else
            buf_printf(w->out, "%u 0 R", number);
    }
    if (wanted)
        buf_put(w->out, w->text + from, to - from);
}

static size_t name_end(const char *text, size_t at)
{
    for (at++; is_regular((unsigned char) text[at]); at++)
        ;
    return at;
}

static size_t string_end(const char *text, size_t at)
{
    for (at++; text[at] != ')'; at++)
        if (text[at] == '\\')
            at++;
    return at + 1;
}

/* The end of the value that begins at `at`; a reference occupies no space. */
static size_t value_end(const char *text, size_t at)
{
    int depth = 0;

    if (text[at] == ' ')
        at++;
    do {
        bool twice = (text[at] == '<' || text[at] == '>');

        if (text[at] == '(') {
            at = string_end(text, at);
        } else if (text[at] == '[' || text[at] == '<') {
            at += twice ? 2 : 1;
            depth++;
        } else if (text[at] == ']' || text[at] == '>') {
            if (depth == 0)
                break; /* the reference is the last value */
            at += twice ? 2 : 1;
            depth--;
        } else if (text[at] == '/') {
            if (depth == 0 && text[at - 1] == ' ')
                break; /* the reference before the next key */
            at = name_end(text, at);
        } else if (text[at] == ' ') {
            at++;
        } else {
            while (is_regular((unsigned char) text[at]))
                at++;
        }
    } while (depth > 0);
    return at;
}

static bool is_edited(const char *key, size_t n, const struct compact_edit *edits, size_t n_edits)
{
    for (size_t i = 0; i < n_edits; i++)
        if (strlen(edits[i].key) == n && memcmp(edits[i].key, key, n) == 0)
            return true;
    return false;
}

static void write_edit(struct writer *w, const struct compact_edit *edit)
{
    const char *value = edit->value, *ref = strchr(value, COMPACT_REF);

    buf_puts(w->out, edit->key);
    if (is_regular((unsigned char) *value))
        buf_putc(w->out, ' ');
    if (ref) {
        buf_put(w->out, value, (size_t) (ref - value));
        buf_printf(w->out, "%u 0 R", w->number(w->cls, edit->target));
        value = ref + 1;
    }
    buf_puts(w->out, value);
}

static void write_edited(struct writer *w, const struct compact_edit *edits, size_t n_edits)
{
    size_t at = 2, end = w->value->text.len - 2;

    buf_puts(w->out, "<<");
    while (at < end) {
        size_t key = name_end(w->text, at), next = value_end(w->text, key);

        copy(w, at, next, !is_edited(w->text + at, key - at, edits, n_edits));
        at = next;
    }
    for (size_t i = 0; i < n_edits; i++)
        if (edits[i].value)
            write_edit(w, &edits[i]);
    buf_puts(w->out, ">>");
}

void compact_write(const struct compact *value, const struct compact_edit *edits, size_t n_edits,
                   compact_number *number, const void *cls, struct buf *out)
{
    struct writer w = {
        .value = value, .text = buf_text(&value->text), .number = number, .cls = cls, .out = out
    };

    if (n_edits > 0 && value->text.len >= 4 && memcmp(w.text, "<<", 2) == 0)
        write_edited(&w, edits, n_edits);
    else
        copy(&w, 0, value->text.len, true);
}
