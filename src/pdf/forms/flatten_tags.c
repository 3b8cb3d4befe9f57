#include "pdf/forms/flatten_tags.h"

#include <stdlib.h>

#include "pdf/object/tree.h"

#define MAX_DEPTH 64

static bool note(struct flatten_tags *tags, int64_t id)
{
    if (!key_map_add_id(&tags->widgets, id))
        return false;
    if (tags->n_gone == tags->cap_gone) {
        size_t cap = tags->cap_gone ? tags->cap_gone * 2 : 64;
        int64_t *more = reallocarray(tags->gone, cap, sizeof *more);
        if (!more) {
            tags->widgets.failed = true;
            return false;
        }
        tags->gone = more;
        tags->cap_gone = cap;
    }
    tags->gone[tags->n_gone++] = id;
    return true;
}

void flatten_tags_note(struct flatten_tags *tags, struct obj widget)
{
    struct obj field = widget;
    long long parent;

    if (obj_key_int(widget, "/StructParent", &parent))
        key_map_add_id(&tags->parents, parent);
    for (int i = 0; i < MAX_DEPTH && obj_is_dict(field); i++) {
        if (obj_is_indirect(field) && !note(tags, obj_id(field)))
            return;
        field = obj_key(field, "/Parent");
    }
}

void flatten_tags_keep(struct flatten_tags *tags, struct obj widget)
{
    struct obj field = obj_same(widget);

    for (int i = 0; i < MAX_DEPTH && obj_is_dict(field); i++) {
        struct obj above = obj_key(field, "/Parent");

        if (obj_is_indirect(field))
            key_map_add_id(&tags->kept, obj_id(field));
        obj_drop(&field);
        field = above;
    }
    obj_drop(&field);
}

bool flatten_tags_goes(const struct flatten_tags *tags, struct obj object)
{
    int64_t id = obj_id(object), value;

    return id && key_map_find_id(&tags->widgets, id, &value) &&
           !key_map_find_id(&tags->kept, id, &value);
}

/* The kids of a field that stays. */
static void clean_field(const struct flatten_tags *tags, struct obj field)
{
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");

    for (int i = obj_count(kids); i > 0; i--) {
        AUTO_OBJ struct obj kid = obj_item(kids, i - 1);

        if (flatten_tags_goes(tags, kid))
            qpdf_oh_erase_item(kids.q, kids.oh, i - 1);
    }
}

/* Whether a child of a structure element is the reference to a widget that goes (14.7.4.3). */
static bool refers(const struct flatten_tags *tags, struct obj kid)
{
    AUTO_OBJ struct obj object = obj_key(kid, "/Obj");

    return flatten_tags_goes(tags, object);
}

static int clean_element(void *arg, struct obj key, struct obj element)
{
    const struct flatten_tags *tags = arg;
    long long number;
    int64_t value;

    if (!obj_is_int(key, &number) || !key_map_find_id(&tags->parents, number, &value))
        return 0;
    AUTO_OBJ struct obj kids = obj_key(element, "/K");
    if (refers(tags, kids))
        obj_remove(element, "/K");
    for (int i = obj_count(kids); i > 0; i--) {
        AUTO_OBJ struct obj kid = obj_item(kids, i - 1);
        if (refers(tags, kid))
            qpdf_oh_erase_item(kids.q, kids.oh, i - 1);
    }
    return 0;
}

int flatten_tags_remove(struct flatten_tags *tags, struct pdf_doc *doc, struct err *err)
{
    struct obj tree = obj_key(obj_root(doc->q), "/StructTreeRoot");

    if (tags->widgets.failed || tags->parents.failed || tags->kept.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the document needs more memory than a job may use");
    if (tree_walk(obj_key(tree, "/ParentTree"), "/Nums", clean_element, tags, err) < 0)
        return -1;
    /* Whatever else refers to them refers to nothing then. */
    for (size_t i = 0; i < tags->n_gone; i++) {
        AUTO_OBJ struct obj null = { doc->q, qpdf_oh_new_null(doc->q) };
        AUTO_OBJ struct obj gone =
            obj_by_id(doc->q, OBJ_NUMBER(tags->gone[i]), OBJ_GEN(tags->gone[i]));

        if (!flatten_tags_goes(tags, gone)) {
            clean_field(tags, gone);
            continue;
        }
        qpdf_replace_object(doc->q, (int) (tags->gone[i] >> 20), (int) (tags->gone[i] & 0xfffff),
                            null.oh);
    }
    return 0;
}

void flatten_tags_free(struct flatten_tags *tags)
{
    free(tags->gone);
    key_map_free(&tags->widgets);
    key_map_free(&tags->kept);
    key_map_free(&tags->parents);
}
