#include "pdf/forms/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/action.h"

#define MAX_DEPTH 64

int fields_read(struct fields *fields, qpdf_data q, struct depth *depth, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj list = obj_key(form, "/Fields");
    int n = obj_count(list);

    *fields = (struct fields){ .order = obj_key(form, "/CO"), .depth = depth };
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(list, i);

        if (!idmap_add(&fields->roots, obj_id(field), (size_t) i))
            return pdf_doc_no_memory(err);
    }
    return 0;
}

void fields_free(struct fields *fields)
{
    for (size_t i = 0; i < fields->n; i++)
        obj_drop(&fields->items[i].item);
    free(fields->items);
    idmap_free(&fields->known);
    idmap_free(&fields->roots);
    obj_drop(&fields->order);
    *fields = (struct fields){ 0 };
}

static void cut_loose(struct obj field)
{
    obj_remove(field, "/Parent");
    obj_remove(field, "/Kids");
    action_confine_triggers(field);
}

/* Makes a field the parent of the last one of this climb, or of the widget it began with. */
static void link_above(struct fields *fields, size_t first, size_t *widget, size_t above)
{
    size_t last = fields->n - 1;

    if (fields->n == first)
        *widget = above;
    else
        fields->items[last].parent = above;
}

/* Of the page tree, where damaged files lead. */
static bool is_page_node(struct obj above)
{
    return obj_key_is(above, "/Type", "/Pages") || obj_key_is(above, "/Type", "/Page");
}

int fields_cut(struct fields *fields, struct obj widget, size_t *field, struct err *err)
{
    AUTO_OBJ struct obj above = obj_key(widget, "/Parent");
    size_t first = fields->n;

    *field = FIELD_NONE;
    cut_loose(widget);
    for (int depth = 0; obj_is_dict(above) && obj_is_indirect(above) && !is_page_node(above);
         depth++) {
        size_t known = idmap_find(&fields->known, obj_id(above));

        /* One met on this very climb closes a circle. */
        if (known != IDMAP_NONE || depth == MAX_DEPTH || obj_id(above) == obj_id(widget)) {
            if (known != IDMAP_NONE && known < first)
                link_above(fields, first, field, known);
            return 0;
        }
        if (!idmap_add(&fields->known, obj_id(above), fields->n) ||
            !LIST_ROOM(fields->items, fields->n, fields->cap))
            return pdf_doc_no_memory(err);
        fields->items[fields->n] = (struct field){ .item = obj_same(above), .parent = FIELD_NONE };
        link_above(fields, first, field, fields->n);
        fields->n++;
        struct obj next = obj_key(above, "/Parent");
        cut_loose(above);
        if (!depth_is_safe(fields->depth, above)) {
            obj_drop(&next);
            return pdf_doc_too_deep(err);
        }
        obj_drop(&above);
        above = next;
    }
    return 0;
}

static size_t place_of(const struct fields *fields, struct obj root)
{
    return idmap_find(&fields->roots, obj_id(root));
}

static bool place_field(struct fields_part *part, struct obj source, struct obj copy, bool root)
{
    if (!idmap_add(&part->included, obj_id(source), part->n) ||
        !LIST_ROOM(part->items, part->n, part->cap))
        return false;
    part->items[part->n++] = (struct fields_placed){
        .order = root ? place_of(part->fields, source) : IDMAP_NONE,
        .item = obj_same(copy),
    };
    return true;
}

static void adopt(struct obj parent, struct obj child)
{
    AUTO_OBJ struct obj kids = obj_key(parent, "/Kids");

    obj_set(child, "/Parent", parent);
    if (obj_is_array(kids)) {
        obj_append(kids, child);
        return;
    }
    AUTO_OBJ struct obj fresh = obj_new_array(parent.q);
    obj_append(fresh, child);
    obj_set(parent, "/Kids", fresh);
}

int fields_part_add(struct fields_part *part, struct obj widget, size_t field, struct obj copy,
                    struct err *err)
{
    AUTO_OBJ struct obj child = obj_same(copy);

    if (idmap_find(&part->included, obj_id(widget)) != IDMAP_NONE)
        return 0; /* its page is there twice */
    if (!place_field(part, widget, copy, field == FIELD_NONE))
        return pdf_doc_no_memory(err);
    while (field != FIELD_NONE) {
        const struct field *source = &part->fields->items[field];
        size_t known = idmap_find(&part->included, obj_id(source->item));

        if (known != IDMAP_NONE) {
            adopt(part->items[known].item, child);
            return 0;
        }
        AUTO_OBJ struct obj above = obj_copy(copy.q, source->item);
        adopt(above, child);
        if (!place_field(part, source->item, above, source->parent == FIELD_NONE))
            return pdf_doc_no_memory(err);
        obj_drop(&child);
        child = obj_same(above);
        field = source->parent;
    }
    return 0;
}

static int compare_fields(const void *x, const void *y)
{
    const struct fields_placed *a = x, *b = y;

    return (a->order > b->order) - (a->order < b->order);
}

/* The order in which values are calculated. */
static void write_order(struct fields_part *part, struct obj form)
{
    AUTO_OBJ struct obj kept = obj_new_array(form.q);
    int n = obj_count(part->fields->order);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(part->fields->order, i);
        size_t known = idmap_find(&part->included, obj_id(field));

        if (known != IDMAP_NONE)
            obj_append(kept, part->items[known].item);
    }
    if (obj_count(kept) > 0)
        obj_set(form, "/CO", kept);
}

bool fields_part_end(struct fields_part *part, struct obj form)
{
    AUTO_OBJ struct obj list = obj_new_array(form.q);

    if (part->n == 0)
        return false;
    write_order(part, form);
    /* From here on `included` no longer says where things are. */
    qsort(part->items, part->n, sizeof *part->items, compare_fields);
    for (size_t i = 0; i < part->n && part->items[i].order != IDMAP_NONE; i++)
        obj_append(list, part->items[i].item);
    obj_set(form, "/Fields", list);
    return obj_count(list) > 0;
}

void fields_part_free(struct fields_part *part)
{
    for (size_t i = 0; i < part->n; i++)
        obj_drop(&part->items[i].item);
    free(part->items);
    idmap_free(&part->included);
}
