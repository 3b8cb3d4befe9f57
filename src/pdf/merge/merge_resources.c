#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/merge/merge_form.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/literal.h"

/* Whether two resources are the same object, or direct objects that say the same. */
static bool same(struct obj a, struct obj b)
{
    AUTO_FREE char *text = NULL;

    if (obj_is_indirect(a) || obj_is_indirect(b))
        return obj_id(a) == obj_id(b);
    text = strdup(qpdf_oh_unparse(a.q, a.oh));
    return text && strcmp(text, qpdf_oh_unparse(b.q, b.oh)) == 0;
}

/* A name that `to` does not have. */
static void new_name(struct obj to, const char *name, size_t number, struct buf *out)
{
    buf_puts(out, name);
    for (; !out->failed && obj_has(to, buf_text(out)); number++) {
        out->len = 0;
        buf_printf(out, "%s_%zu", name, number);
    }
}

/* Adds one category ("/Font") to the result's; notes the names that had to change. */
static int add_category(struct merge_source *s, struct obj to, struct obj from,
                        struct renames *renames, struct err *err)
{
    AUTO_KEYS char **keys = obj_keys(from);

    for (char **key = keys; key && *key; key++) {
        AUTO_BUF struct buf name = BUF_EMPTY;
        struct obj value = obj_key(from, *key);
        if (obj_has(to, *key) && same(obj_key(to, *key), value))
            continue;
        new_name(to, *key, s->number + 1, &name);
        if (name.failed)
            return merge_no_memory(err);
        if (strcmp(*key, buf_text(&name)) != 0)
            renames_put(renames, *key, strlen(*key), &name);
        obj_set(to, buf_text(&name), value);
    }
    return keys && !renames_failed(renames) ? 0 : merge_no_memory(err);
}

/* Writes a default appearance with the fonts' new names: only the operand before Tf is the name of
 * a resource. */
static bool rewrite(const char *text, size_t n, const struct renames *fonts, struct buf *out)
{
    const unsigned char *copied = (const unsigned char *) text;
    struct lex lex = { copied, copied + n };
    struct lex_token token;

    while (lex_next(&lex, &token)) {
        AUTO_FREE char *name = token.kind == LEX_NAME ? malloc(token.n) : NULL;
        const struct buf *new = name ? renames_find(fonts, name, lex_name(&token, name)) : NULL;

        if (token.kind == LEX_NAME && !name)
            return false;
        if (!new)
            continue;
        buf_put(out, copied, (size_t) (token.at - copied));
        literal_put_name(out, buf_text(new));
        copied = lex.at;
    }
    buf_put(out, copied, (size_t) (lex.end - copied));
    return !out->failed;
}

static int rewrite_fields(struct obj fields, const struct renames *fonts, struct err *err)
{
    for (int i = 0; i < obj_count(fields); i++) {
        AUTO_OBJ struct obj field = obj_item(fields, i);
        AUTO_OBJ struct obj old = obj_key(field, "/DA");
        AUTO_BUF struct buf new = BUF_EMPTY;
        size_t n;

        if (!obj_is_string(old))
            continue;
        const char *text = obj_bytes(old, &n);
        if (!rewrite(text, n, fonts, &new))
            return merge_no_memory(err);
        AUTO_OBJ struct obj value = obj_new_string(field.q, buf_text(&new), new.len);
        obj_set(field, "/DA", value);
    }
    return 0;
}

int merge_resources(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj to = merge_at(m, m->resources), from = obj_key(s->in, "/DR");
    struct renames fonts = { 0 }, others = { 0 };
    AUTO_KEYS char **keys = obj_keys(from);
    int done = keys ? 0 : merge_no_memory(err);

    /* Without keys it is not done: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    for (char **key = keys; done == 0 && *key; key++) {
        struct obj category = obj_key(from, *key);
        if (!obj_is_dict(category))
            continue;
        if (!obj_is_dict(obj_key(to, *key)))
            obj_set(to, *key, obj_new_dict(to.q));
        done = add_category(s, obj_key(to, *key), category,
                            strcmp(*key, "/Font") == 0 ? &fonts : &others, err);
    }
    if (done == 0 && fonts.n > 0)
        done = rewrite_fields(obj_key(s->in, "/Speakers"), &fonts, err);
    renames_free(&fonts);
    renames_free(&others);
    return done;
}
