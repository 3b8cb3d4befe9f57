/* The entries of one name tree of the result, collected from all files. See merge_part.h. */
#include <stdlib.h>
#include <string.h>

#include "pdf/merge/merge_part.h"
#include "pdf/object/tree.h"

void merge_claim(struct merge_names *tree, const void *old, size_t n, size_t number,
                 struct buf *name)
{
    renames_unique(&tree->taken, NULL, old, n, number + 1, name);
    key_map_add(&tree->taken, buf_text(name), name->len);
}

int merge_names_add(struct merge_names *tree, const struct buf *name, int at, struct err *err)
{
    if (tree->n == tree->cap) {
        size_t cap = tree->cap ? tree->cap * 2 : 64;
        struct merge_name *more = reallocarray(tree->entries, cap, sizeof *more);
        if (!more)
            return merge_no_memory(err);
        tree->entries = more;
        tree->cap = cap;
    }
    struct merge_name *entry = &tree->entries[tree->n++];
    *entry = (struct merge_name){ .at = at };
    buf_put(&entry->key, buf_text(name), name->len);
    if (entry->key.failed || name->failed || tree->taken.failed)
        return merge_no_memory(err);
    return 0;
}

void merge_names_held(struct merge_names *tree, struct obj array)
{
    size_t kept = tree->first;

    for (size_t i = tree->first; i < tree->n; i++) {
        AUTO_OBJ struct obj value = obj_item(array, tree->entries[i].at);
        if (obj_is_null(value)) {
            buf_free(&tree->entries[i].key);
            continue;
        }
        tree->entries[i].holder = merge_number(array);
        tree->entries[kept++] = tree->entries[i];
    }
    tree->n = tree->first = kept;
}

static int compare_keys(const void *a, const void *b)
{
    const struct buf *x = &((const struct merge_name *) a)->key;
    const struct buf *y = &((const struct merge_name *) b)->key;
    int order = memcmp(buf_text(x), buf_text(y), x->len < y->len ? x->len : y->len);

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

struct building {
    struct merge *m;
    struct merge_names *tree;
};

static void give_pair(void *arg, size_t i, struct obj *key, struct obj *value)
{
    struct building *b = arg;
    const struct merge_name *entry = &b->tree->entries[i];
    AUTO_OBJ struct obj holder = merge_at(b->m, entry->holder);

    *key = obj_new_string(b->m->to.q, buf_text(&entry->key), entry->key.len);
    *value = obj_item(holder, entry->at);
}

struct obj merge_names_build(struct merge *m, struct merge_names *tree)
{
    struct building b = { m, tree };

    if (tree->n == 0)
        return OBJ_NONE;
    qsort(tree->entries, tree->n, sizeof *tree->entries, compare_keys);
    return tree_build(m->to.q, "/Names", tree->n, give_pair, &b);
}
