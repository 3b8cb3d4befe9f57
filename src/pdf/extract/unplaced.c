#include "pdf/extract/unplaced.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"

#define MAX_DEPTH 64

struct walk {
    struct unplaced *unplaced;
    const struct idmap *pages;
    struct idmap placed; /* ids of annotations of pages, and of what is above them */
    struct idmap seen;   /* ids of fields that were looked at */
    bool failed;         /* out of memory */
};

/* An annotation of a page is placed, and so are the fields above it. */
static void place_annot(struct walk *w, struct obj annot)
{
    AUTO_OBJ struct obj above = obj_same(annot);

    for (int depth = 0; obj_is_dict(above) && depth < MAX_DEPTH; depth++) {
        int64_t id = obj_id(above);

        if (id && idmap_find(&w->placed, id) != IDMAP_NONE)
            return;
        w->failed |= id && !idmap_add(&w->placed, id, 0);
        struct obj next = obj_key(above, "/Parent");
        obj_drop(&above);
        above = next;
    }
}

static void place_annots(struct walk *w, qpdf_data q, size_t n_pages)
{
    for (size_t i = 0; i < n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(q, i);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
        int n = obj_count(annots);

        for (int k = 0; k < n; k++) {
            AUTO_OBJ struct obj annot = obj_item_in(annots, k);
            place_annot(w, annot);
        }
    }
}

static bool is_placed(const struct walk *w, struct obj object)
{
    return idmap_find(&w->placed, obj_id(object)) != IDMAP_NONE;
}

static void add_widget(struct walk *w, struct obj widget, bool shared)
{
    struct unplaced *u = w->unplaced;
    AUTO_OBJ struct obj page = obj_key(widget, "/P");
    size_t number = obj_is_indirect(page) ? idmap_find(w->pages, obj_id(page)) : IDMAP_NONE;

    if (!LIST_ROOM(u->items, u->n, u->cap)) {
        w->failed = true;
        return;
    }
    u->items[u->n++] = (struct unplaced_widget){
        .item = obj_same(widget),
        .page = number == IDMAP_NONE ? DEST_NOWHERE : number,
        .shared = shared,
    };
}

/* A field at `list[index]`, as an indirect object below `parent`, if that is a field: only such can
 * be copied. */
static struct obj indirect_item(struct obj list, int index, struct obj parent)
{
    AUTO_OBJ struct obj item = obj_item(list, index);

    if (!obj_is_dict(item) || obj_is_indirect(item))
        return obj_same(item);
    struct obj indirect = obj_indirect(item);
    obj_set_item(list, index, indirect);
    if (obj_is_dict(parent))
        obj_set(indirect, "/Parent", parent);
    return indirect;
}

/* Damaged files have pages among their fields. */
static bool is_field(struct obj object)
{
    return obj_is_dict(object) && !obj_key_is(object, "/Type", "/Pages") &&
           !obj_key_is(object, "/Type", "/Page");
}

static void name_field(struct buf *name, const char *above, struct obj field)
{
    AUTO_OBJ struct obj title = obj_key(field, "/T");
    size_t n;

    buf_puts(name, above);
    if (!obj_is_string(title))
        return;
    if (*above)
        buf_putc(name, '.');
    const char *text = qpdf_oh_get_binary_utf8_value(title.q, title.oh, &n);
    buf_put(name, text, strnlen(text, n));
}

/* Counts a field none of whose widgets has a page. */
static void count_lost(struct unplaced *u, size_t from, const struct buf *name)
{
    for (size_t i = from; i < u->n; i++)
        if (u->items[i].page != DEST_NOWHERE)
            return;
    if (u->n == from)
        return;
    u->n_lost++;
    if (u->first.len == 0)
        buf_put(&u->first, buf_text(name), name->len);
}

static void walk_field(struct walk *w, struct obj field, const char *above, int depth)
{
    AUTO_BUF struct buf name = BUF_EMPTY;
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    size_t from = w->unplaced->n;
    bool placed = is_placed(w, field), leaf = true;
    int n = obj_count(kids);

    if (depth == MAX_DEPTH || idmap_find(&w->seen, obj_id(field)) != IDMAP_NONE)
        return;
    w->failed |= !idmap_add(&w->seen, obj_id(field), 0);
    name_field(&name, above, field);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = indirect_item(kids, i, field);

        if (!is_field(kid))
            continue;
        leaf = false;
        if (obj_has(kid, "/T") || obj_has(kid, "/Kids")) {
            walk_field(w, kid, buf_text(&name), depth + 1);
            from = w->unplaced->n;
        } else if (!is_placed(w, kid)) {
            add_widget(w, kid, placed);
        }
    }
    if (leaf && !placed)
        add_widget(w, field, false);
    if (!placed)
        count_lost(w->unplaced, from, &name);
    w->failed |= name.failed;
}

int unplaced_find(struct unplaced *unplaced, qpdf_data q, const struct idmap *pages, size_t n_pages,
                  struct err *err)
{
    struct walk w = { .unplaced = unplaced, .pages = pages };
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj list = obj_key(form, "/Fields");
    int n = obj_count(list);

    *unplaced = (struct unplaced){ .first = BUF_EMPTY };
    if (n > 0)
        place_annots(&w, q, n_pages);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj field = indirect_item(list, i, OBJ_NONE);

        if (is_field(field))
            walk_field(&w, field, "", 0);
    }
    w.failed |= unplaced->first.failed;
    idmap_free(&w.placed);
    idmap_free(&w.seen);
    return w.failed ? pdf_doc_no_memory(err) : 0;
}

void unplaced_free(struct unplaced *unplaced)
{
    for (size_t i = 0; i < unplaced->n; i++)
        obj_drop(&unplaced->items[i].item);
    free(unplaced->items);
    buf_free(&unplaced->first);
    *unplaced = (struct unplaced){ .first = BUF_EMPTY };
}

int unplaced_cut(struct unplaced *unplaced, struct annots *annots, const struct dest_names *names,
                 bool whole, struct err *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < unplaced->n; i++) {
        struct unplaced_widget *widget = &unplaced->items[i];

        if (!whole && widget->page == DEST_NOWHERE && !widget->shared)
            obj_drop(&widget->item);
        else
            unplaced->items[kept++] = *widget;
    }
    unplaced->n = kept;
    for (size_t i = 0; i < unplaced->n; i++)
        if (annots_cut_widget(annots, unplaced->items[i].item, names, &unplaced->items[i].annot,
                              err) < 0)
            return -1;
    return 0;
}

/* Whether the part has the field above a widget. */
static bool has_field(const struct fields_part *part, const struct annot *annot)
{
    return annot->field != FIELD_NONE &&
           idmap_find(&part->included, obj_id(part->fields->items[annot->field].item)) !=
               IDMAP_NONE;
}

int unplaced_put(const struct unplaced *unplaced, const struct annots *annots, qpdf_data to,
                 const struct dest_names *names, const size_t *at, struct fields_part *fields,
                 struct err *err)
{
    for (size_t i = 0; i < unplaced->n; i++) {
        const struct unplaced_widget *widget = &unplaced->items[i];
        bool named = widget->page != DEST_NOWHERE;

        if (named ? at[widget->page] == DEST_NOWHERE
                  : widget->shared && !has_field(fields, &annots->items[widget->annot]))
            continue;
        AUTO_OBJ struct obj page = named ? obj_page(to, at[widget->page]) : obj_parse(to, "null");
        if (annots_put_widget(annots, widget->annot, page, names, at, fields, err) < 0)
            return -1;
    }
    return 0;
}
