#include "pdf/object/page_tree.h"

#include "pdf/object/idmap.h"

#define MAX_DEPTH 60 /* pages below lose what they inherit, to readers and in page_view.c */

struct mender {
    struct idmap seen; /* nodes and pages */
    long long left;    /* pages, before there are too many */
    bool mended;
};

static long long mend(struct mender *m, struct obj node, int depth);

/* How many pages a kid that is a dictionary is or has, -1 if it must go. */
static long long mend_kid(struct mender *m, struct obj kid, int depth)
{
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
 * than this program. A page that is listed in several nodes gets a copy for each of them. Takes
 * ownership of `kid`, a dictionary, which is the item i of the node's kids.
 */
static struct obj part_kid(struct mender *m, struct obj node, struct obj kids, struct obj kid,
                           int i)
{
    if (obj_is_indirect(kid) && has_parent(kid, node))
        return kid;
    bool shared = idmap_find(&m->seen, obj_id(kid)) != IDMAP_NONE;
    if (shared && obj_has(kid, "/Kids"))
        return kid; /* leads back into the tree: it is cut */
    m->mended = true;
    if (obj_is_indirect(kid) && !shared) {
        obj_set(kid, "/Parent", node);
        return kid;
    }
    AUTO_OBJ struct obj copy = obj_shallow_copy(kid);
    struct obj own = obj_indirect(copy);

    obj_drop(&kid);
    obj_set(own, "/Parent", node);
    obj_set_item(kids, i, own);
    return own;
}

/* The first n kids: as a list of its own, which begins where the first of them must go. */
static struct obj first_kids(struct obj kids, int n)
{
    struct obj first = obj_new_array(kids.q);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item_in(kids, i);

        obj_append(first, kid);
    }
    return first;
}

static long long mend(struct mender *m, struct obj node, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(node, "/Kids");
    AUTO_OBJ struct obj good = OBJ_NONE; /* there may be very many bad ones */
    long long n_pages = 0, claimed = -1;
    int n_kids = obj_count(kids);

    /* Out of memory the node only stays unknown; the depth still ends every circle. */
    idmap_add(&m->seen, obj_id(node), 0);
    for (int i = 0; m->left >= 0 && i < n_kids; i++) {
        AUTO_OBJ struct obj kid = obj_item_in(kids, i);
        bool is_dict = obj_is_dict(kid);

        if (is_dict)
            kid = part_kid(m, node, kids, kid, i);
        long long n = is_dict ? mend_kid(m, kid, depth + 1) : -1;
        if (n < 0 && !good.q)
            good = first_kids(kids, i);
        if (n >= 0 && good.q)
            obj_append(good, kid);
        if (n >= 0)
            n_pages += n;
    }
    if (m->left >= 0 && good.q) {
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
