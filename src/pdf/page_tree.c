#include "pdf/page_tree.h"

#include "pdf/idmap.h"

#define MAX_DEPTH 200

struct mender {
    struct idmap seen; /* nodes with /Kids */
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
        m->left--;
        return 1;
    }
    if (depth > MAX_DEPTH || !obj_is_indirect(kid) ||
        idmap_find(&m->seen, obj_id(kid)) != IDMAP_NONE)
        return -1;
    return mend(m, kid, depth);
}

static long long mend(struct mender *m, struct obj node, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(node, "/Kids");
    long long n_pages = 0, claimed = -1;

    /* Out of memory the node only stays unknown; the depth still ends every circle. */
    idmap_add(&m->seen, obj_id(node), 0);
    for (int i = 0; m->left >= 0 && i < obj_count(kids); i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        long long n = mend_kid(m, kid, depth + 1);

        if (n >= 0) {
            n_pages += n;
            continue;
        }
        qpdf_oh_erase_item(kids.q, kids.oh, i--);
        m->mended = true;
    }
    if (m->left >= 0 && obj_is_array(kids) &&
        (!obj_key_int(node, "/Count", &claimed) || claimed != n_pages)) {
        obj_set_int(node, "/Count", n_pages);
        m->mended = true;
    }
    return n_pages;
}

bool page_tree_mend(qpdf_data q, size_t max, bool *mended)
{
    struct mender m = { .left = (long long) max };
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj top = obj_key(root, "/Pages");

    mend(&m, top, 0);
    idmap_free(&m.seen);
    *mended = m.mended;
    return m.left >= 0;
}
