/* The name trees of the catalog: destinations, attachments, scripts and the rest. */
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/merge/merge_part.h"
#include "pdf/object/tree.h"

static const char *const keys[] = {
    [MERGE_DESTS] = "/Dests",           [MERGE_FILES] = "/EmbeddedFiles",
    [MERGE_SCRIPTS] = "/JavaScript",    [MERGE_APPEARANCES] = "/AP",
    [MERGE_TEMPLATES] = "/Templates",   [MERGE_ALTERNATES] = "/AlternatePresentations",
    [MERGE_RENDITIONS] = "/Renditions",
};

struct adding {
    struct merge *m;
    struct merge_source *s;
    enum merge_tree tree;
    char kind; /* of a destination's name: 's' a string, 'n' a name object */
    struct obj values;
    struct err *err;
};

static struct renames *renames_of(struct merge_source *s, enum merge_tree tree)
{
    return tree == MERGE_DESTS ? &s->dests : tree == MERGE_FILES ? &s->files : NULL;
}

static int add_value(struct adding *t, const char *bytes, size_t n, struct obj value)
{
    struct merge_names *tree = &t->m->trees[t->tree];
    struct renames *renames = renames_of(t->s, t->tree);
    AUTO_BUF struct buf old = BUF_EMPTY;
    AUTO_BUF struct buf new = BUF_EMPTY;

    if (t->tree == MERGE_DESTS)
        buf_putc(&old, t->kind);
    buf_put(&old, bytes, n);
    if (renames && renames_find(renames, buf_text(&old), old.len))
        return 0; /* the first of two equal names is the one readers find */
    /* s is never NULL: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    merge_claim(tree, buf_text(&old) + old.len - n, n, t->s->number, &new);
    if (renames)
        renames_put(renames, buf_text(&old), old.len, &new);
    if (t->tree == MERGE_DESTS)
        merge_links_dest(t->s, value);
    if (merge_names_add(tree, &new, obj_count(t->values), t->err) < 0)
        return -1;
    obj_append(t->values, value);
    return renames && renames_failed(renames) ? merge_no_memory(t->err) : 0;
}

static int add_pair(void *arg, struct obj key, struct obj value)
{
    size_t n;
    const char *bytes = obj_is_string(key) ? obj_bytes(key, &n) : NULL;
    AUTO_FREE char *copy = bytes ? malloc(n + 1) : NULL;

    if (!copy)
        return 0;
    memcpy(copy, bytes, n);
    return add_value(arg, copy, n, value);
}

/* The old form (PDF 1.1): a dictionary of destinations, which name objects refer to. */
static int add_old_dests(struct adding *t, struct obj dests)
{
    AUTO_KEYS char **names = obj_keys(dests);

    t->kind = 'n';
    for (char **name = names; name && *name; name++) {
        AUTO_OBJ struct obj value = obj_key(dests, *name);
        if (add_value(t, *name + 1, strlen(*name + 1), value) < 0)
            return -1;
    }
    return names ? 0 : merge_no_memory(t->err);
}

static int read_names(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj root = obj_root(s->doc.q), names = obj_key(root, "/Names");

    for (enum merge_tree i = 0; i < COUNT(keys); i++) {
        struct adding t = { m, s, i, 's', merge_put_array(s, keys[i]), err };
        if (tree_walk(obj_key(names, keys[i]), "/Names", add_pair, &t, err) < 0)
            return -1;
        if (i == MERGE_DESTS && add_old_dests(&t, obj_key(root, "/Dests")) < 0)
            return -1;
    }
    return 0;
}

static int join_names(struct merge *m, struct merge_source *s, struct err *err)
{
    (void) err;
    for (enum merge_tree i = 0; i < COUNT(keys); i++)
        merge_names_held(&m->trees[i], obj_key(s->in, keys[i]));
    return 0;
}

static int finish_names(struct merge *m, struct err *err)
{
    struct obj names = obj_new_dict(m->to.q);
    bool any = false;

    (void) err;
    for (enum merge_tree i = 0; i < COUNT(keys); i++) {
        struct obj tree = merge_names_build(m, &m->trees[i]);
        if (obj_is_null(tree))
            continue;
        obj_set(names, keys[i], tree);
        any = true;
    }
    if (any)
        obj_set(obj_root(m->to.q), "/Names", names);
    return 0;
}

const struct merge_part merge_names = { read_names, join_names, finish_names };
