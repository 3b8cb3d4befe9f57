#include "pdf/extract/annots.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/action.h"

int annots_open(struct annots *annots, qpdf_data q, struct depth *depth, struct err *err)
{
    *annots = (struct annots){ .depth = depth };
    return fields_read(&annots->fields, q, depth, err);
}

void annots_close(struct annots *annots)
{
    for (size_t i = 0; i < annots->n; i++)
        obj_drop(&annots->items[i].item);
    free(annots->items);
    idmap_free(&annots->known);
    fields_free(&annots->fields);
}

static void read_dest(struct annot *annot, const struct dest_names *names)
{
    AUTO_OBJ struct obj action = obj_key(annot->item, "/A");
    AUTO_OBJ struct obj value = obj_key(annot->item, "/Dest");

    annot->has_dest = !obj_is_null(value);
    if (!annot->has_dest && obj_key_is(action, "/S", "/GoTo")) {
        obj_drop(&value);
        value = obj_key(action, "/D");
        annot->has_dest = annot->by_action = true;
        obj_remove(annot->item, "/A");
    }
    if (annot->has_dest)
        dest_resolve(names, value, &annot->dest);
    obj_remove(annot->item, "/Dest");
}

/* Takes holder[key] away unless it is an annotation of the same page. */
static void confine_reference(struct obj holder, const char *key, const struct idmap *on_page)
{
    AUTO_OBJ struct obj other = obj_key(holder, key);

    if (!obj_is_null(other) && idmap_find(on_page, obj_id(other)) == IDMAP_NONE)
        obj_remove(holder, key);
}

static int confine_annot(struct annots *annots, struct annot *annot, const struct dest_names *names,
                         const struct idmap *on_page, struct err *err)
{
    struct obj item = annot->item;

    annot->field = FIELD_NONE;
    annot->link = obj_key_is(item, "/Subtype", "/Link");
    annot->widget |= obj_key_is(item, "/Subtype", "/Widget");
    read_dest(annot, names);
    action_confine(item, "/A");
    action_confine_triggers(item);
    obj_remove(item, "/PA");
    obj_remove(item, "/P");
    confine_reference(item, "/Popup", on_page);
    confine_reference(item, "/IRT", on_page);
    if (annot->widget)
        return fields_cut(&annots->fields, item, &annot->field, err);
    confine_reference(item, "/Parent", on_page);
    return 0;
}

/* Finds or adds an annotation; one may stand on several pages. */
static int keep_annot(struct annots *annots, struct annot found, const struct dest_names *names,
                      const struct idmap *on_page, size_t *at, struct err *err)
{
    int64_t id = obj_id(found.item);

    *at = idmap_find(&annots->known, id);
    if (*at != IDMAP_NONE)
        return 0;
    if (!LIST_ROOM(annots->items, annots->n, annots->cap) ||
        !idmap_add(&annots->known, id, annots->n))
        return pdf_doc_no_memory(err);
    *at = annots->n++;
    annots->items[*at] = (struct annot){ .item = obj_same(found.item), .widget = found.widget };
    if (confine_annot(annots, &annots->items[*at], names, on_page, err) < 0)
        return -1;
    return depth_is_safe(annots->depth, found.item) ? 0 : pdf_doc_too_deep(err);
}

/* Makes the page's annotations indirect objects, and knows them. */
static bool collect_annots(struct obj list, struct idmap *on_page)
{
    int n = obj_count(list);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item_in(list, i);
        int64_t id = obj_id(item);

        if (!obj_is_dict(item))
            continue;
        if (id == 0) {
            AUTO_OBJ struct obj indirect = obj_indirect(item);

            obj_set_item(list, i, indirect);
            id = obj_id(indirect);
        }
        if (!idmap_add(on_page, id, 0))
            return false;
    }
    return true;
}

int annots_read(struct annots *annots, struct obj page, const struct dest_names *names,
                struct annots_page *list, struct err *err)
{
    AUTO_OBJ struct obj items = obj_key(page, "/Annots");
    AUTO_IDMAP struct idmap on_page = { 0 };
    int n = obj_count(items);

    *list = (struct annots_page){ .items = calloc((size_t) n + 1, sizeof *list->items) };
    if (!list->items || !collect_annots(items, &on_page))
        return pdf_doc_no_memory(err);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item_in(items, i);

        if (!obj_is_dict(item))
            continue;
        if (keep_annot(annots, (struct annot){ .item = item }, names, &on_page,
                       &list->items[list->n], err) < 0)
            return -1;
        list->n++;
    }
    obj_remove(page, "/Annots");
    return 0;
}

int annots_cut_widget(struct annots *annots, struct obj widget, const struct dest_names *names,
                      size_t *at, struct err *err)
{
    static const struct idmap on_no_page;

    return keep_annot(annots, (struct annot){ .item = widget, .widget = true }, names, &on_no_page,
                      at, err);
}

static void put_dest(const struct annot *annot, struct obj copy, const struct dest_names *names,
                     const size_t *at)
{
    AUTO_OBJ struct obj page = obj_page(copy.q, at[annot->dest.page]);
    AUTO_OBJ struct obj value = dest_value(names, &annot->dest, page);

    if (annot->link && !annot->by_action) {
        obj_set(copy, "/Dest", value);
        return;
    }
    AUTO_OBJ struct obj action = obj_parse(copy.q, "<</S/GoTo>>");
    obj_set(action, "/D", value);
    obj_set(copy, "/A", action);
}

static bool arrives(const struct annot *annot, const size_t *at)
{
    return annot->has_dest && annot->dest.page != DEST_NOWHERE &&
           at[annot->dest.page] != DEST_NOWHERE;
}

int annots_put_widget(const struct annots *annots, size_t widget, struct obj page,
                      const struct dest_names *names, const size_t *at, struct fields_part *fields,
                      struct err *err)
{
    const struct annot *annot = &annots->items[widget];
    AUTO_OBJ struct obj copy = obj_copy(page.q, annot->item);

    if (obj_is_dict(page))
        obj_set(copy, "/P", page);
    if (arrives(annot, at))
        put_dest(annot, copy, names, at);
    return fields_part_add(fields, annot->item, annot->field, copy, err);
}

int annots_put(const struct annots *annots, const struct annots_page *list, struct obj page,
               const struct dest_names *names, const size_t *at, struct fields_part *fields,
               struct err *err)
{
    AUTO_OBJ struct obj items = obj_new_array(page.q);

    for (size_t i = 0; i < list->n; i++) {
        const struct annot *annot = &annots->items[list->items[i]];

        if (annot->has_dest && annot->link && !arrives(annot, at))
            continue;
        AUTO_OBJ struct obj copy = obj_copy(page.q, annot->item);
        obj_set(copy, "/P", page);
        if (arrives(annot, at))
            put_dest(annot, copy, names, at);
        if (annot->widget && fields_part_add(fields, annot->item, annot->field, copy, err) < 0)
            return -1;
        obj_append(items, copy);
    }
    if (list->n > 0)
        obj_set(page, "/Annots", items);
    return 0;
}
