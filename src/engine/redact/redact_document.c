#include "engine/redact/redact_document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/redact/redact_frame.h"
#include "engine/redact/redact_orphan.h"
#include "engine/redact/redact_page.h"
#include "engine/redact/redact_picture.h"
#include "pdf/object/page_view.h"

struct document {
    struct tool_run *run;
    const struct redact_hits *hits;
    const struct redact_options *options;
    struct redact_result *result;
    struct redact_edit edit;
    struct mupdf_document *shown;
    struct redact_area *areas; /* of the page */
    size_t n, cap;
    struct redact_overlap overlap;
    struct redact_line line;
    struct redact_quad *boxes; /* the boxes that are drawn over what was removed */
    size_t n_boxes, cap_boxes;
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

static void set_numbers(struct obj holder, const char *key, struct buf *numbers)
{
    buf_putc(numbers, ']');
    if (numbers->failed)
        return;
    AUTO_OBJ struct obj list = obj_parse(holder.q, buf_text(numbers));
    obj_set(holder, key, list);
}

/* Moves the corners that an array has, four by four. */
static void move_quads(const struct redact_line *line, struct obj holder, const char *key)
{
    AUTO_OBJ struct obj old = obj_key(holder, key);
    AUTO_BUF struct buf numbers = BUF_EMPTY;
    struct redact_matrix m;
    bool moved = false;

    buf_putc(&numbers, '[');
    for (int i = 0; i + 8 <= obj_count(old); i += 8) {
        struct redact_quad quad;
        bool follows;

        for (int k = 0; k < 8; k++) {
            AUTO_OBJ struct obj number = obj_item(old, i + k);

            quad.at[k] = 0;
            obj_is_number(number, &quad.at[k]);
        }
        follows = redact_width_follow(line, &quad, &m);
        for (int k = 0; k < 8; k++) {
            if (follows && k % 2 == 0)
                redact_shape_move(m, &quad.at[k], &quad.at[k + 1]);
            redact_frame_put(&numbers, quad.at[k]);
            buf_putc(&numbers, ' ');
        }
        moved |= follows;
    }
    if (moved)
        set_numbers(holder, key, &numbers);
}

/* Links and marks of text that moved go with it. */
static void move_annotations(struct document *d, struct obj page)
{
    static const char *const kinds[] = { "/Link", "/Highlight", "/Underline", "/StrikeOut",
                                         "/Squiggly" };
    AUTO_OBJ struct obj list = obj_key(page, "/Annots");

    for (int i = 0; i < obj_count(list) && d->line.n_moved; i++) {
        AUTO_OBJ struct obj annotation = obj_item(list, i);
        struct redact_quad quad = annotation_quad(annotation);
        struct redact_matrix m;
        double box[4];
        bool known = false;

        for (size_t k = 0; k < COUNT(kinds); k++)
            known |= obj_key_is(annotation, "/Subtype", kinds[k]);
        if (!known)
            continue;
        if (obj_has(annotation, "/QuadPoints"))
            move_quads(&d->line, annotation, "/QuadPoints");
        if (!redact_width_follow(&d->line, &quad, &m))
            continue;
        for (int k = 0; k < 4; k++)
            redact_shape_move(m, &quad.at[2 * k], &quad.at[2 * k + 1]);
        redact_shape_box(&quad, box);
        AUTO_BUF struct buf numbers = BUF_EMPTY;
        buf_putc(&numbers, '[');
        for (int k = 0; k < 4; k++) {
            redact_frame_put(&numbers, box[k]);
            buf_putc(&numbers, ' ');
        }
        set_numbers(annotation, "/Rect", &numbers);
    }
}

static bool add_box(struct document *d, const struct redact_quad *quad)
{
    if (!LIST_ROOM(d->boxes, d->n_boxes, d->cap_boxes))
        return false;
    d->boxes[d->n_boxes++] = *quad;
    return true;
}

/* An area is drawn as it is, or as the holes that are left of it. */
static int fill_page(struct document *d, struct obj page, struct err *err)
{
    bool ok = true;

    d->n_boxes = 0;
    for (size_t i = 0; i < d->n && ok; i++)
        if (!d->areas[i].moved)
            ok = add_box(d, &d->areas[i].quad);
    for (size_t i = 0; i < d->line.n_holes && ok; i++)
        ok = add_box(d, &d->line.holes[i].quad);
    if (!ok)
        return pdf_doc_no_memory(err);
    return redact_fill_page(page, d->boxes, d->n_boxes, &d->options->fill, err);
}

/* Makes the page a picture, as it was before anything was removed, but for the areas and texts. */
static int make_picture(struct document *d, size_t index, struct err *err)
{
    const struct redact_picture picture = { .doc = d->edit.doc,
                                            .shown = d->shown,
                                            .hits = d->hits,
                                            .words = d->options->texts,
                                            .spots = d->edit.spots,
                                            .n_spots = d->edit.n_spots,
                                            .pixel = d->edit.pixel };

    for (size_t i = 0; i < d->edit.fonts.n; i++)
        d->edit.fonts.items[i].lost = true;
    d->options->pictures[index] = true;
    d->result->pages++;
    return redact_picture_page(&picture, index, err);
}

static void note_widths(struct document *d, size_t index)
{
    struct redact_result *result = d->result;
    size_t n = strlen(result->measurable_pages);

    result->evened += d->line.n_holes;
    result->measurable += d->line.measurable;
    if (!d->line.measurable)
        return;
    if (n + 24 < sizeof result->measurable_pages)
        snprintf(result->measurable_pages + n, sizeof result->measurable_pages - n, "%s%zu",
                 n ? ", " : "", index + 1);
    else if (result->measurable_pages[n - 1] != '.')
        snprintf(result->measurable_pages + n, sizeof result->measurable_pages - n, ", ...");
}

/* Notes what other texts have lost on the page, and where. */
static int note_others(struct document *d, struct obj page, size_t index, struct err *err)
{
    struct redact_result *result = d->result;
    size_t hit = 0, n = redact_overlap_count(&d->overlap, &hit);
    struct page_view view;
    struct redact_matrix m, back;
    double box[4];

    if (d->overlap.failed)
        return pdf_doc_no_memory(err);
    if (n && !result->others && d->hits->items[hit].n_quads) {
        page_view_read(page, &view);
        memcpy(m.at, view.matrix, sizeof m.at);
        struct redact_quad quad = d->hits->items[hit].quads[0];
        for (int i = 0; i < 4 && redact_shape_invert(m, &back); i++)
            redact_shape_move(back, &quad.at[2 * i], &quad.at[2 * i + 1]);
        redact_shape_box(&quad, box);
        result->others_page = index + 1;
        result->others_at[0] = floor(box[0]);
        result->others_at[1] = floor(view.height - box[3]);
        result->others_at[2] = ceil(box[2] - box[0]);
        result->others_at[3] = ceil(box[3] - box[1]);
    }
    result->others += n;
    return 0;
}

static int redact_page(struct document *d, size_t index, struct err *err)
{
    AUTO_OBJ struct obj page = obj_page(d->edit.doc->q, index);
    struct page_view view;
    bool changed;

    if (find_areas(d, index, err) < 0)
        return -1;
    d->edit.words = d->options->pages[index] ? d->options->texts : NULL;
    if (d->n == 0 && !d->edit.words)
        return 0;
    d->edit.areas = d->areas;
    d->edit.n_areas = d->n;
    drop_annotations(d, page);
    page_view_read(page, &view);
    d->line.box = view.box;
    d->line.n_holes = d->line.measurable = d->line.n_moved = d->line.n = 0;
    d->edit.unread = d->edit.damaged = false;
    d->edit.n_spots = 0;
    d->overlap.n = 0;
    if (redact_page_edit(&d->edit, page, &changed, err) < 0)
        return -1;
    if (d->options->pictures && (d->edit.unread || d->options->pictures[index]))
        return make_picture(d, index, err);
    if (d->edit.unread)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "page %zu cannot be redacted: some of its content cannot be read",
                       index + 1);
    if (d->n == 0 && !changed)
        return 0;
    obj_remove(page, "/Thumb");
    obj_remove(page, "/PieceInfo");
    d->result->pages++;
    move_annotations(d, page);
    note_widths(d, index);
    if (note_others(d, page, index, err) < 0)
        return -1;
    return d->n == 0 ? 0 : fill_page(d, page, err);
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

/* The procedures of the glyphs of a Type 3 font may show text themselves. */
static int redact_glyphs(struct document *d, struct obj font, struct err *err)
{
    AUTO_OBJ struct obj procedures = obj_key(font, "/CharProcs");
    AUTO_OBJ struct obj resources = obj_key(font, "/Resources");
    AUTO_KEYS char **keys = obj_is_dict(procedures) ? obj_keys(procedures) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj procedure = obj_key(procedures, keys[i]);
        bool changed;

        if (obj_is_stream(procedure) &&
            redact_page_edit_form(&d->edit, procedures, keys[i], resources, &changed, err) < 0)
            return -1;
    }
    return 0;
}

static int redact_fonts(struct document *d, struct err *err)
{
    int next = pdf_doc_next_number(d->edit.doc);

    d->edit.words = d->options->texts;
    for (int i = 1; i < next && d->options->texts->n; i++) {
        AUTO_OBJ struct obj font = obj_by_number(d->edit.doc->q, i);

        if (obj_is_dict(font) && obj_key_is(font, "/Subtype", "/Type3") &&
            redact_glyphs(d, font, err) < 0)
            return -1;
    }
    return 0;
}

/* Forms and patterns that no page shows have the texts, too: appearances of fields that are on no
 * page, resources of the form, named appearances. Those of pages were replaced by copies. */
static int redact_forms(struct document *d, const struct idmap *contents, struct err *err)
{
    int next = pdf_doc_next_number(d->edit.doc);

    for (size_t i = 0; i < d->edit.doc->n_pages; i++)
        if (!d->options->pages[i])
            return 0;
    for (int i = 1; i < next && d->options->texts->n; i++) {
        AUTO_OBJ struct obj form = obj_by_number(d->edit.doc->q, i);

        if (obj_is_stream(form) && idmap_find(contents, obj_id(form)) != IDMAP_NONE &&
            redact_clean_is_form(form) && redact_page_edit_apart(&d->edit, form, err) < 0)
            return -1;
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
    AUTO_IDMAP struct idmap contents = { 0 };
    int done;

    d.edit.doc = doc;
    d.shown = shown;
    d.edit.spotting = options->pictures != NULL;
    d.edit.fonts.ctx = shown->ctx;
    d.edit.fonts.pdf = shown->pdf;
    d.edit.pixel = options->fill.gray > 0.5 ? 255 : 0;
    d.line.width = options->width;
    if (options->fill.label)
        d.line.least = redact_label_wanted(options->fill.label);
    d.edit.line = options->width == REDACT_WIDTH_EXACT ? NULL : &d.line;
    d.edit.elsewhere = words;
    d.overlap.hits = hits;
    d.edit.overlap = &d.overlap;
    done = check_hits(&d, doc, err);
    if (done == 0 && !redact_clean_contents(doc, &contents))
        done = pdf_doc_no_memory(err);
    if (done == 0)
        done = redact_orphan_remove(&d.edit, words, &result->orphans, err);
    if (done == 0)
        done = redact_pages(&d, err);
    if (done == 0)
        done = redact_fonts(&d, err);
    if (done == 0)
        done = redact_forms(&d, &contents, err);
    if (done == 0)
        done = list_fonts(&d, err);
    result->found = d.edit.found;
    result->glyphs = d.edit.glyphs;
    result->images = d.edit.images;
    result->paths = d.edit.paths;
    result->appearances = d.edit.appearances;
    if (done == 0) {
        result->tags = redact_clean_tags(doc, d.edit.marked, d.edit.n_marked);
        done = redact_clean_document(doc, words, &options->clean, &contents, &result->cleaned, err);
    }
    redact_width_free(&d.line);
    redact_overlap_free(&d.overlap);
    free(d.boxes);
    free(d.areas);
    redact_page_end(&d.edit);
    return done;
}
