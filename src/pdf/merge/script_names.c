#include "pdf/merge/script_names.h"

#include <ctype.h>
#include <string.h>

#include "pdf/merge/script_token.h"

/* The calls whose first parameter is a field's name. */
static const char *const by_name[] = { "getField", "removeField", NULL };

struct rewriter {
    const struct script_names *names;
    struct script script;
    struct script_token before[2]; /* the two tokens before the current one, the nearer first */
    struct buf *out;
    const char *copied; /* up to where the text is in `out` */
    bool changed;
};

static bool is_sign(const struct script_token *token, char c)
{
    return token->kind == SCRIPT_SIGN && *token->at == c;
}

/* "name.0" is a widget of the field. */
static size_t without_widget(const char *name, size_t n)
{
    size_t i = n;

    while (i > 0 && isdigit((unsigned char) name[i - 1]))
        i--;
    return i < n && i > 1 && name[i - 1] == '.' ? i - 1 : n;
}

/* Appends the new name of a part of a list. False: it is the name of no field. */
static bool put_name(const struct script_names *names, const char *name, size_t n, struct buf *out)
{
    const struct buf *new = names->find(names->arg, name, n);
    size_t short_n = new ? n : without_widget(name, n);

    if (!new &&short_n < n)
        new = names->find(names->arg, name, short_n);
    if (!new)
        return false;
    buf_put(out, buf_text(new), new->len);
    buf_put(out, name + short_n, n - short_n);
    return true;
}

/* Writes the value with the new names of a list of fields, "net, tax". False: something in it is
 * not the name of a field. */
static bool put_names(const struct script_names *names, const struct buf *value, struct buf *out)
{
    const char *at = buf_text(value), *end = at + value->len;

    if (put_name(names, at, value->len, out))
        return true;
    while (at <= end) {
        const char *comma = memchr(at, ',', (size_t) (end - at)), *until = comma ? comma : end;
        const char *first = at;

        while (first < until && *first == ' ')
            first++;
        buf_put(out, at, (size_t) (first - at));
        if (!put_name(names, first, (size_t) (until - first), out))
            return false;
        if (!comma)
            break;
        buf_putc(out, ',');
        at = comma + 1;
    }
    return true;
}

static void replace(struct rewriter *r, const struct script_token *token)
{
    AUTO_BUF struct buf value = BUF_EMPTY;
    AUTO_BUF struct buf new = BUF_EMPTY;

    script_value(token, &value);
    if (value.len == 0 || !put_names(r->names, &value, &new) ||
        (new.len == value.len &&memcmp(new.data, value.data, new.len) == 0))
        return;
    buf_put(r->out, r->copied, (size_t) (token->at - r->copied));
    script_quote(token, buf_text(&new), new.len, r->out);
    r->copied = token->at + token->n;
    r->changed = true;
}

/* Whether the token before the current one opens the parameters of a call by name. */
static bool is_called_by_name(const struct rewriter *r)
{
    for (size_t i = 0; is_sign(&r->before[0], '(') && by_name[i]; i++)
        if (r->before[1].kind == SCRIPT_WORD && script_is(&r->before[1], by_name[i]))
            return true;
    return false;
}

static void look_at_string(struct rewriter *r, const struct script_token *token)
{
    struct script ahead = r->script;
    struct script_token next = script_next(&ahead);
    AUTO_BUF struct buf value = BUF_EMPTY;

    /* The name of an operation: "SUM". */
    if (is_sign(&r->before[0], '(') && script_is(&r->before[1], "AFSimple_Calculate"))
        return;
    if (!is_sign(&next, '+') && !is_sign(&r->before[0], '+')) {
        replace(r, token);
        return;
    }
    script_value(token, &value);
    if (is_sign(&next, '+') && value.len > 0)
        r->names->computed(r->names->arg, buf_text(&value), value.len);
}

bool script_names_rewrite(const struct script_names *names, const char *text, size_t n,
                          struct buf *out)
{
    struct rewriter r = {
        .names = names, .script = { .at = text, .end = text + n }, .out = out, .copied = text
    };
    struct script_token token;

    while ((token = script_next(&r.script)).kind != SCRIPT_END) {
        if (token.kind == SCRIPT_STRING)
            look_at_string(&r, &token);
        else if (is_called_by_name(&r) && !is_sign(&token, ')'))
            names->computed(names->arg, "", 0);
        r.before[1] = r.before[0];
        r.before[0] = token;
    }
    buf_put(out, r.copied, (size_t) (text + n - r.copied));
    return r.changed;
}

/* Whether "= function" is next. */
static bool assigns_function(struct script ahead)
{
    struct script_token next = script_next(&ahead);

    if (!is_sign(&next, '='))
        return false;
    next = script_next(&ahead);
    return next.kind == SCRIPT_WORD && script_is(&next, "function");
}

void script_names_functions(const char *text, size_t n,
                            void (*each)(void *arg, const char *name, size_t n), void *arg)
{
    struct script script = { .at = text, .end = text + n };
    struct script_token token, before = { 0 };

    while ((token = script_next(&script)).kind != SCRIPT_END) {
        if (token.kind == SCRIPT_WORD &&
            ((before.kind == SCRIPT_WORD && script_is(&before, "function")) ||
             assigns_function(script)))
            each(arg, token.at, token.n);
        before = token;
    }
}
