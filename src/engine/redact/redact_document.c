#include "engine/redact/redact_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/redact/redact_page.h"
#include "pdf/object/page_view.h"

struct document {
    struct tool_run *run;
    const struct redact_hits *hits;
    const struct redact_options *options;
    struct redact_result *result;
    struct redact_edit edit;
    struct redact_area *areas; /* of the page */
    size_t n, cap;
};

static bool is_region(const struct redact_hit *hit)
{
    return strcmp(hit->kind, "region") == 0;
}

static int check_hit(const struct redact_hit *hit, size_t index, struct pdf_doc *doc,
                     struct err *err)
{
    struct page_view view;

    if (hit->page > doc->n_pages)
        return err_field(err, ERR_INVALID_PARAMETER, "hits",
                         "hits[%zu] is on page %zu, and the document has %zu", index, hit->page,
                         doc->n_pages);
    if (!is_region(hit) || !hit->page)
        return 0;
    AUTO_OBJ struct obj page = obj_page(doc->q, hit->page - 1);
    page_view_read(page, &view);
    for (size_t i = 0; i < hit->n_quads; i++) {
        double box[4];

        redact_shape_box(&hit->quads[i], box);
        if (box[2] <= view.box[0] || box[0] >= view.box[2] || box[3] <= view.box[1] ||
            box[1] >= view.box[3])
            return err_field(err, ERR_INVALID_PARAMETER, "hits",
                             "hits[%zu] lies outside of page %zu, which reaches from %g %g to "
                             "%g %g",
                             index, hit->page, view.box[0], view.box[1], view.box[2], view.box[3]);
    }
    return 0;
}

static int check_hits(struct document *d, struct pdf_doc *doc, struct err *err)
{
    for (size_t i = 0; i < d->hits->n; i++)
        if (check_hit(&d->hits->items[i], i, doc, err) < 0)
            return -1;
    return 0;
}

static int find_areas(struct document *d, size_t page, struct err *err)
{
    d->n = 0;
    for (size_t i = 0; i < d->hits->n; i++) {
        const struct redact_hit *hit = &d->hits->items[i];

        for (size_t k = 0; k < hit->n_quads && hit->page == page + 1; k++) {
            if (!LIST_ROOM(d->areas, d->n, d->cap))
                return pdf_doc_no_memory(err);
            struct redact_area *area = &d->areas[d->n++];
            *area =
                (struct redact_area){ .quad = hit->quads[k], .region = is_region(hit), .hit = i };
            redact_shape_box(&area->quad, area->box);
        }
    }
    return 0;
}

static struct redact_quad annotation_quad(struct obj annotation)
{
    AUTO_OBJ struct obj rect = obj_key(annotation, "/Rect");
    double r[4] = { 0 };

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(rect, i);

        obj_is_number(item, &r[i]);
    }
    return redact_hits_box(r[0], r[1], r[2], r[3]);
}

/* Whether an annotation goes with what it is about: a link from a removed text, and whatever else
 * lies in a region. Of a field only the value goes. */
static bool goes_too(const struct document *d, struct obj annotation)
{
    struct redact_quad quad = annotation_quad(annotation);
    bool link = obj_key_is(annotation, "/Subtype", "/Link");

    if (obj_key_is(annotation, "/Subtype", "/Popup"))
        return false;
    for (size_t i = 0; i < d->n; i++)
        if ((link || d->areas[i].region) && redact_shape_meet(&d->areas[i], &quad))
            return true;
    return false;
}

static void empty_field(struct obj widget)
{
    static const char *const keys[] = { "/V", "/DV", "/RV", "/AP", "/MK", "/TU", "/AA", "/A" };
    struct obj field = obj_same(widget);

    for (int level = 0; level < 20 && obj_is_dict(field); level++) {
        struct obj above = obj_key(field, "/Parent");

        for (size_t i = 0; i < COUNT(keys); i++)
            obj_remove(field, keys[i]);
        obj_drop(&field);
        field = above;
    }
    obj_drop(&field);
}

static void drop_annotations(struct document *d, struct obj page)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = obj_new_array(page.q);
    int n = obj_count(old);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annotation = obj_item(old, i);
        bool goes = goes_too(d, annotation), widget = obj_key_is(annotation, "/Subtype", "/Widget");

        if (goes)
            d->result->annotations++;
        if (goes && widget)
            empty_field(annotation);
        if (!goes || widget) {
            obj_append(list, annotation);
        } else if (obj_is_indirect(annotation)) {
            AUTO_OBJ struct obj popup = obj_key(annotation, "/Popup");
            AUTO_OBJ struct obj null = obj_parse(page.q, "null");
            AUTO_OBJ struct obj other = obj_parse(page.q, "null");

            if (obj_is_indirect(popup))
                obj_replace(popup, other);
            obj_replace(annotation, null);
        }
    }
    if (obj_count(list) < n)
        obj_set(page, "/Annots", list);
}

static int redact_page(struct document *d, size_t index, struct err *err)
{
    AUTO_OBJ struct obj page = obj_page(d->edit.doc->q, index);
    bool changed;

    if (find_areas(d, index, err) < 0)
        return -1;
    d->edit.words = d->options->pages[index] ? d->options->texts : NULL;
    if (d->n == 0 && !d->edit.words)
        return 0;
    d->edit.areas = d->areas;
    d->edit.n_areas = d->n;
    drop_annotations(d, page);
    d->edit.unread = d->edit.damaged = false;
    if (redact_page_edit(&d->edit, page, &changed, err) < 0)
        return -1;
    if (d->edit.unread && !d->options->damaged_too)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "page %zu cannot be redacted: some of its content cannot be read",
                       index + 1);
    if (d->n == 0 && !changed)
        return 0;
    obj_remove(page, "/Thumb");
    obj_remove(page, "/PieceInfo");
    d->result->pages++;
    return d->n == 0 ? 0 : redact_fill_page(page, d->areas, d->n, &d->options->fill, err);
}

static int redact_pages(struct document *d, struct err *err)
{
    size_t n = d->edit.doc->n_pages;

    for (size_t i = 0; i < n; i++) {
        if (redact_page(d, i, err) < 0)
            return -1;
        tool_progress(d->run, 0.1 + 0.4 * (double) i / (double) n);
    }
    return 0;
}

static int list_fonts(const struct document *d, struct err *err)
{
    const struct redact_fonts *fonts = &d->edit.fonts;

    d->result->fonts = calloc(fonts->n + 1, sizeof *d->result->fonts);
    if (!d->result->fonts)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < fonts->n; i++)
        if (fonts->items[i].lost && fonts->items[i].id)
            d->result->fonts[d->result->n_fonts++] = fonts->items[i].id;
    return 0;
}

int redact_document(struct tool_run *run, struct pdf_doc *doc, struct mupdf_document *shown,
                    const struct redact_hits *hits, struct redact_words *words,
                    const struct redact_options *options, struct redact_result *result,
                    struct err *err)
{
    struct document d = { .run = run, .hits = hits, .options = options, .result = result };
    int done;

    d.edit.doc = doc;
    d.edit.fonts.ctx = shown->ctx;
    d.edit.fonts.pdf = shown->pdf;
    d.edit.pixel = options->fill.gray > 0.5 ? 255 : 0;
    d.edit.removed = calloc(hits->n + 1, sizeof *d.edit.removed);
    done = d.edit.removed ? check_hits(&d, doc, err) : pdf_doc_no_memory(err);
    if (done == 0)
        done = redact_pages(&d, err);
    if (done == 0)
        done = list_fonts(&d, err);
    result->found = d.edit.found;
    result->glyphs = d.edit.glyphs;
    result->images = d.edit.images;
    result->paths = d.edit.paths;
    result->appearances = d.edit.appearances;
    if (done == 0) {
        result->tags = redact_clean_tags(doc, d.edit.marked, d.edit.n_marked);
        done = redact_clean_document(doc, words, &options->clean, &result->cleaned, err);
    }
    for (size_t i = 0; i < hits->n && d.edit.removed; i++)
        buf_free(&d.edit.removed[i]);
    free(d.edit.removed);
    free(d.areas);
    redact_page_end(&d.edit);
    return done;
}
