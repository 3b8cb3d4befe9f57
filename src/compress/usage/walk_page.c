#include "compress/usage/walk_page.h"

#include <math.h>
#include <stdlib.h>

#include "base/effort.h"
#include "base/scope.h"
#include "compress/usage/walk.h"
#include "pdf/object/page_view.h"

/* A page's own or inherited dictionary (7.7.3.4). */
static struct obj inherited_by(struct obj page, const char *key, int64_t *holder)
{
    AUTO_OBJ struct obj from = OBJ_NONE;
    struct obj value = page_view_inherited(page, key, &from);

    *holder = from.q ? obj_id(from) : 0;
    return value;
}

static struct obj inherited(struct obj page, const char *key)
{
    int64_t holder;

    return inherited_by(page, key, &holder);
}

static bool box_size(struct obj box, double *width, double *height)
{
    double v[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(box, i);

        if (!obj_is_number(item, &v[i]))
            return false;
    }
    *width = fabs(v[2] - v[0]);
    *height = fabs(v[3] - v[1]);
    return *width > 0 && *height > 0;
}

static bool read_box(struct obj holder, const char *key, double *width, double *height)
{
    AUTO_OBJ struct obj box = obj_key(holder, key);

    return box_size(box, width, height);
}

/* An appearance stream fills the annotation's rectangle (12.5.5, algorithm 8). */
static void run_appearance(struct frame *f, struct obj annot, struct obj form)
{
    struct matrix own = walk_matrix(form, "/Matrix", 1), scale = { 1, 0, 0, 1 }, ctm;
    double width, height, box_width, box_height;

    if (read_box(annot, "/Rect", &width, &height) &&
        read_box(form, "/BBox", &box_width, &box_height)) {
        double x = fabs(own.a) * box_width + fabs(own.c) * box_height;
        double y = fabs(own.b) * box_width + fabs(own.d) * box_height;

        scale = (struct matrix){ x > 0 ? width / x : 1, 0, 0, y > 0 ? height / y : 1 };
    }
    ctm = walk_multiply(&scale, &f->base);
    walk_form(f, form, &ctm);
}

static void run_annotations(struct frame *f, struct obj page)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    int n = obj_count(annots);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);
        AUTO_OBJ struct obj all = obj_key(annot, "/AP");

        for (size_t k = 0; k < COUNT(kinds); k++) {
            AUTO_OBJ struct obj appearance = obj_key(all, kinds[k]);
            AUTO_KEYS char **states = NULL;

            if (obj_is_stream(appearance)) {
                run_appearance(f, annot, appearance);
                continue;
            }
            states = obj_keys(appearance);
            for (size_t s = 0; states && states[s]; s++) {
                AUTO_OBJ struct obj state = obj_key(appearance, states[s]);

                if (obj_is_stream(state))
                    run_appearance(f, annot, state);
            }
        }
    }
}

/* If a page has several streams, the state at the beginning of each is not known. */
static void note_content(struct walk *w, struct obj page, double scale)
{
    AUTO_OBJ struct obj content = obj_key(page, "/Contents");
    AUTO_OBJ struct obj only = obj_is_array(content) ? obj_item(content, 0) : obj_same(content);

    if (obj_is_stream(only) && (!obj_is_array(content) || obj_count(content) == 1))
        w->no_memory |= !usage_note_scale(w->usage, obj_id(only), scale);
}

static void run_page(struct walk *w, struct obj page)
{
    int64_t holder;
    AUTO_OBJ struct obj resources = inherited_by(page, "/Resources", &holder);
    AUTO_OBJ struct obj unit = obj_key(page, "/UserUnit");
    AUTO_OBJ struct obj box = inherited(page, "/MediaBox");
    AUTO_FREE unsigned char *data = NULL;
    double scale = 1, width = 0, height = 0;
    size_t n;
    struct frame f = { .walk = w,
                       .resources = resources,
                       .now = { .font = IDMAP_NONE, .stretch = 1 } };

    effort_begin(1);
    w->no_memory |= !usage_note_holder(w->usage, holder);
    if (!obj_is_number(unit, &scale) || !(scale > 0))
        scale = 1;
    w->page_area = box_size(box, &width, &height) ? width * height * scale * scale : 0;
    f.base = f.now.ctm = (struct matrix){ scale, 0, 0, scale };
    note_content(w, page, scale);
    if (obj_page_content(page, &data, &n))
        walk_data(&f, resources, &f.base, data, n);
    else
        w->usage->partial = true;
    run_annotations(&f, page);
    usage_end_page(w->usage);
}

int walk_pages(struct usage *usage, struct pdf_doc *doc, walk_progress *progress, void *arg,
               struct err *err)
{
    struct walk w = { .usage = usage, .q = doc->q };

    *usage = (struct usage){ 0 };
    for (size_t i = 0; i < doc->n_pages && !w.no_memory; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        usage->page = i;
        run_page(&w, page);
        progress(arg, (double) i / (double) doc->n_pages);
    }
    free(w.ran);
    idmap_free(&w.run_index);
    return w.no_memory ? pdf_doc_no_memory(err) : 0;
}

int walk_page(struct usage *usage, struct pdf_doc *doc, size_t index, struct err *err)
{
    struct walk w = { .usage = usage, .q = doc->q };
    AUTO_OBJ struct obj page = obj_page(doc->q, index);

    *usage = (struct usage){ 0 };
    run_page(&w, page);
    free(w.ran);
    idmap_free(&w.run_index);
    return w.no_memory ? pdf_doc_no_memory(err) : 0;
}
