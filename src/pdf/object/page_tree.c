#include "pdf/object/page_tree.h"

#include "pdf/object/idmap.h"

#define MAX_DEPTH 60 /* pages below lose what they inherit, to readers and in page_view.c */

struct mender {
    struct idmap seen; /* nodes and pages */
    long long left;    /* pages, before there are too many */
    bool mended;
};

static long long mend(struct mender *m, struct obj node, int depth);

/* How many pages a kid is or has, -1 if it must go. */
static long long mend_kid(struct mender *m, struct obj kid, int depth)
{
    if (!obj_is_dict(kid))
        return -1;
    if (!obj_has(kid, "/Kids")) {
        idmap_add(&m->seen, obj_id(kid), 0);
        m->left--;
        return 1;
    }
    if (depth > MAX_DEPTH || idmap_find(&m->seen, obj_id(kid)) != IDMAP_NONE)
        return -1;
    return mend(m, kid, depth);
}

static bool has_parent(struct obj kid, struct obj node)
{
    AUTO_OBJ struct obj parent = obj_key(kid, "/Parent");

    return obj_is_indirect(parent) && obj_id(parent) == obj_id(node);
}

/*
 * A kid that is an indirect object and has the node as its parent, as required: what a page
 * inherits is found by way of /Parent, and readers that come from the top would show it otherwise
 * than this program. A page that is listed in several nodes gets a copy for each of them.
 */
static struct obj part_kid(struct mender *m, struct obj node, struct obj kids, int i)
{
    AUTO_OBJ struct obj kid = obj_item(kids, i);

    if (!obj_is_dict(kid) || (obj_is_indirect(kid) && has_parent(kid, node)))
        return obj_same(kid);
    bool shared = idmap_find(&m->seen, obj_id(kid)) != IDMAP_NONE;
    if (shared && obj_has(kid, "/Kids"))
        return obj_same(kid); /* leads back into the tree: it is cut */
    m->mended = true;
    if (obj_is_indirect(kid) && !shared) {
        obj_set(kid, "/Parent", node);
        return obj_same(kid);
    }
    AUTO_OBJ struct obj copy = obj_shallow_copy(kid);
    struct obj own = obj_indirect(copy);
    obj_set(own, "/Parent", node);
    obj_set_item(kids, i, own);
    return own;
}

static long long mend(struct mender *m, struct obj node, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(node, "/Kids");
    AUTO_OBJ struct obj good = obj_new_array(node.q); /* there may be very many bad ones */
    long long n_pages = 0, claimed = -1;

    /* Out of memory the node only stays unknown; the depth still ends every circle. */
    idmap_add(&m->seen, obj_id(node), 0);
    for (int i = 0; m->left >= 0 && i < obj_count(kids); i++) {
        AUTO_OBJ struct obj kid = part_kid(m, node, kids, i);
        long long n = mend_kid(m, kid, depth + 1);

        if (n < 0)
            continue;
        n_pages += n;
        obj_append(good, kid);
    }
    if (m->left >= 0 && obj_count(good) < obj_count(kids)) {
        obj_set(node, "/Kids", good);
        m->mended = true;
    }
    if (m->left >= 0 && obj_is_array(kids) &&
        (!obj_key_int(node, "/Count", &claimed) || claimed != n_pages)) {
        obj_set_int(node, "/Count", n_pages);
        m->mended = true;
    }
    return n_pages;
}

/* The value under a key, of a dictionary, as an object of its own. */
static struct obj part(struct mender *m, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);

    if (!obj_is_dict(value) || obj_is_indirect(value))
        return obj_same(value);
    struct obj own = obj_indirect(value);
    obj_set(dict, key, own);
    m->mended = true;
    return own;
}

bool page_tree_mend(qpdf_data q, size_t max, bool *mended)
{
    struct mender m = { .left = (long long) max };
    AUTO_OBJ struct obj trailer = obj_trailer(q);
    AUTO_OBJ struct obj root = part(&m, trailer, "/Root");
    AUTO_OBJ struct obj top = part(&m, root, "/Pages");

    if (obj_is_dict(top) && obj_has(top, "/Parent")) {
        obj_remove(top, "/Parent"); /* nothing is inherited from above the tree */
        m.mended = true;
    }
    mend(&m, top, 0);
    idmap_free(&m.seen);
    *mended = m.mended;
    return m.left >= 0;
}
