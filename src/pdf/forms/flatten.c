#include "pdf/forms/flatten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/balance.h"
#include "pdf/content/enclosure.h"
#include "pdf/forms/field_look.h"
#include "pdf/forms/flatten_tags.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

#define MAX_DEPTH 64 /* of the tree of fields */

struct page_drawing {
    struct obj page;
    /* The page's own, once something is drawn. */
    struct obj resources, forms, layers;
    struct obj before; /* the page's resources until then */
    struct buf content;
    size_t n;
    bool missing, kept, undrawn, commented;
};

/* What the document's form says to all its fields. */
struct form {
    const struct flatten_options *options;
    struct obj dict;
    bool asked;       /* NeedAppearances */
    struct obj roots; /* of the fields that stay, because they could not be drawn; or null */
    size_t n_kept;
    struct idmap known; /* ids of those roots */
};

static bool numbers(struct obj array, double *out, int n)
{
    if (obj_count(array) < n)
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);
        if (!qpdf_oh_is_number(item.q, item.oh))
            return false;
        out[i] = qpdf_oh_get_numeric_value(item.q, item.oh);
        if (!isfinite(out[i]) || fabs(out[i]) > 1e9)
            return false;
    }
    return true;
}

static void normalise(double *box)
{
    double x0 = fmin(box[0], box[2]), x1 = fmax(box[0], box[2]);
    double y0 = fmin(box[1], box[3]), y1 = fmax(box[1], box[3]);

    box[0] = x0, box[1] = y0, box[2] = x1, box[3] = y1;
}

/*
 * The matrix that puts an appearance's box, as its own matrix transforms it, into the annotation's
 * rectangle (ISO 32000-1, 12.5.5, algorithm 8.1). False if there is nothing to see.
 */
static bool placement(struct obj annot, struct obj form, double out[4])
{
    AUTO_OBJ struct obj place = obj_key(annot, "/Rect");
    AUTO_OBJ struct obj bbox = obj_key(form, "/BBox");
    AUTO_OBJ struct obj matrix = obj_key(form, "/Matrix");
    double rect[4], box[4], m[6] = { 1, 0, 0, 1, 0, 0 };
    double bounds[4] = { INFINITY, INFINITY, -INFINITY, -INFINITY };

    if (!numbers(place, rect, 4) || !numbers(bbox, box, 4))
        return false;
    if (!obj_is_null(matrix) && !numbers(matrix, m, 6))
        return false;
    normalise(rect);
    for (int i = 0; i < 4; i++) {
        double x = box[i & 1 ? 2 : 0], y = box[i & 2 ? 3 : 1];
        double u = m[0] * x + m[2] * y + m[4], v = m[1] * x + m[3] * y + m[5];
        bounds[0] = fmin(bounds[0], u), bounds[1] = fmin(bounds[1], v);
        bounds[2] = fmax(bounds[2], u), bounds[3] = fmax(bounds[3], v);
    }
    double width = bounds[2] - bounds[0], height = bounds[3] - bounds[1];
    if (width <= 0 || height <= 0)
        return false;
    out[0] = (rect[2] - rect[0]) / width;
    out[1] = (rect[3] - rect[1]) / height;
    out[2] = rect[0] - bounds[0] * out[0];
    out[3] = rect[1] - bounds[1] * out[1];
    return out[0] > 0 && out[1] > 0;
}

/* What shows of a widget now: its normal appearance, in the state it is in. */
static struct obj appearance_of(struct obj annot)
{
    AUTO_OBJ struct obj appearances = obj_key(annot, "/AP");
    AUTO_OBJ struct obj normal = obj_key(appearances, "/N");
    AUTO_OBJ struct obj state = obj_key(annot, "/AS");
    AUTO_BUF struct buf name = BUF_EMPTY;
    size_t n;

    if (obj_is_stream(normal) || !obj_is_dict(normal))
        return obj_same(normal);
    const char *bytes = obj_is_name(state) ? obj_bytes(state, &n) : "/Off";
    buf_puts(&name, bytes);
    return obj_key(normal, buf_text(&name));
}

/* The page's own dictionary of that kind of resources, which may be shared until now. */
static struct obj own_dict(struct obj holder, const char *key)
{
    AUTO_OBJ struct obj old = obj_key(holder, key);
    AUTO_OBJ struct obj new = obj_new_dict(holder.q);
    AUTO_KEYS char **keys = obj_keys(old);

    for (char **k = keys; k && *k; k++) {
        AUTO_OBJ struct obj value = obj_key(old, *k);
        obj_set(new, *k, value);
    }
    obj_set(holder, key, new);
    return obj_key(holder, key);
}

/* `dict`: where resources of that kind are, once there is one. */
static void add_resource(struct page_drawing *d, struct obj *dict, const char *kind,
                         const char *prefix, struct obj value, struct buf *name)
{
    if (obj_is_null(d->resources)) {
        d->before = obj_key(d->page, "/Resources");
        d->resources = own_dict(d->page, "/Resources");
    }
    if (obj_is_null(*dict))
        *dict = own_dict(d->resources, kind);
    do {
        name->len = 0;
        buf_printf(name, "/%s%zu", prefix, d->n++);
    } while (!name->failed && obj_has(*dict, buf_text(name)));
    obj_set(*dict, buf_text(name), value);
}

static void put_number(struct buf *out, double value)
{
    buf_printf(out, "%.5f ", value);
}

static void draw(struct page_drawing *d, struct obj annot)
{
    AUTO_OBJ struct obj form = appearance_of(annot);
    AUTO_OBJ struct obj layer = obj_key(annot, "/OC");
    AUTO_BUF struct buf name = BUF_EMPTY;
    AUTO_BUF struct buf group = BUF_EMPTY;
    double m[4];

    if (!obj_is_stream(form) || !placement(annot, form, m))
        return;
    obj_set_name(form, "/Type", "/XObject");
    obj_set_name(form, "/Subtype", "/Form");
    add_resource(d, &d->forms, "/XObject", "Field", form, &name);
    if (obj_is_dict(layer)) {
        add_resource(d, &d->layers, "/Properties", "FieldLayer", layer, &group);
        buf_printf(&d->content, "/OC %s BDC\n", buf_text(&group));
    }
    buf_puts(&d->content, "q ");
    put_number(&d->content, m[0]);
    buf_puts(&d->content, "0 0 ");
    put_number(&d->content, m[1]);
    put_number(&d->content, m[2]);
    put_number(&d->content, m[3]);
    buf_printf(&d->content, "cm %s Do Q\n", buf_text(&name));
    if (group.len > 0)
        buf_puts(&d->content, "EMC\n");
}

static struct obj new_content(qpdf_data q, const char *data, size_t n)
{
    struct obj stream = { q, qpdf_oh_new_stream(q) }, null = { q, qpdf_oh_new_null(q) };

    qpdf_oh_replace_stream_data(q, stream.oh, (const unsigned char *) data, n, null.oh, null.oh);
    return stream;
}

/* Puts content that ends inside a token into a form, which becomes the content. */
static int enclose(struct page_drawing *d, struct enclosures *enclosures, struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_BUF struct buf name = BUF_EMPTY;
    AUTO_OBJ struct obj form = OBJ_NONE;

    if (enclosure_make(enclosures, d->page, d->before, &form, err) < 0)
        return -1;
    add_resource(d, &d->forms, "/XObject", "PageContent", form, &name);
    buf_printf(&content, "%s Do\n", buf_text(&name));
    if (content.failed || name.failed)
        return pdf_doc_no_memory(err);
    obj_set(d->page, "/Contents", new_content(d->page.q, buf_text(&content), content.len));
    return 0;
}

/* Puts the old content between q and Q, so that its graphics state does not affect what follows. */
static int wrap(struct page_drawing *d, struct enclosures *enclosures, struct err *err)
{
    struct obj contents = obj_new_array(d->page.q), old;
    AUTO_BUF struct buf after = BUF_EMPTY;
    AUTO_BUF struct buf before = BUF_EMPTY;
    struct balance balance;

    if (balance_page(d->page, &balance, err) < 0)
        return -1;
    if (balance.open) {
        if (enclose(d, enclosures, err) < 0)
            return -1;
        balance = (struct balance){ 1, 1, false };
    }
    old = obj_key(d->page, "/Contents");
    for (size_t i = 0; i < balance.before; i++)
        buf_puts(&before, "q\n");
    buf_putc(&after, '\n');
    for (size_t i = 0; i < balance.after; i++)
        buf_puts(&after, "Q\n");
    buf_put(&after, buf_text(&d->content), d->content.len);
    if (before.failed || after.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the document needs more memory than a job may use");
    obj_append(contents, new_content(d->page.q, buf_text(&before), before.len));
    if (obj_is_stream(old))
        obj_append(contents, old);
    for (int i = 0; i < obj_count(old); i++)
        obj_append(contents, obj_item(old, i));
    obj_append(contents, new_content(d->page.q, buf_text(&after), after.len));
    obj_set(d->page, "/Contents", contents);
    return 0;
}

/* The field at the top of the widget's tree stays in the form. */
static void keep_field(struct form *form, struct obj annot)
{
    struct obj at = obj_same(annot);

    for (int depth = 0; depth < MAX_DEPTH; depth++) {
        struct obj above = obj_key(at, "/Parent");

        if (!obj_is_dict(above)) {
            obj_drop(&above);
            break;
        }
        obj_drop(&at);
        at = above;
    }
    if (obj_id(at) && idmap_find(&form->known, obj_id(at)) == IDMAP_NONE &&
        idmap_add(&form->known, obj_id(at), form->n_kept))
        obj_append(form->roots, at);
    form->n_kept++;
    obj_drop(&at);
}

/* A widget whose value the painter drew. */
struct painted {
    size_t page, picture;
    int annot; /* its place among the page's annotations */
};

/* How each visible widget is shown, in the order of pages and of their annotations. */
struct looks {
    struct field_painter *painter; /* may be NULL */
    struct buf each;               /* an enum field_look a byte */
    size_t *begins;                /* where those of each page begin */
    size_t next;                   /* of the page at hand: the first that was not drawn yet */
    struct painted *painted;
    size_t n_painted, cap;
};

static void looks_free(struct looks *looks)
{
    buf_free(&looks->each);
    free(looks->begins);
    free(looks->painted);
}
#define AUTO_LOOKS __attribute__((cleanup(looks_free)))

/* Whether an appearance is made for the annotation, if it has none. */
static bool is_shown_field(const struct form *form, struct obj annot)
{
    return flatten_is_widget(annot) && flatten_is_visible(annot) &&
           flatten_choose(form->options, annot) == FLATTEN_GOES;
}

static int make_looks_of_page(struct looks *looks, size_t page, struct obj annots,
                              const struct form *form, struct err *err)
{
    int n = obj_count(annots);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);
        struct painted painted = { .page = page, .annot = i };
        enum field_look look;

        if (!is_shown_field(form, annot))
            continue;
        look = field_look_make(annot, form->dict, form->asked, looks->painter, &painted.picture);
        buf_putc(&looks->each, (char) look);
        if (look != FIELD_LOOK_PAINTED)
            continue;
        if (!LIST_ROOM(looks->painted, looks->n_painted, looks->cap))
            return pdf_doc_no_memory(err);
        looks->painted[looks->n_painted++] = painted;
    }
    return looks->each.failed ? pdf_doc_no_memory(err) : 0;
}

/* Gives the widgets of all pages appearances, before the first is drawn into its page. */
static int make_looks(struct looks *looks, struct pdf_doc *doc, struct form *form, struct err *err)
{
    looks->begins = calloc(doc->n_pages + 1, sizeof *looks->begins);
    if (!looks->begins)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj root = obj_root(doc->q);
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        looks->begins[i] = looks->each.len;
        form->dict = obj_key(root, "/AcroForm");
        if (make_looks_of_page(looks, i, obj_key(page, "/Annots"), form, err) < 0)
            return -1;
        obj_forget_all(doc->q);
    }
    if (looks->n_painted == 0)
        return 0;
    if (looks->painter->import(looks->painter, doc->q, err) < 0)
        return -1;
    for (size_t i = 0; i < looks->n_painted; i++) {
        const struct painted *painted = &looks->painted[i];
        AUTO_OBJ struct obj page = obj_page(doc->q, painted->page);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
        AUTO_OBJ struct obj annot = obj_item(annots, painted->annot);
        AUTO_OBJ struct obj picture = looks->painter->picture(looks->painter, painted->picture);

        field_look_give(annot, picture);
    }
    return 0;
}

/* What becomes of one annotation. Returns whether it stays. */
static bool flatten_annot(struct page_drawing *d, struct form *form, struct obj annot,
                          struct looks *looks, struct flatten_tags *tags)
{
    enum flatten_choice choice = flatten_choose(form->options, annot);
    bool widget = flatten_is_widget(annot);

    d->undrawn |= choice == FLATTEN_UNDRAWN;
    if (choice == FLATTEN_STAYS || choice == FLATTEN_UNDRAWN) {
        if (widget)
            flatten_tags_keep(tags, annot);
        return true;
    }
    if (widget && flatten_is_visible(annot) &&
        buf_text(&looks->each)[looks->next++] == FIELD_LOOK_FAILED) {
        d->kept = true;
        keep_field(form, annot);
        flatten_tags_keep(tags, annot);
        return true;
    }
    if (choice == FLATTEN_GOES && flatten_is_visible(annot)) {
        AUTO_OBJ struct obj appearances = obj_key(annot, "/AP");

        d->missing |= !obj_has(appearances, "/N");
        draw(d, annot);
        if (form->options->counts && widget)
            form->options->counts->fields++;
        else if (form->options->counts)
            form->options->counts->annotations++;
    }
    if (!widget) {
        d->commented |= flatten_has_comment(annot);
        obj_remove(annot, "/Parent"); /* of a window: the comment that it belongs to */
    }
    flatten_tags_note(tags, annot);
    return false;
}

/* Draws the page's annotations, and keeps those that are not asked for. */
static int flatten_page(struct page_drawing *d, struct form *form, struct obj annots,
                        struct looks *looks, struct flatten_tags *tags,
                        struct enclosures *enclosures, struct err *err)
{
    struct obj rest = obj_new_array(d->page.q);
    int n = obj_count(annots);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);

        if (flatten_annot(d, form, annot, looks, tags))
            obj_append(rest, annot);
    }
    if (obj_count(rest) == n)
        return 0;
    if (obj_count(rest) > 0)
        obj_set(d->page, "/Annots", rest);
    else
        obj_remove(d->page, "/Annots");
    if (d->content.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the document needs more memory than a job may use");
    return d->content.len > 0 ? wrap(d, enclosures, err) : 0;
}

static void warn(const struct page_drawing *d, struct tool_run *run)
{
    if (d->undrawn && run)
        tool_warn(run, "annotation_kept",
                  "some annotations stay: they have no appearance of their own, and viewers draw "
                  "them differently");
    if (d->commented && run)
        tool_warn(run, "comments_removed",
                  "the texts of some comments are removed: the page shows only their marks");
    if (d->missing && run)
        tool_warn(run, "appearance_missing",
                  "some form fields have no appearance of their own and do not show in the result");
    if (d->kept && run)
        tool_warn(run, "field_kept",
                  "some form fields stay fields: they have no appearance of their own, and their "
                  "values cannot be drawn here");
}

static int flatten_pages(struct pdf_doc *doc, struct form *form, struct looks *looks,
                         struct tool_run *run, struct flatten_tags *tags,
                         struct enclosures *enclosures, struct err *err)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj root = obj_root(doc->q);
        struct page_drawing d = { .page = obj_page(doc->q, i) };

        looks->next = looks->begins[i];
        form->dict = obj_key(root, "/AcroForm");
        form->roots = obj_key(form->dict, "/PlatenKept");
        int done = flatten_page(&d, form, obj_key(d.page, "/Annots"), looks, tags, enclosures, err);
        buf_free(&d.content);
        if (done < 0)
            return -1;
        warn(&d, run);
        obj_forget_all(doc->q);
    }
    return 0;
}

/* The objects of a list of the form that stay. False if there is none. */
static bool keep_list(struct obj form, const char *key, const struct flatten_tags *tags)
{
    AUTO_OBJ struct obj list = obj_key(form, key);
    AUTO_OBJ struct obj rest = obj_new_array(form.q);

    for (int i = 0, n = obj_count(list); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);

        if (!flatten_tags_goes(tags, item))
            obj_append(rest, item);
    }
    if (obj_count(rest) > 0)
        obj_set(form, key, rest);
    else
        obj_remove(form, key);
    return obj_count(rest) > 0;
}

/* The form after its fields became content. */
static void end_form(struct pdf_doc *doc, const struct form *form, const struct flatten_tags *tags)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj dict = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj kept = obj_key(dict, "/PlatenKept");
    bool left = form->n_kept > 0;

    if (!form->options->fields)
        left = obj_has(dict, "/Fields");
    else if (form->options->only)
        left = keep_list(dict, "/Fields", tags);
    else
        obj_set(dict, "/Fields", kept);
    if (form->options->fields) {
        obj_remove(dict, "/XFA");
        keep_list(dict, "/CO", tags);
    }
    obj_remove(dict, "/PlatenKept");
    if (!left)
        obj_remove(root, "/AcroForm");
}

int flatten_document(struct pdf_doc *doc, const struct flatten_options *options,
                     struct field_painter *painter, struct tool_run *run, struct err *err)
{
    AUTO_LOOKS struct looks looks = { .painter = painter };
    AUTO_FLATTEN_TAGS struct flatten_tags tags = { 0 };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    struct form form = { .options = options, .dict = obj_key(root, "/AcroForm") };
    struct enclosures enclosures = { 0 };
    struct obj asked = obj_key(form.dict, "/NeedAppearances");
    int done;

    if (qpdf_push_inherited_attributes_to_page(doc->q) & (QPDF_ERRORS))
        return pdf_doc_check(doc, "pages", err);
    if (!obj_is_bool(asked, &form.asked))
        form.asked = false;
    if (!obj_is_dict(form.dict))
        obj_set(root, "/AcroForm", form.dict = obj_new_dict(doc->q));
    /* Handles are forgotten page by page: the list is where it will be found again. */
    obj_set(form.dict, "/PlatenKept", obj_new_array(doc->q));
    done = make_looks(&looks, doc, &form, err);
    if (done == 0)
        done = flatten_pages(doc, &form, &looks, run, &tags, &enclosures, err);
    enclosure_free(&enclosures);
    idmap_free(&form.known);
    if (done < 0)
        return -1;
    end_form(doc, &form, &tags);
    return flatten_tags_remove(&tags, doc, err);
}
