#include "pdf/content/enclosed_tags.h"

#include "pdf/object/idmap.h"
#include "pdf/object/tree.h"

struct search {
    long long key;
    struct obj parents; /* of the page's marked contents */
    size_t *budget;
};

static int find_parents(void *arg, struct obj key, struct obj value)
{
    struct search *search = arg;
    long long number;

    if (*search->budget > 0)
        (*search->budget)--;
    if (!search->parents.q && obj_is_int(key, &number) && number == search->key)
        search->parents = obj_same(value);
    return 0;
}

/* A reference to marked content of the form. */
static struct obj reference_to(struct obj page, struct obj form, long long mcid)
{
    struct obj reference = obj_new_dict(page.q);

    obj_set_name(reference, "/Type", "/MCR");
    obj_set(reference, "/Pg", page);
    obj_set(reference, "/Stm", form);
    obj_set_int(reference, "/MCID", mcid);
    return reference;
}

/* What takes the place of a child of an element; OBJ_NONE: it stays. `own`: numbers in the element
 * are those of the page's marked contents. */
static struct obj moved_kid(struct obj kid, bool own, struct obj page, struct obj form)
{
    AUTO_OBJ struct obj of = obj_key(kid, "/Pg");
    long long mcid;

    if (own && obj_is_int(kid, &mcid))
        return reference_to(page, form, mcid);
    if (obj_is_dict(kid) && obj_key_int(kid, "/MCID", &mcid) && !obj_has(kid, "/Stm") &&
        (obj_is_null(of) ? own : obj_id(of) == obj_id(page)))
        return reference_to(page, form, mcid);
    return OBJ_NONE;
}

static void move_element(struct obj element, struct obj page, struct obj form)
{
    AUTO_OBJ struct obj of = obj_key(element, "/Pg");
    AUTO_OBJ struct obj kids = obj_key(element, "/K");
    bool own = obj_id(of) == obj_id(page);

    if (!obj_is_array(kids)) {
        AUTO_OBJ struct obj moved = moved_kid(kids, own, page, form);

        if (moved.q)
            obj_set(element, "/K", moved);
    }
    for (int i = 0; i < obj_count(kids); i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        AUTO_OBJ struct obj moved = moved_kid(kid, own, page, form);

        if (moved.q)
            obj_set_item(kids, i, moved);
    }
}

int enclosed_tags_move(struct obj page, struct obj form, size_t *budget, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(page.q);
    AUTO_OBJ struct obj tree = obj_key(root, "/StructTreeRoot");
    AUTO_OBJ struct obj parents = obj_key(tree, "/ParentTree");
    AUTO_IDMAP struct idmap seen = { 0 };
    struct search search = { .budget = budget };

    if (*budget == 0 || !obj_key_int(page, "/StructParents", &search.key) ||
        !obj_is_dict(parents) || tree_walk(parents, "/Nums", find_parents, &search, err) < 0)
        return 0;
    AUTO_OBJ struct obj elements = search.parents;
    for (int i = 0; i < obj_count(elements); i++) {
        AUTO_OBJ struct obj element = obj_item(elements, i);

        if (!obj_is_dict(element) || !obj_is_indirect(element) ||
            idmap_find(&seen, obj_id(element)) != IDMAP_NONE)
            continue;
        if (!idmap_add(&seen, obj_id(element), 0))
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "the document needs more memory than a job may use");
        move_element(element, page, form);
    }
    obj_set_int(form, "/StructParents", search.key);
    obj_remove(page, "/StructParents");
    return 0;
}
