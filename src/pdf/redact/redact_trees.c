#include "pdf/redact/redact_trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/object/tree.h"

struct pairs {
    struct pair {
        char *bytes; /* of the key */
        size_t n;
        size_t at; /* its place in the tree: equal keys stay in their order */
        struct obj key, value;
    } * items;
    size_t n, cap;
    bool unsorted;
};

static void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->n; i++) {
        free(pairs->items[i].bytes);
        obj_drop(&pairs->items[i].key);
        obj_drop(&pairs->items[i].value);
    }
    free(pairs->items);
}

static int compare_keys(const struct pair *one, const struct pair *other)
{
    size_t n = one->n < other->n ? one->n : other->n;
    int order = memcmp(one->bytes, other->bytes, n);

    return order ? order : (one->n > other->n) - (one->n < other->n);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *one = a, *other = b;
    int order = compare_keys(one, other);

    return order ? order : (one->at > other->at) - (one->at < other->at);
}

static int add_entry(void *arg, struct obj key, struct obj value)
{
    struct pairs *pairs = arg;
    struct pair *pair;
    size_t n;
    const char *bytes = obj_is_string(key) ? obj_bytes(key, &n) : NULL;

    if (!bytes)
        return 0; /* no reader finds it */
    if (!LIST_ROOM(pairs->items, pairs->n, pairs->cap))
        return -1;
    pair = &pairs->items[pairs->n];
    *pair = (struct pair){ .bytes = malloc(n + 1), .n = n, .at = pairs->n };
    if (!pair->bytes)
        return -1;
    memcpy(pair->bytes, bytes, n);
    pair->key = obj_same(key);
    pair->value = obj_same(value);
    pairs->unsorted |= pairs->n > 0 && compare_keys(pair - 1, pair) > 0;
    pairs->n++;
    return 0;
}

static void give_sorted(void *arg, size_t i, struct obj *key, struct obj *value)
{
    const struct pairs *pairs = arg;

    *key = obj_same(pairs->items[i].key);
    *value = obj_same(pairs->items[i].value);
}

static int sort_tree(qpdf_data q, struct obj holder, const char *key, struct err *err)
{
    __attribute__((cleanup(pairs_free))) struct pairs pairs = { 0 };
    AUTO_OBJ struct obj old = obj_key(holder, key);
    struct err failed = { 0 };

    if (!obj_is_dict(old))
        return 0;
    if (tree_walk(old, "/Names", add_entry, &pairs, &failed) < 0)
        return pdf_doc_no_memory(err);
    if (pairs.n == 0 || (!pairs.unsorted && !obj_has(old, "/Kids")))
        return 0;
    qsort(pairs.items, pairs.n, sizeof *pairs.items, compare_pairs);
    AUTO_OBJ struct obj sorted = tree_build(q, "/Names", pairs.n, give_sorted, &pairs);
    if (!sorted.q)
        return pdf_doc_no_memory(err);
    obj_set(holder, key, sorted);
    return 0;
}

int redact_trees_sort(struct pdf_doc *doc, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj tags = obj_key(root, "/StructTreeRoot");
    AUTO_KEYS char **keys = obj_is_dict(names) ? obj_keys(names) : NULL;

    for (size_t i = 0; keys && keys[i]; i++)
        if (sort_tree(doc->q, names, keys[i], err) < 0)
            return -1;
    return obj_is_dict(tags) ? sort_tree(doc->q, tags, "/IDTree", err) : 0;
}
