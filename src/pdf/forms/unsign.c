#include "pdf/forms/unsign.h"

#include "base/scope.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

#define MAX_DEPTH  64
#define MAX_FIELDS 200000

struct unsigning {
    struct pdf_doc *doc;
    struct key_map seen;     /* fields that were looked at */
    struct key_map stripped; /* fields that lost their signature, and their widgets */
    size_t left;             /* fields that may still be looked at */
};

static void strip(struct unsigning *u, struct obj field)
{
    AUTO_OBJ struct obj value = obj_key(field, "/V");
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    int n = obj_count(kids);

    if (!obj_is_dict(value))
        return;
    obj_remove(field, "/V");
    key_map_add_id(&u->stripped, obj_id(field));
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        key_map_add_id(&u->stripped, obj_id(kid));
    }
}

static void strip_fields(struct unsigning *u, struct obj fields, bool signature, int depth)
{
    int n = obj_count(fields);

    for (int i = 0; i < n && depth < MAX_DEPTH; i++) {
        AUTO_OBJ struct obj field = obj_item(fields, i);
        AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
        bool is_signature = obj_has(field, "/FT") ? obj_key_is(field, "/FT", "/Sig") : signature;

        if (!obj_is_dict(field) || (obj_id(field) && !key_map_add_id(&u->seen, obj_id(field))))
            continue;
        if (u->left == 0)
            return;
        u->left--;
        if (is_signature)
            strip(u, field);
        strip_fields(u, kids, is_signature, depth + 1);
    }
}

/* A widget, or the field that it belongs to, that no list of fields leads to. */
static void strip_widget(struct unsigning *u, struct obj widget)
{
    AUTO_OBJ struct obj parent = obj_key(widget, "/Parent");

    if (obj_key_is(widget, "/FT", "/Sig"))
        strip(u, widget);
    else if (obj_is_dict(parent) && obj_key_is(parent, "/FT", "/Sig"))
        strip(u, parent);
}

/* The appearance of a widget as a stamp: viewers draw signature fields without a signature
 * themselves. Null for widgets of other fields. */
static struct obj stamp_of(struct unsigning *u, struct obj widget)
{
    static const char *const looks[] = { "/Rect", "/AP", "/AS", "/P", "/OC", "/M" };
    int64_t value;
    long long flags = 0;

    if (!key_map_find_id(&u->stripped, obj_id(widget), &value) || !obj_has(widget, "/AP"))
        return OBJ_NONE;
    AUTO_OBJ struct obj stamp = obj_new_dict(widget.q);
    AUTO_OBJ struct obj nowhere = obj_parse(widget.q, "[ 0 0 0 0 ]");
    obj_set_name(stamp, "/Type", "/Annot");
    obj_set_name(stamp, "/Subtype", "/Stamp");
    for (size_t i = 0; i < COUNT(looks); i++) {
        AUTO_OBJ struct obj look = obj_key(widget, looks[i]);
        if (!obj_is_null(look))
            obj_set(stamp, looks[i], look);
    }
    obj_key_int(widget, "/F", &flags);
    obj_set_int(stamp, "/F", flags | 1 << 6 | 1 << 7); /* read only, locked */
    obj_remove(widget, "/AP");
    obj_set(widget, "/Rect", nowhere);
    return obj_indirect(stamp);
}

static void unsign_page(struct unsigning *u, struct obj page)
{
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

    for (int i = 0; i < obj_count(annots); i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);

        if (!obj_key_is(annot, "/Subtype", "/Widget"))
            continue;
        strip_widget(u, annot);
        AUTO_OBJ struct obj stamp = stamp_of(u, annot);
        if (!obj_is_null(stamp))
            qpdf_oh_insert_item(annots.q, annots.oh, ++i, stamp.oh);
    }
}

void unsign_document(struct pdf_doc *doc)
{
    struct unsigning u = { .doc = doc, .left = MAX_FIELDS };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    long long flags = 0;

    if (obj_has(root, "/Perms"))
        obj_remove(root, "/Perms");
    if (!doc->signed_)
        return;
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj fields = obj_key(form, "/Fields");
    strip_fields(&u, fields, false, 0);
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        unsign_page(&u, page);
    }
    if (obj_key_int(form, "/SigFlags", &flags))
        obj_set_int(form, "/SigFlags", flags & 1); /* not AppendOnly */
    key_map_free(&u.seen);
    key_map_free(&u.stripped);
}
