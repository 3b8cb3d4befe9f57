#include "pdf/properties/info_fonts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/object/idmap.h"
#include "pdf/object/page_view.h"
#include "pdf/properties/json_values.h"

#define MAX_DEPTH  12
#define MAX_VISITS 3000000 /* resources that are looked at */
#define MAX_FONTS  20000

struct font {
    int64_t id;
    struct info_range range;
    struct buf pages;
};

struct finder {
    struct pdf_doc *doc;
    struct font *items;
    size_t n, cap;
    struct idmap fonts; /* from ids to items */
    struct idmap forms; /* those that were visited for the current page, to the page */
    size_t page;        /* from 1 */
    size_t visits;
    bool cut, failed;
};

void info_range_add(struct info_range *range, size_t page, struct buf *list)
{
    if (range->last == page)
        return;
    if (range->last + 1 == page && range->last > 0) {
        range->last = page;
        return;
    }
    info_range_end(range, list);
    *range = (struct info_range){ page, page };
}

void info_range_end(struct info_range *range, struct buf *list)
{
    if (range->last == 0)
        return;
    buf_printf(list, "%s%zu", list->len ? "," : "", range->first);
    if (range->last > range->first)
        buf_printf(list, "-%zu", range->last);
}

static void add_font(struct finder *f, struct obj font)
{
    int64_t id = obj_id(font);
    size_t i = id ? idmap_find(&f->fonts, id) : IDMAP_NONE;

    if (!obj_is_dict(font) || !id)
        return;
    if (i == IDMAP_NONE) {
        if (f->n >= MAX_FONTS) {
            f->cut = true;
            return;
        }
        if (!LIST_ROOM(f->items, f->n, f->cap) || !idmap_add(&f->fonts, id, f->n)) {
            f->failed = true;
            return;
        }
        i = f->n++;
        f->items[i] = (struct font){ .id = id };
    }
    info_range_add(&f->items[i].range, f->page, &f->items[i].pages);
}

static void visit_resources(struct finder *f, struct obj resources, int depth);

/* Forms and patterns have resources of their own. A form is looked at once for each page. */
static void visit_streams(struct finder *f, struct obj dict, int depth)
{
    AUTO_KEYS char **names = NULL;

    if (obj_is_null(dict))
        return;
    names = obj_keys(dict);
    for (size_t i = 0; names && names[i] && !f->cut; i++) {
        AUTO_OBJ struct obj one = obj_key(dict, names[i]);
        AUTO_OBJ struct obj resources = obj_key(one, "/Resources");
        int64_t id = obj_id(one);

        f->cut |= ++f->visits > MAX_VISITS;
        if (!id || !obj_is_dict(resources) || idmap_find(&f->forms, id) == f->page)
            continue;
        f->failed |= !idmap_add(&f->forms, id, f->page);
        idmap_set(&f->forms, id, f->page);
        visit_resources(f, resources, depth + 1);
    }
}

static void visit_resources(struct finder *f, struct obj resources, int depth)
{
    AUTO_OBJ struct obj fonts = obj_key(resources, "/Font");
    AUTO_OBJ struct obj forms = obj_key(resources, "/XObject");
    AUTO_OBJ struct obj patterns = obj_key(resources, "/Pattern");
    AUTO_KEYS char **names = obj_keys(fonts);

    for (size_t i = 0; names && names[i] && !f->cut; i++) {
        AUTO_OBJ struct obj font = obj_key(fonts, names[i]);

        f->cut |= ++f->visits > MAX_VISITS;
        add_font(f, font);
    }
    if (depth >= MAX_DEPTH)
        return;
    visit_streams(f, forms, depth);
    visit_streams(f, patterns, depth);
}

/* The appearances of annotations have fonts, too. */
static void visit_annots(struct finder *f, struct obj page)
{
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    int n = obj_count(annots);

    for (int i = 0; i < n && !f->cut; i++) {
        AUTO_OBJ struct obj annot = obj_item_in(annots, i);
        AUTO_OBJ struct obj look = obj_key(annot, "/AP");

        f->cut |= ++f->visits > MAX_VISITS;
        if (obj_is_null(look)) /* as most links have none */
            continue;
        AUTO_OBJ struct obj normal = obj_key(look, "/N");
        if (obj_is_stream(normal))
            visit_streams(f, look, 0);
        else if (obj_is_dict(normal))
            visit_streams(f, normal, 0);
    }
}

static bool has_program(struct obj descriptor)
{
    return obj_has(descriptor, "/FontFile") || obj_has(descriptor, "/FontFile2") ||
           obj_has(descriptor, "/FontFile3");
}

static json_t *font_json(struct finder *f, struct font *font)
{
    AUTO_OBJ struct obj dict = obj_by_id(f->doc->q, OBJ_NUMBER(font->id), OBJ_GEN(font->id));
    AUTO_OBJ struct obj kids = obj_key(dict, "/DescendantFonts");
    AUTO_OBJ struct obj kid = obj_item(kids, 0);
    AUTO_OBJ struct obj descriptor = obj_key(obj_is_dict(kid) ? kid : dict, "/FontDescriptor");
    json_t *out = json_object();
    bool type3 = obj_key_is(dict, "/Subtype", "/Type3");
    const char *name;

    json_values_set_name(out, "name", dict, "/BaseFont");
    json_values_set_name(out, "type", dict, "/Subtype");
    json_values_set_name(out, "descendant", kid, "/Subtype");
    json_values_set_name(out, "encoding", dict, "/Encoding");
    json_object_set_new(out, "embedded", json_boolean(type3 || has_program(descriptor)));
    name = json_string_value(json_object_get(out, "name"));
    json_object_set_new(out, "subset",
                        json_boolean(name && strlen(name) > 7 && name[6] == '+' &&
                                     strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 6));
    json_object_set_new(out, "toUnicode", json_boolean(obj_has(dict, "/ToUnicode")));
    info_range_end(&font->range, &font->pages);
    json_object_set_new(out, "pages", json_string(buf_text(&font->pages)));
    json_object_set_new(out, "object", json_integer(OBJ_NUMBER(font->id)));
    return out;
}

json_t *info_fonts(struct pdf_doc *doc, bool *cut)
{
    struct finder f = { .doc = doc };
    json_t *out = json_array();

    for (size_t i = 0; i < doc->n_pages && !f.cut; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);

        f.page = i + 1;
        visit_resources(&f, resources, 0);
        visit_annots(&f, page);
    }
    for (size_t i = 0; i < f.n; i++) {
        json_array_append_new(out, font_json(&f, &f.items[i]));
        f.failed |= f.items[i].pages.failed;
        buf_free(&f.items[i].pages);
    }
    *cut |= f.cut;
    free(f.items);
    idmap_free(&f.fonts);
    idmap_free(&f.forms);
    if (f.failed) {
        json_decref(out);
        return NULL;
    }
    return out;
}
