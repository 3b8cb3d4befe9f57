#include "pdf/object/tree.h"

#include "base/scope.h"
#include "pdf/object/key_map.h"

#define DEPTH  64
#define FANOUT 64

struct walk {
    const char *leaf;
    int (*fn)(void *arg, struct obj key, struct obj value);
    void *arg;
    struct key_map seen;
    size_t pairs;
};

static int walk_pairs(struct walk *w, struct obj pairs)
{
    int n = obj_count(pairs) / 2;

    for (int i = 0; i < n && w->pairs < TREE_PAIRS; i++, w->pairs++) {
        AUTO_OBJ struct obj key = obj_item(pairs, 2 * i);
        AUTO_OBJ struct obj value = obj_item(pairs, 2 * i + 1);
        if (w->fn(w->arg, key, value) < 0)
            return -1;
    }
    return 0;
}

static int walk_node(struct walk *w, struct obj node, int depth)
{
    int64_t id = obj_id(node);

    if (depth > DEPTH || (id && !key_map_add_id(&w->seen, id)))
        return 0;
    AUTO_OBJ struct obj kids = obj_key(node, "/Kids");
    int n = obj_count(kids);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        if (walk_node(w, kid, depth + 1) < 0)
            return -1;
    }
    AUTO_OBJ struct obj pairs = obj_key(node, w->leaf);
    return walk_pairs(w, pairs);
}

int tree_walk(struct obj root, const char *leaf,
              int (*fn)(void *arg, struct obj key, struct obj value), void *arg, struct err *err)
{
    struct walk w = { leaf, fn, arg, { 0 }, 0 };
    int done = walk_node(&w, root, 0);

    if (done == 0 && w.seen.failed)
        done = err_set(err, ERR_INTERNAL, "out of memory");
    key_map_free(&w.seen);
    return done;
}

static void set_limits(struct obj node, struct obj first, struct obj last)
{
    AUTO_OBJ struct obj limits = obj_new_array(node.q);

    obj_append(limits, first);
    obj_append(limits, last);
    obj_set(node, "/Limits", limits);
}

static struct obj build_leaf(qpdf_data q, const char *leaf, size_t from, size_t to,
                             void (*pair)(void *arg, size_t i, struct obj *key, struct obj *value),
                             void *arg)
{
    AUTO_OBJ struct obj node = obj_new_dict(q);
    AUTO_OBJ struct obj array = obj_new_array(q);

    for (size_t i = from; i < to; i++) {
        AUTO_OBJ struct obj key = OBJ_NONE;
        AUTO_OBJ struct obj value = OBJ_NONE;
        pair(arg, i, &key, &value);
        obj_append(array, key);
        obj_append(array, value);
    }
    obj_set(node, leaf, array);
    if (to > from) {
        AUTO_OBJ struct obj first = obj_item(array, 0);
        AUTO_OBJ struct obj last = obj_item(array, (int) (2 * (to - from) - 2));
        set_limits(node, first, last);
    }
    return obj_indirect(node);
}

/* One node above up to FANOUT others. */
static struct obj build_above(qpdf_data q, struct obj *kids, size_t n)
{
    AUTO_OBJ struct obj node = obj_new_dict(q);
    AUTO_OBJ struct obj array = obj_new_array(q);
    AUTO_OBJ struct obj low = obj_key(kids[0], "/Limits");
    AUTO_OBJ struct obj high = obj_key(kids[n - 1], "/Limits");
    AUTO_OBJ struct obj first = obj_item(low, 0);
    AUTO_OBJ struct obj last = obj_item(high, 1);

    for (size_t i = 0; i < n; i++) {
        obj_append(array, kids[i]);
        obj_drop(&kids[i]);
    }
    obj_set(node, "/Kids", array);
    set_limits(node, first, last);
    return obj_indirect(node);
}

struct obj tree_build(qpdf_data q, const char *leaf, size_t n,
                      void (*pair)(void *arg, size_t i, struct obj *key, struct obj *value),
                      void *arg)
{
    size_t n_nodes = n ? (n + FANOUT - 1) / FANOUT : 1;
    AUTO_FREE struct obj *nodes = calloc(n_nodes, sizeof *nodes);

    if (!nodes)
        return OBJ_NONE;
    for (size_t i = 0; i < n_nodes; i++) {
        size_t to = (i + 1) * FANOUT;
        nodes[i] = build_leaf(q, leaf, i * FANOUT, to < n ? to : n, pair, arg);
    }
    while (n_nodes > 1) {
        size_t n_above = (n_nodes + FANOUT - 1) / FANOUT;
        for (size_t i = 0; i < n_above; i++) {
            size_t left = n_nodes - i * FANOUT;
            struct obj above = build_above(q, nodes + i * FANOUT, left < FANOUT ? left : FANOUT);
            nodes[i] = above;
        }
        n_nodes = n_above;
    }
    obj_remove(nodes[0], "/Limits"); /* a root has none */
    return nodes[0];
}
