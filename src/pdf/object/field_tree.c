#include "pdf/object/field_tree.h"

#include "pdf/object/idmap.h"

#define MAX_DEPTH  64
#define MAX_FIELDS 200000 /* looked at, also in lists of kids */

struct mender {
    struct idmap seen;
    size_t left; /* fields that may still be looked at */
};

/* Whether `kid`, an indirect object, is among the kids of `field`. */
static bool lists(struct mender *m, struct obj field, struct obj kid)
{
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    int n = obj_count(kids);

    for (int i = 0; i < n && m->left > 0; i++, m->left--) {
        AUTO_OBJ struct obj other = obj_item(kids, i);

        if (obj_id(other) == obj_id(kid))
            return true;
    }
    return false;
}

/* Of the page tree, where damaged files lead. */
static bool is_page_node(struct obj kid)
{
    return obj_key_is(kid, "/Type", "/Pages") || obj_key_is(kid, "/Type", "/Page");
}

static void mend_parent(struct mender *m, struct obj field, struct obj kid)
{
    AUTO_OBJ struct obj parent = obj_key(kid, "/Parent");

    if (obj_is_indirect(parent) &&
        (obj_id(parent) == obj_id(field) || (obj_is_dict(parent) && lists(m, parent, kid))))
        return;
    if (m->left > 0)
        obj_set(kid, "/Parent", field);
}

static void mend(struct mender *m, struct obj field, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    int n = obj_count(kids);

    for (int i = 0; i < n && m->left > 0; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        m->left--;
        if (!obj_is_dict(kid) || !obj_is_indirect(kid) || is_page_node(kid) || depth == MAX_DEPTH ||
            idmap_find(&m->seen, obj_id(kid)) != IDMAP_NONE || !idmap_add(&m->seen, obj_id(kid), 0))
            continue;
        if (obj_is_indirect(field))
            mend_parent(m, field, kid);
        mend(m, kid, depth + 1);
    }
}

void field_tree_mend(qpdf_data q)
{
    struct mender m = { .left = MAX_FIELDS };
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj list = obj_key(form, "/Fields");
    int n = obj_count(list);

    for (int i = 0; i < n && m.left > 0; i++) {
        AUTO_OBJ struct obj field = obj_item(list, i);

        m.left--;
        if (obj_is_dict(field) && obj_is_indirect(field) &&
            idmap_find(&m.seen, obj_id(field)) == IDMAP_NONE &&
            idmap_add(&m.seen, obj_id(field), 0))
            mend(&m, field, 0);
    }
    idmap_free(&m.seen);
}
