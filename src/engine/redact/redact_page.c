#include "engine/redact/redact_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "engine/redact/redact_content.h"
#include "pdf/object/page_view.h"

/* The transformation of an appearance stream's form space to the page (12.5.5, algorithm 8.1),
 * without the form's own matrix. */
static struct redact_matrix appearance_matrix(struct obj annotation, struct obj form)
{
    AUTO_OBJ struct obj dict = obj_dict(form);
    AUTO_OBJ struct obj rect = obj_key(annotation, "/Rect");
    AUTO_OBJ struct obj bbox = obj_key(dict, "/BBox");
    struct redact_matrix m = redact_frame_matrix(dict, "/Matrix"), fit = REDACT_IDENTITY;
    double r[4] = { 0 }, b[4] = { 0 }, box[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj one = obj_item(rect, i);
        AUTO_OBJ struct obj other = obj_item(bbox, i);

        obj_is_number(one, &r[i]);
        obj_is_number(other, &b[i]);
    }
    struct redact_quad quad = redact_shape_quad(m, b[0], b[1], b[2], b[3]);
    redact_shape_box(&quad, box);
    for (int i = 0; i < 2; i++) {
        double low = fmin(r[i], r[i + 2]), high = fmax(r[i], r[i + 2]);

        if (box[i + 2] > box[i])
            fit.at[3 * i] = (high - low) / (box[i + 2] - box[i]);
        fit.at[4 + i] = low - box[i] * fit.at[3 * i];
    }
    return fit;
}

static bool edit_appearance(struct redact_edit *edit, struct obj annotation, struct obj holder,
                            const char *key)
{
    AUTO_OBJ struct obj form = obj_key(holder, key);

    if (!obj_is_stream(form))
        return false;
    AUTO_OBJ struct obj edited =
        redact_content_form(edit, form, OBJ_NONE, appearance_matrix(annotation, form), NULL);
    if (!edited.q)
        return false;
    obj_set(holder, key, edited);
    edit->appearances++;
    return true;
}

/* All appearances count, also those that are not shown now (12.5.5). */
static bool edit_annotation(struct redact_edit *edit, struct obj annotation)
{
    AUTO_OBJ struct obj ap = obj_key(annotation, "/AP");
    AUTO_KEYS char **keys = obj_is_dict(ap) ? obj_keys(ap) : NULL;
    bool changed = false;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj states = obj_key(ap, keys[i]);
        AUTO_KEYS char **names =
            obj_is_dict(states) && !obj_is_stream(states) ? obj_keys(states) : NULL;
        changed |= edit_appearance(edit, annotation, ap, keys[i]);
        for (size_t k = 0; names && names[k]; k++)
            changed |= edit_appearance(edit, annotation, states, names[k]);
    }
    return changed;
}

static bool edit_annotations(struct redact_edit *edit, struct obj page)
{
    AUTO_OBJ struct obj list = obj_key(page, "/Annots");
    bool changed = false;

    for (int i = 0; i < obj_count(list); i++) {
        AUTO_OBJ struct obj annotation = obj_item(list, i);

        changed |= edit_annotation(edit, annotation);
    }
    return changed;
}

static bool edit_content(struct redact_edit *edit, struct obj page)
{
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    struct redact_frame f = { .resources = resources,
                              .now = { .ctm = REDACT_IDENTITY },
                              .parents = redact_content_parents(page) };
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;
    bool changed;

    if (obj_is_null(contents))
        return false;
    if (!obj_page_content(page, &data, &n)) {
        edit->unread = true;
        return false;
    }
    redact_content_run(edit, &f, data, n);
    changed = f.changed && !edit->no_memory;
    if (changed) {
        AUTO_OBJ struct obj stream =
            obj_new_stream(page.q, f.out.data ? f.out.data : "", f.out.len);

        obj_set(page, "/Contents", stream);
        if (f.own.q)
            obj_set(page, "/Resources", f.own);
    }
    redact_content_drop(&f);
    return changed;
}

static int run_streams(struct redact_edit *edit, struct obj page, bool *changed, struct err *err)
{
    edit->glyph = 0;
    edit->named = 0;
    *changed = edit_content(edit, page);
    *changed |= edit_annotations(edit, page);
    if (edit->no_memory)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the content of a page is larger than can be redacted");
    return 0;
}

int redact_page_read(struct redact_edit *edit, struct obj page, struct err *err)
{
    struct redact_area *areas = edit->areas;
    size_t n = edit->n_areas;
    bool changed;

    struct redact_line *line = edit->line;

    edit->line = NULL;
    edit->n_areas = 0;
    edit->n_gone = 0;
    edit->n_owners = 0;
    int done = run_streams(edit, page, &changed, err);
    edit->line = line;
    edit->areas = areas;
    edit->n_areas = n;
    return done == 0 && edit->read->failed ? pdf_doc_no_memory(err) : done;
}

static int read_stream_text(struct redact_edit *edit, struct obj form, struct obj resources,
                            struct err *err)
{
    edit->glyph = edit->n_owners = 0;
    edit->n_areas = edit->n_gone = 0;
    AUTO_OBJ struct obj none = redact_content_form(edit, form, resources, REDACT_IDENTITY, NULL);
    return edit->read->failed || edit->no_memory ? pdf_doc_no_memory(err) : 0;
}

int redact_page_read_form(struct redact_edit *edit, struct obj form, struct err *err)
{
    return read_stream_text(edit, form, OBJ_NONE, err);
}

/* Marks the glyphs of the bytes `begin` to `end` of the text that was read, also those that mean
 * more. */
static void mark_glyphs(struct redact_edit *edit, size_t begin, size_t end)
{
    size_t low = 0, high = edit->n_owners;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (edit->owners[middle].end <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < edit->n_owners && edit->owners[low].at < end; low++)
        bits_add(edit->gone, (size_t) edit->owners[low].glyph);
}

/* Finds the glyphs that show the texts, whether they are seen or not: of the page, or
 * of a form with resources. */
static int find_words(struct redact_edit *edit, struct obj holder, const struct obj *resources,
                      struct err *err)
{
    struct redact_folded folded = { .exact = edit->words->exact };
    struct buf text = BUF_EMPTY;
    size_t at = 0, n = 0;

    edit->read = &text;
    int done = resources ? read_stream_text(edit, holder, *resources, err)
                         : redact_page_read(edit, holder, err);
    edit->read = NULL;
    free(edit->gone);
    edit->gone = calloc(edit->glyph / 64 + 1, sizeof *edit->gone);
    edit->n_gone = edit->gone ? edit->glyph : 0;
    if (done == 0 && (!edit->gone || !redact_words_fold(&folded, buf_text(&text), text.len)))
        done = pdf_doc_no_memory(err);
    while (done == 0 && redact_words_find(edit->words, &folded, &at, &n) != SIZE_MAX) {
        mark_glyphs(edit, folded.from[at], folded.from[at + n - 1] + 1);
        edit->found++;
        at += n;
    }
    redact_words_unfold(&folded);
    buf_free(&text);
    return done;
}

/* Finds where the rest of each line is to be set. */
static int find_widths(struct redact_edit *edit, struct obj page, struct err *err)
{
    bool changed;

    edit->line->n = edit->line->n_edges = 0;
    edit->line->areas = edit->areas;
    edit->line->n_areas = edit->n_areas;
    edit->measuring = true;
    int done = run_streams(edit, page, &changed, err);
    edit->measuring = false;
    if (done == 0 && !redact_width_find(edit->line))
        done = pdf_doc_no_memory(err);
    return done;
}

int redact_page_edit(struct redact_edit *edit, struct obj page, bool *changed, struct err *err)
{
    uint64_t found = edit->found;

    edit->n_gone = 0;
    if (edit->words && edit->words->n && find_words(edit, page, NULL, err) < 0)
        return -1;
    if (edit->line && (edit->n_areas || edit->found > found) && find_widths(edit, page, err) < 0)
        return -1;
    return run_streams(edit, page, changed, err);
}

int redact_page_edit_form(struct redact_edit *edit, struct obj holder, const char *key,
                          struct obj resources, bool *changed, struct err *err)
{
    AUTO_OBJ struct obj form = obj_key(holder, key);
    struct redact_line *line = edit->line;

    edit->line = NULL;
    edit->n_areas = 0;
    *changed = false;
    int done = find_words(edit, form, &resources, err);
    if (done == 0) {
        edit->glyph = edit->named = 0;
        AUTO_OBJ struct obj edited =
            redact_content_form(edit, form, resources, REDACT_IDENTITY, NULL);
        *changed = edited.q != NULL;
        if (edited.q)
            obj_set(holder, key, edited);
    }
    edit->line = line;
    return done == 0 && edit->no_memory ? pdf_doc_no_memory(err) : done;
}

int redact_page_edit_apart(struct redact_edit *edit, struct obj form, struct err *err)
{
    AUTO_OBJ struct obj holder = obj_new_dict(form.q);
    AUTO_OBJ struct obj none = obj_parse(form.q, "null");
    AUTO_OBJ struct obj dict = obj_dict(form);
    AUTO_FREE unsigned char *data = NULL;
    bool changed;
    size_t n;

    obj_set(holder, "/Form", form);
    if (redact_page_edit_form(edit, holder, "/Form", none, &changed, err) < 0)
        return -1;
    AUTO_OBJ struct obj edited = obj_key(holder, "/Form");
    if (!changed || !obj_stream_data(edited, &data, &n))
        return 0;
    AUTO_OBJ struct obj resources = obj_key(edited, "/Resources");
    obj_remove(dict, "/Filter");
    obj_remove(dict, "/DecodeParms");
    obj_set(dict, "/Resources", resources);
    obj_set_stream(form, data, n);
    return 0;
}

void redact_page_end(struct redact_edit *edit)
{
    redact_font_free(&edit->fonts);
    free(edit->marked);
    free(edit->owners);
    free(edit->spots);
    free(edit->gone);
    edit->spots = NULL;
    edit->owners = NULL;
    edit->gone = NULL;
    edit->marked = NULL;
}
