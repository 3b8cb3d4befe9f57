#include "pdf/form_data/form_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_widget.h"

#define MAX_FIELDS 200000
#define MAX_DEPTH  64
#define MAX_NAME   10000 /* bytes of a full name */

struct walk {
    struct form_fields *fields;
    size_t left;
    struct err *err;
};

const char *form_kind_name(enum form_kind kind)
{
    static const char *const names[] = { "text", "check", "radio",     "button",
                                         "list", "combo", "signature", "unknown" };

    return names[kind];
}

const char *form_text(struct obj text)
{
    size_t n;

    return obj_is_string(text) ? qpdf_oh_get_binary_utf8_value(text.q, text.oh, &n) : "";
}

void form_on_state(struct obj widget, struct buf *name)
{
    AUTO_OBJ struct obj looks = obj_key(widget, "/AP");
    AUTO_OBJ struct obj normal = obj_key(looks, "/N");
    AUTO_KEYS char **keys = obj_is_dict(normal) ? obj_keys(normal) : NULL;

    for (char **key = keys; key && *key; key++) {
        if (strcmp(*key, "/Off") == 0)
            continue;
        buf_puts(name, *key + 1);
        return;
    }
    AUTO_OBJ struct obj now = obj_key(widget, "/AS");
    size_t n;
    const char *state = obj_is_name(now) && !obj_name_is(now, "/Off") ? obj_bytes(now, &n) : "/";

    buf_puts(name, state + 1);
}

static enum form_kind form_kind_of(struct obj type, long long flags)
{
    if (obj_name_is(type, "/Tx"))
        return FORM_TEXT;
    if (obj_name_is(type, "/Ch"))
        return flags & FIELD_COMBO ? FORM_COMBO : FORM_LIST;
    if (obj_name_is(type, "/Sig"))
        return FORM_SIGNATURE;
    if (!obj_name_is(type, "/Btn"))
        return FORM_UNKNOWN;
    return flags & FIELD_PUSHBUTTON  ? FORM_BUTTON
           : flags & FORM_RADIO_FLAG ? FORM_RADIO
                                     : FORM_CHECK;
}

static bool add_widget(struct form_fields *fields, struct obj widget)
{
    int64_t page;

    if (!LIST_ROOM(fields->widgets, fields->n_widgets, fields->cap_widgets))
        return false;
    if (!key_map_find_id(&fields->pages, obj_id(widget), &page))
        page = -1;
    fields->widgets[fields->n_widgets++] =
        (struct form_widget){ obj_same(widget), page < 0 ? FORM_NO_PAGE : (size_t) page };
    return true;
}

static int add_field(struct walk *walk, const struct buf *name, struct obj field, struct obj kids)
{
    struct form_fields *fields = walk->fields;
    AUTO_OBJ struct obj type = field_inherited(field, OBJ_NONE, "/FT");
    AUTO_OBJ struct obj value = field_inherited(field, OBJ_NONE, "/V");
    struct form_field *item;
    int n = obj_count(kids);

    if (!LIST_ROOM(fields->items, fields->n, fields->cap))
        return pdf_doc_no_memory(walk->err);
    item = &fields->items[fields->n];
    *item = (struct form_field){ .name = strdup(buf_text(name)),
                                 .dict = obj_same(field),
                                 .flags = field_inherited_int(field, OBJ_NONE, "/Ff"),
                                 .widget = fields->n_widgets };
    fields->n++;
    if (!item->name)
        return pdf_doc_no_memory(walk->err);
    item->kind = form_kind_of(type, item->flags);
    fields->signed_ += item->kind == FORM_SIGNATURE && obj_is_dict(value);
    if (n == 0 && !add_widget(fields, field))
        return pdf_doc_no_memory(walk->err);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (obj_is_dict(kid) && !add_widget(fields, kid))
            return pdf_doc_no_memory(walk->err);
    }
    item->n_widgets = fields->n_widgets - item->widget;
    return 0;
}

/* Whether the kids are fields of their own, and not what shows this one. */
static bool has_fields(struct obj kids)
{
    for (int i = 0, n = obj_count(kids); i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (obj_has(kid, "/T"))
            return true;
    }
    return false;
}

static void add_own_name(struct buf *name, struct obj field)
{
    AUTO_OBJ struct obj text = obj_key(field, "/T");
    const char *own = form_text(text);

    if (name->len > 0 && *own)
        buf_putc(name, '.');
    buf_puts(name, own);
}

/* `name`: the full name of the field above, which is unchanged afterwards. */
static int walk_field(struct walk *walk, struct obj field, struct buf *name, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    size_t above = name->len;
    int done = 0;

    if (depth == MAX_DEPTH)
        return err_set(walk->err, ERR_CORRUPT_FILE,
                       "the fields of the document's form are nested in a circle, or more than %d "
                       "deep",
                       MAX_DEPTH);
    if (walk->left-- == 0)
        return err_set(walk->err, ERR_LIMIT_EXCEEDED, "the document has more than %d form fields",
                       MAX_FIELDS);
    if (!obj_is_dict(field))
        return 0;
    add_own_name(name, field);
    if (name->failed || name->len > MAX_NAME)
        return pdf_doc_no_memory(walk->err);
    if (!has_fields(kids))
        done = add_field(walk, name, field, kids);
    else
        for (int i = 0, n = obj_count(kids); i < n && done == 0; i++) {
            AUTO_OBJ struct obj kid = obj_item(kids, i);

            done = walk_field(walk, kid, name, depth + 1);
        }
    name->len = above;
    if (name->data)
        name->data[above] = '\0';
    return done;
}

/* Which widget is on which page. */
static int read_pages(struct form_fields *fields, struct pdf_doc *doc, struct err *err)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

        for (int j = 0, n = obj_count(annots); j < n; j++) {
            AUTO_OBJ struct obj annot = obj_item(annots, j);

            if (obj_id(annot) && obj_key_is(annot, "/Subtype", "/Widget"))
                key_map_put_id(&fields->pages, obj_id(annot), (int64_t) i);
        }
    }
    return fields->pages.failed ? pdf_doc_no_memory(err) : 0;
}

static int read_fields(struct form_fields *fields, struct err *err)
{
    AUTO_OBJ struct obj list = obj_key(fields->form, "/Fields");
    AUTO_BUF struct buf name = BUF_EMPTY;
    struct walk walk = { .fields = fields, .left = MAX_FIELDS, .err = err };

    for (int i = 0, n = obj_count(list); i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(list, i);

        if (walk_field(&walk, field, &name, 0) < 0)
            return -1;
    }
    return 0;
}

int form_fields_read(struct form_fields *fields, struct pdf_doc *doc, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj rendering = obj_key(root, "/NeedsRendering");
    bool needs = false;

    *fields = (struct form_fields){ .form = obj_key(root, "/AcroForm") };
    fields->xfa = obj_has(fields->form, "/XFA");
    fields->xfa_only = fields->xfa && obj_is_bool(rendering, &needs) && needs;
    if (read_pages(fields, doc, err) < 0 || read_fields(fields, err) < 0) {
        form_fields_free(fields);
        return -1;
    }
    return 0;
}

void form_fields_free(struct form_fields *fields)
{
    for (size_t i = 0; i < fields->n; i++) {
        obj_drop(&fields->items[i].dict);
        free(fields->items[i].name);
    }
    for (size_t i = 0; i < fields->n_widgets; i++)
        obj_drop(&fields->widgets[i].dict);
    free(fields->items);
    free(fields->widgets);
    key_map_free(&fields->pages);
    obj_drop(&fields->form);
    *fields = (struct form_fields){ 0 };
}
