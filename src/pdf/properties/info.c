#include "pdf/properties/info.h"

#include <string.h>

#include "base/scope.h"
#include "declare/value/numeral.h"
#include "pdf/document/labels.h"
#include "pdf/object/page_view.h"
#include "pdf/object/tree.h"
#include "pdf/properties/attached.h"
#include "pdf/properties/info_fonts.h"
#include "pdf/properties/info_images.h"
#include "pdf/properties/info_parts.h"
#include "pdf/properties/json_values.h"
#include "pdf/properties/metadata_json.h"

struct writer {
    struct pdf_doc *doc;
    json_t *out;
    struct err *err;
};

static int set_member(struct writer *w, const char *name, json_t *value)
{
    return value && json_object_set_new(w->out, name, value) == 0 ? 0 : pdf_doc_no_memory(w->err);
}

/* A value that was made with an error message. */
static int set_part(struct writer *w, const char *name, json_t *value)
{
    return value ? set_member(w, name, value) : -1;
}

static json_t *boxes_json(struct obj page, struct page_heritage *heritage)
{
    static const char *const names[] = { "media", "crop", "bleed", "trim", "art" };
    json_t *out = json_object();

    for (size_t i = 0; i < PAGE_ATTRIBUTES; i++) {
        AUTO_OBJ struct obj array = page_view_attribute(page, (enum page_attribute) i, heritage);
        json_t *box = json_values_box(array);

        if (box)
            json_object_set_new(out, names[i], box);
    }
    return out;
}

/* The label of page i: `at` is the range that it may be in, which only grows. */
static json_t *label_json(struct pdf_doc *doc, const struct labels *labels, size_t i, size_t *at)
{
    AUTO_BUF struct buf number = BUF_EMPTY;
    const struct label_range *range;
    json_t *prefix, *out;

    while (*at + 1 < labels->n && labels->items[*at + 1].page <= i)
        ++*at;
    if (labels->n == 0 || labels->items[*at].page > i)
        return NULL;
    range = &labels->items[*at];
    if (range->style)
        numeral_put(&number, range->style, range->start + (long long) (i - range->page));
    AUTO_OBJ struct obj text = obj_new_string(doc->q, range->prefix, range->n_prefix);
    prefix = json_values_text(text);
    out = json_sprintf("%s%s", json_string_value(prefix), buf_text(&number));
    json_decref(prefix);
    return out;
}

static json_t *page_json(struct pdf_doc *doc, size_t i, struct page_heritage *heritage,
                         const struct labels *labels, size_t *at)
{
    AUTO_OBJ struct obj page = obj_page(doc->q, i);
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    struct page_view view;
    json_t *out = json_object(), *label = label_json(doc, labels, i, at);
    json_int_t links = 0, widgets = 0, all = obj_count(annots);

    page_view_read_next(page, heritage, &view);
    for (int k = 0; k < all; k++) {
        AUTO_OBJ struct obj annot = obj_item_in(annots, (int) k);
        AUTO_OBJ struct obj subtype = obj_key(annot, "/Subtype");
        bool is_link = obj_name_is(subtype, "/Link");

        links += is_link;
        widgets += !is_link && obj_name_is(subtype, "/Widget");
    }
    json_object_set_new(out, "page", json_integer((json_int_t) i + 1));
    if (label)
        json_object_set_new(out, "label", label);
    json_object_set_new(out, "width", json_values_number(view.width));
    json_object_set_new(out, "height", json_values_number(view.height));
    json_object_set_new(out, "rotation", json_integer(view.rotation));
    if (view.unit > 1 || view.unit < 1)
        json_object_set_new(out, "userUnit", json_values_number(view.unit));
    json_object_set_new(out, "boxes", boxes_json(page, heritage));
    json_object_set_new(out, "links", json_integer(links));
    json_object_set_new(out, "fields", json_integer(widgets));
    json_object_set_new(out, "comments", json_integer(all - links - widgets));
    return out;
}

static int write_pages(struct writer *w)
{
    AUTO_LABELS struct labels labels = { 0 };
    AUTO_PAGE_HERITAGE struct page_heritage heritage = { 0 };
    json_t *pages = json_array();
    size_t at = 0;

    if (labels_read(&labels, w->doc->q, w->err) < 0) {
        json_decref(pages);
        return -1;
    }
    for (size_t i = 0; i < w->doc->n_pages; i++)
        json_array_append_new(pages, page_json(w->doc, i, &heritage, &labels, &at));
    return set_member(w, "pages", pages);
}

static json_t *attachments_json(struct pdf_doc *doc, struct err *err)
{
    AUTO_ATTACHED struct attached files = { 0 };
    json_t *out;

    if (attached_read(&files, doc->q, doc->n_pages, err) < 0)
        return NULL;
    out = json_array();
    for (size_t i = 0; i < files.n; i++)
        json_array_append_new(out, attached_json(&files.items[i]));
    return out;
}

static int count_pair(void *arg, struct obj key, struct obj value)
{
    (void) key;
    (void) value;
    ++*(size_t *) arg;
    return 0;
}

/* What runs when the document is opened or printed. */
static json_t *scripts_json(struct pdf_doc *doc, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_key(names, "/JavaScript");
    AUTO_OBJ struct obj open = obj_key(root, "/OpenAction");
    size_t n = 0;

    if (tree_walk(tree, "/Names", count_pair, &n, err) < 0)
        return NULL;
    json_t *out = json_pack("{s:I, s:b}", "named", (json_int_t) n, "documentActions",
                            obj_has(root, "/AA") ? 1 : 0);
    if (obj_is_dict(open))
        json_values_set_name(out, "openAction", open, "/S");
    return out;
}

static json_t *intents_json(struct obj root)
{
    AUTO_OBJ struct obj list = obj_key(root, "/OutputIntents");
    json_t *out = json_array();
    int n = obj_count(list);

    for (int i = 0; i < n && i < 100; i++) {
        AUTO_OBJ struct obj one = obj_item(list, i);
        json_t *intent = json_object();

        json_values_set_name(intent, "subtype", one, "/S");
        json_values_set_text(intent, "condition", one, "/OutputConditionIdentifier");
        json_values_set_text(intent, "info", one, "/Info");
        json_object_set_new(intent, "profile", json_boolean(obj_has(one, "/DestOutputProfile")));
        json_array_append_new(out, intent);
    }
    return out;
}

static int write_document(struct writer *w, int64_t bytes)
{
    AUTO_OBJ struct obj root = obj_root(w->doc->q);
    AUTO_METADATA struct metadata metadata = { 0 };
    struct pdf_doc *doc = w->doc;

    if (metadata_read(&metadata, doc->q, w->err) < 0 ||
        set_member(w, "format", json_string("platen-info")) < 0 ||
        set_member(w, "file",
                   json_pack("{s:I, s:s, s:b, s:b, s:I}", "bytes", (json_int_t) bytes, "pdfVersion",
                             qpdf_get_pdf_version(doc->q), "linearized", qpdf_is_linearized(doc->q),
                             "repaired", doc->repaired || doc->lapse, "lostPages",
                             (json_int_t) doc->lost_pages)) < 0 ||
        set_member(w, "metadata", metadata_json_values(&metadata)) < 0 ||
        set_member(w, "conformance", metadata_json_claims(&metadata)) < 0 ||
        set_member(w, "outputIntents", intents_json(root)) < 0)
        return -1;
    json_values_set_text(w->out, "language", root, "/Lang");
    json_values_set_name(w->out, "pageMode", root, "/PageMode");
    json_values_set_name(w->out, "pageLayout", root, "/PageLayout");
    return set_member(w, "pageCount", json_integer((json_int_t) doc->n_pages));
}

static int write_all(struct writer *w, int64_t bytes, bool *cut)
{
    struct pdf_doc *doc = w->doc;
    struct err *err = w->err;

    if (write_document(w, bytes) < 0 ||
        set_member(w, "encryption", info_parts_encryption(doc)) < 0 ||
        set_member(w, "signatures", info_parts_signatures(doc, bytes, cut)) < 0 ||
        set_member(w, "form", info_parts_form(doc)) < 0 ||
        set_part(w, "outline", info_parts_outline(doc, err)) < 0 ||
        set_member(w, "layers", info_parts_layers(doc)) < 0 ||
        set_part(w, "tags", info_parts_tags(doc, err)) < 0 ||
        set_part(w, "attachments", attachments_json(doc, err)) < 0 ||
        set_part(w, "scripts", scripts_json(doc, err)) < 0 ||
        set_member(w, "fonts", info_fonts(doc, cut)) < 0 ||
        set_member(w, "images", info_images(doc, cut)) < 0)
        return -1;
    return write_pages(w);
}

int info_write(struct pdf_doc *doc, struct tool_run *run, int64_t bytes, struct buf *out,
               struct err *err)
{
    struct writer writer = { doc, json_object(), err };
    bool cut = false;

    if (write_all(&writer, bytes, &cut) < 0) {
        json_decref(writer.out);
        return -1;
    }
    if (cut)
        tool_warn(
            run, "info_cut",
            "not all fonts, images and fields were looked at: the document is damaged, or has "
            "too much content");
    return metadata_json_dump(writer.out, out, err);
}
