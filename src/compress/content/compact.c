#include "compress/content/compact.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/literal.h"

#define INTEGER_MAX 18 /* digits: qpdf and others fail on an integer of more than 64 bits */

struct reader {
    struct compact *value;
    struct lex lex;
    bool regular;  /* the last token ends in a regular character */
    char name[32]; /* the last one */
    int below_ap;  /* open arrays and dictionaries, from the value of /AP on */
    struct buf string;
    compact_seen *seen;
    void *arg;
};

/* Written as a literal string: half as long as a hexadecimal one, and compresses no worse. */
static bool put_string(struct reader *r, const struct lex_token *token)
{
    char *to;

    r->string.len = 0;
    to = buf_room(&r->string, token->n);
    if (!to)
        return false;
    literal_put(&r->value->text, to, lex_string(token, to));
    r->regular = false;
    return true;
}

static void separate(struct reader *r)
{
    if (r->regular)
        buf_putc(&r->value->text, ' ');
    r->regular = true;
}

static bool read_integer(const struct lex_token *token, int64_t min, int64_t max, int *value)
{
    int64_t number;

    if (token->kind != LEX_NUMBER ||
        !num_parse_i64((const char *) token->at, token->n, min, max, &number))
        return false;
    *value = (int) number;
    return true;
}

/* Whether a reference, "12 0 R", begins with this token; then it is read to its end. */
static bool read_ref(struct reader *r, const struct lex_token *first, int *id, int *gen)
{
    struct lex ahead = r->lex;
    struct lex_token token;

    if (!read_integer(first, 1, INT32_MAX, id) || !lex_next(&ahead, &token) ||
        !read_integer(&token, 0, 65535, gen) || !lex_next(&ahead, &token) || !lex_is(&token, "R"))
        return false;
    r->lex = ahead;
    return true;
}

static bool is_below_ap(const struct reader *r)
{
    return r->below_ap > 0 || strcmp(r->name, "/AP") == 0;
}

static bool put_ref(struct reader *r, int id, int gen)
{
    struct compact *v = r->value;
    uint32_t target;

    if (!r->seen(r->arg, id, gen, r->name, &target))
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
static void put_number(struct reader *r, const struct lex_token *token)
{
    struct buf *out = &r->value->text;
    const char *text = (const char *) token->at;
    size_t n = token->n;
    int decimals = -1;

    if (memchr(text, '.', n))
        lex_number(token, &decimals);
    if (decimals >= 0) {
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

static bool read_regular(struct reader *r, const struct lex_token *token)
{
    int id, gen;

    if (read_ref(r, token, &id, &gen))
        return put_ref(r, id, gen);
    separate(r);
    if (token->kind == LEX_NUMBER)
        put_number(r, token);
    else
        buf_put(&r->value->text, token->at, token->n);
    return true;
}

static bool read_name(struct reader *r, const struct lex_token *token)
{
    size_t n = token->n < sizeof r->name ? token->n : sizeof r->name - 1;

    buf_put(&r->value->text, token->at, token->n);
    memcpy(r->name, token->at, n);
    r->name[n] = '\0';
    r->regular = true;
    return true;
}

static bool read_token(struct reader *r, const struct lex_token *token)
{
    if (token->damaged)
        return false;
    if (token->kind == LEX_NAME)
        return read_name(r, token);
    if (token->kind == LEX_STRING || token->kind == LEX_HEX)
        return put_string(r, token);
    if (token->kind == LEX_NUMBER || token->kind == LEX_WORD)
        return read_regular(r, token);
    if (token->kind == LEX_ARRAY_END || token->kind == LEX_DICT_END)
        r->below_ap -= r->below_ap > 0;
    else
        r->below_ap += is_below_ap(r);
    buf_put(&r->value->text, token->at, token->n);
    r->regular = false;
    return true;
}

bool compact_read(struct compact *value, const char *text, compact_seen *seen, void *arg)
{
    const unsigned char *at = (const unsigned char *) text;
    struct reader r = {
        .value = value, .lex = { at, at + strlen(text) }, .seen = seen, .arg = arg
    };
    struct lex_token token;
    bool whole = true;

    while (whole && lex_next(&r.lex, &token))
        whole = read_token(&r, &token);
    buf_free(&r.string);
    return whole && !value->text.failed;
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
    const void *arg;
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
        number = ref->target == COMPACT_NULL ? COMPACT_NULL : w->number(w->arg, ref->target);
        if (number == COMPACT_NULL)
            buf_puts(w->out, "null");
        else
            buf_printf(w->out, "%u 0 R", number);
    }
    if (wanted)
        buf_put(w->out, w->text + from, to - from);
}

/* Skips the value of a key, and the blank before it. A reference occupies no space: then the end
 * of the dictionary follows, or the next key, since names as values have no blank before them. */
static void skip_value(struct lex *lex)
{
    bool blank = *lex->at == ' ';
    struct lex ref = { lex->at + blank, lex->end };
    struct lex_token token;

    for (int depth = 0; lex_next(lex, &token);) {
        if (depth == 0 && blank && token.kind == LEX_NAME) {
            *lex = ref;
            return;
        }
        depth += token.kind == LEX_ARRAY_BEGIN || token.kind == LEX_DICT_BEGIN;
        depth -= token.kind == LEX_ARRAY_END || token.kind == LEX_DICT_END;
        if (depth == 0)
            return;
    }
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
    if (lex_is_regular(*value))
        buf_putc(w->out, ' ');
    if (ref) {
        buf_put(w->out, value, (size_t) (ref - value));
        buf_printf(w->out, "%u 0 R", w->number(w->arg, edit->target));
        value = ref + 1;
    }
    buf_puts(w->out, value);
}

static void write_edited(struct writer *w, const struct compact_edit *edits, size_t n_edits)
{
    const unsigned char *text = (const unsigned char *) w->text;
    struct lex lex = { text + 2, text + w->value->text.len - 2 };
    struct lex_token key;

    buf_puts(w->out, "<<");
    while (lex_next(&lex, &key)) {
        skip_value(&lex);
        copy(w, (size_t) (key.at - text), (size_t) (lex.at - text),
             !is_edited((const char *) key.at, key.n, edits, n_edits));
    }
    for (size_t i = 0; i < n_edits; i++)
        if (edits[i].value)
            write_edit(w, &edits[i]);
    buf_puts(w->out, ">>");
}

void compact_write(const struct compact *value, const struct compact_edit *edits, size_t n_edits,
                   compact_number *number, const void *arg, struct buf *out)
{
    struct writer w = {
        .value = value, .text = buf_text(&value->text), .number = number, .arg = arg, .out = out
    };

    if (n_edits > 0 && value->text.len >= 4 && memcmp(w.text, "<<", 2) == 0)
        write_edited(&w, edits, n_edits);
    else
        copy(&w, 0, value->text.len, true);
}
