#include "pdf/content/overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/balance.h"
#include "pdf/content/enclosure.h"
#include "pdf/content/font_pack.h"
#include "pdf/content/page_resources.h"
#include "pdf/document/doc.h"
#include "pdf/document/layers.h"
#include "pdf/object/key_map.h"
#include "pdf/object/page_view.h"

#define MAX_NESTING 100000
#define OPEN        ((int64_t) 1 << 62) /* in `balances` */

struct form {
    int64_t id;
    bool group, in_layer; /* what its dictionary says already */
};

struct overlay {
    qpdf_data q;
    struct overlay_style style;
    qpdf_data drawing; /* while it is imported */
    char *memory;      /* where it lies: qpdf reads the data of its streams when it writes */
    int64_t layer;     /* 0: none */
    struct form *forms;
    size_t n_forms, cap;
    struct page_resources resources;
    struct enclosures enclosures;
    struct key_map streams;  /* pieces of content to streams that hold them */
    struct key_map balances; /* content streams to OPEN | q before them << 32 | Q after them */
};

static struct obj by_id(const struct overlay *o, int64_t id)
{
    return obj_by_id(o->q, OBJ_NUMBER(id), OBJ_GEN(id));
}

struct overlay *overlay_new(qpdf_data q, const struct overlay_style *style, struct err *err)
{
    struct overlay *o = calloc(1, sizeof *o);

    if (!o) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    o->q = q;
    o->style = *style;
    if (style->layer) {
        AUTO_OBJ struct obj layer = layers_add(q, style->layer, !style->under);
        o->layer = obj_id(layer);
    }
    return o;
}

static void close_drawing(struct overlay *o)
{
    if (!o->drawing)
        return;
    qpdf_get_error(o->drawing); /* qpdf would print an error that was not fetched */
    qpdf_cleanup(&o->drawing);
}

void overlay_free(struct overlay **overlay)
{
    struct overlay *o = *overlay;

    *overlay = NULL;
    if (!o)
        return;
    close_drawing(o);
    free(o->memory);
    free(o->forms);
    page_resources_free(&o->resources);
    enclosure_free(&o->enclosures);
    key_map_free(&o->streams);
    key_map_free(&o->balances);
    free(o);
}

/* Numbers in content streams know no exponents (ISO 32000-2, 7.3.3). */
static void put_decimal(struct buf *out, double value)
{
    char text[400];
    int n;

    value = isfinite(value) ? value : 0;
    n = snprintf(text, sizeof text, "%.*f", fabs(value) < 0.1 ? 9 : 5, value);

    while (text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    if (n == 2 && memcmp(text, "-0", 2) == 0)
        buf_putc(out, '0');
    else
        buf_put(out, text, (size_t) n);
    buf_putc(out, ' ');
}

static void put_stamp(struct buf *out, const double matrix[6], const char *name)
{
    buf_puts(out, "q ");
    for (int i = 0; i < 6; i++)
        put_decimal(out, matrix[i]);
    buf_printf(out, "cm %s Do Q\n", name);
}

static int add_form(struct overlay *o, struct obj form, struct err *err)
{
    if (!LIST_ROOM(o->forms, o->n_forms, o->cap))
        return pdf_doc_no_memory(err);
    o->forms[o->n_forms++] = (struct form){ .id = obj_id(form) };
    return 0;
}

/* The resources of the page, or those of a page before it that say the same. */
static struct obj first_like(struct obj page, struct key_map *known)
{
    struct obj resources = obj_key(page, "/Resources"), direct;
    const char *text = qpdf_oh_unparse_resolved(resources.q, resources.oh);
    int64_t id;

    if (key_map_find(known, text, strlen(text), &id)) {
        obj_drop(&resources);
        return obj_by_id(page.q, OBJ_NUMBER(id), OBJ_GEN(id));
    }
    if (!obj_is_indirect(resources)) {
        direct = resources;
        resources = obj_indirect(direct);
        obj_drop(&direct);
    }
    key_map_put(known, text, strlen(text), obj_id(resources));
    return resources;
}

/* The content stream of a page of the drawing, as it is, becomes a form. */
static int import_page(struct overlay *o, struct obj page, struct key_map *known, struct err *err)
{
    AUTO_OBJ struct obj content = obj_key(page, "/Contents");
    AUTO_OBJ struct obj box = obj_key(page, "/MediaBox");
    AUTO_OBJ struct obj resources = first_like(page, known);

    if (!obj_is_stream(content) || !obj_is_array(box))
        return err_set(err, ERR_INTERNAL, "the drawing's page is not as expected");
    obj_set_name(content, "/Type", "/XObject");
    obj_set_name(content, "/Subtype", "/Form");
    obj_set(content, "/BBox", box);
    obj_set(content, "/Resources", resources);
    AUTO_OBJ struct obj copy = obj_copy(o->q, content);
    return add_form(o, copy, err);
}

/* Gives the streams of the drawing bytes of their own: what qpdf reads from a file that was copied
 * twice it reads from the document between, which may be closed. */
static int hold_streams(struct overlay *o, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(o->drawing);
    long long size = 0;

    obj_key_int(trailer, "/Size", &size);
    for (int id = 1; id < size; id++) {
        AUTO_OBJ struct obj stream = obj_by_id(o->drawing, id, 0);
        AUTO_FREE unsigned char *data = NULL;
        size_t n;

        if (!obj_is_stream(stream))
            continue;
        if (!obj_stream_raw(stream, &data, &n))
            return err_set(err, ERR_INTERNAL, "the drawing cannot be read");
        obj_set_stream(stream, data, n);
    }
    return 0;
}

int overlay_import(struct overlay *o, struct buf *pdf, struct err *err)
{
    AUTO_KEY_MAP struct key_map resources = { 0 };
    size_t n = pdf->len;
    int n_pages;

    o->memory = buf_take(pdf);
    o->drawing = qpdf_init();
    if (!o->memory || !o->drawing)
        return pdf_doc_no_memory(err);
    qpdf_silence_errors(o->drawing);
    qpdf_set_suppress_warnings(o->drawing, QPDF_TRUE);
    if (qpdf_read_memory(o->drawing, "drawing", o->memory, n, NULL) & (QPDF_ERRORS))
        return err_set(err, ERR_INTERNAL, "the drawing cannot be read");
    if (font_pack_all(o->drawing, err) < 0 || (o->style.copied && hold_streams(o, err) < 0))
        return -1;
    n_pages = qpdf_get_num_pages(o->drawing);
    for (int i = 0; i < n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(o->drawing, (size_t) i);

        if (import_page(o, page, &resources, err) < 0)
            return -1;
    }
    /* Where the data of its streams lies is known now. */
    close_drawing(o);
    return resources.failed ? pdf_doc_no_memory(err) : 0;
}

struct obj overlay_form(const struct overlay *o, size_t form)
{
    return by_id(o, o->forms[form].id);
}

/* What overlaps within the form is one picture before it becomes transparent. */
static void make_group(struct form *form, struct obj stream)
{
    if (form->group)
        return;
    AUTO_OBJ struct obj group = obj_parse(stream.q, "<</S/Transparency/CS/DeviceRGB/I true>>");
    obj_set(stream, "/Group", group);
    form->group = true;
}

static int set_form(struct obj stream, double width, double height, double opacity,
                    struct obj resources, struct err *err)
{
    AUTO_BUF struct buf box = BUF_EMPTY;
    AUTO_BUF struct buf state = BUF_EMPTY;

    buf_puts(&box, "[0 0 ");
    put_decimal(&box, width);
    put_decimal(&box, height);
    buf_puts(&box, "]");
    buf_puts(&state, "<</G<</ca ");
    put_decimal(&state, opacity);
    buf_puts(&state, ">>>>");
    if (box.failed || state.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj edges = obj_parse(stream.q, buf_text(&box));
    AUTO_OBJ struct obj states = obj_parse(stream.q, buf_text(&state));
    if (opacity < 1)
        obj_set(resources, "/ExtGState", states);
    obj_set_name(stream, "/Type", "/XObject");
    obj_set_name(stream, "/Subtype", "/Form");
    obj_set(stream, "/BBox", edges);
    obj_set(stream, "/Resources", resources);
    return 0;
}

int overlay_compose(struct overlay *o, double width, double height, double opacity,
                    const struct overlay_mark *marks, size_t n, size_t *form, struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_OBJ struct obj names = obj_new_dict(o->q);
    char name[32];

    if (opacity < 1)
        buf_puts(&content, "/G gs\n");
    for (size_t i = 0; i < n; i++) {
        struct form *inner = &o->forms[marks[i].form];
        AUTO_OBJ struct obj shown = by_id(o, inner->id);

        if (opacity < 1)
            make_group(inner, shown);
        snprintf(name, sizeof name, "/F%zu", marks[i].form);
        obj_set(names, name, shown);
        put_stamp(&content, marks[i].matrix, name);
    }
    if (content.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj stream = obj_new_stream(o->q, buf_text(&content), content.len);
    AUTO_OBJ struct obj resources = obj_new_dict(o->q);
    obj_set(resources, "/XObject", names);
    if (set_form(stream, width, height, opacity, resources, err) < 0)
        return -1;
    *form = o->n_forms;
    return add_form(o, stream, err);
}

/* The stream that holds that piece of content: pages share it. */
static struct obj stream_of(struct overlay *o, const struct buf *content)
{
    int64_t id;

    if (key_map_find(&o->streams, buf_text(content), content->len, &id))
        return by_id(o, id);
    struct obj stream = obj_new_stream(o->q, buf_text(content), content->len);
    key_map_put(&o->streams, buf_text(content), content->len, obj_id(stream));
    return stream;
}

/* balance_page, once for content that several pages have. */
static int find_balance(struct overlay *o, struct obj page, struct obj contents,
                        struct balance *balance, struct err *err)
{
    int64_t id = obj_id(contents), known;

    if (id && key_map_find_id(&o->balances, id, &known)) {
        *balance = (struct balance){ .before = (size_t) ((known & ~OPEN) >> 32),
                                     .after = (size_t) (known & 0xffffffff),
                                     .open = known & OPEN };
        return 0;
    }
    if (balance_page(page, balance, err) < 0)
        return -1;
    if (!balance->open && (balance->before > MAX_NESTING || balance->after > MAX_NESTING))
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "a page's content saves or restores its graphics state too often");
    if (id)
        key_map_put_id(&o->balances, id,
                       balance->open ? OPEN : (int64_t) (balance->before << 32 | balance->after));
    return 0;
}

static void repeat(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_puts(out, text);
}

static void append_old(struct obj to, struct obj contents)
{
    int n = obj_count(contents);

    if (obj_is_stream(contents))
        obj_append(to, contents);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(contents, i);

        if (obj_is_stream(item))
            obj_append(to, item);
    }
}

/* Puts content that ends inside a token into a form, which becomes the content. */
static int enclose(struct overlay *o, struct obj page, struct err *err)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Contents");
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj form = OBJ_NONE;
    AUTO_BUF struct buf content = BUF_EMPTY;
    char name[PAGE_RESOURCES_NAME];
    struct balance balance;

    if (find_balance(o, page, old, &balance, err) < 0)
        return -1;
    if (!balance.open)
        return 0;
    if (enclosure_make(&o->enclosures, page, resources, &form, err) < 0 ||
        page_resources_add(&o->resources, page, "/XObject", "/PageContent", form, name, err) < 0)
        return -1;
    buf_printf(&content, "%s Do\n", name);
    if (content.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj shown = stream_of(o, &content);
    obj_set(page, "/Contents", shown);
    return 0;
}

static int set_contents(struct overlay *o, struct obj page, const struct buf *mark, struct err *err)
{
    AUTO_BUF struct buf before = BUF_EMPTY;
    AUTO_BUF struct buf after = BUF_EMPTY;
    AUTO_OBJ struct obj old = obj_key(page, "/Contents");
    AUTO_OBJ struct obj contents = obj_new_array(o->q);
    struct balance balance;

    if (o->style.under) {
        buf_put(&before, mark->data, mark->len);
    } else {
        if (find_balance(o, page, old, &balance, err) < 0)
            return -1;
        repeat(&before, "q\n", balance.before);
        buf_puts(&after, "\n");
        repeat(&after, "Q\n", balance.after);
        buf_put(&after, mark->data, mark->len);
    }
    if (before.failed || after.failed || o->streams.failed || o->balances.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj first = stream_of(o, &before);
    obj_append(contents, first);
    append_old(contents, old);
    if (after.len) {
        AUTO_OBJ struct obj last = stream_of(o, &after);
        obj_append(contents, last);
    }
    obj_set(page, "/Contents", contents);
    return 0;
}

int overlay_place(struct overlay *o, struct obj page, const struct overlay_mark *mark,
                  struct err *err)
{
    struct form *form = &o->forms[mark->form];
    AUTO_OBJ struct obj stream = by_id(o, form->id);
    AUTO_BUF struct buf content = BUF_EMPTY;
    char wish[PAGE_RESOURCES_NAME / 2 + 16], name[PAGE_RESOURCES_NAME];

    if (!o->style.under && enclose(o, page, err) < 0)
        return -1;
    if (o->layer && !form->in_layer) {
        AUTO_OBJ struct obj layer = by_id(o, o->layer);
        obj_set(stream, "/OC", layer);
        form->in_layer = true;
    }
    snprintf(wish, sizeof wish, "%s%zu", o->style.name, mark->form);
    if (page_resources_add(&o->resources, page, "/XObject", wish, stream, name, err) < 0)
        return -1;
    buf_printf(&content, "/Artifact<</Type/Pagination/Subtype%s>>BDC\n", o->style.artifact);
    put_stamp(&content, mark->matrix, name);
    buf_puts(&content, "EMC\n");
    return content.failed ? pdf_doc_no_memory(err) : set_contents(o, page, &content, err);
}

int overlay_add(struct overlay *o, struct obj form, size_t *number, struct err *err)
{
    *number = o->n_forms;
    return add_form(o, form, err);
}

int overlay_transform(struct overlay *o, struct obj page, const double matrix[static 6],
                      struct err *err)
{
    AUTO_BUF struct buf before = BUF_EMPTY;
    AUTO_BUF struct buf after = BUF_EMPTY;
    AUTO_OBJ struct obj contents = obj_new_array(o->q);
    struct balance balance;

    if (enclose(o, page, err) < 0)
        return -1;
    AUTO_OBJ struct obj old = obj_key(page, "/Contents");
    if (find_balance(o, page, old, &balance, err) < 0)
        return -1;
    buf_puts(&before, "q ");
    for (int i = 0; i < 6; i++)
        put_decimal(&before, matrix[i]);
    buf_puts(&before, "cm\n");
    repeat(&before, "q\n", balance.before);
    buf_puts(&after, "\nQ\n");
    repeat(&after, "Q\n", balance.after);
    if (before.failed || after.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj first = stream_of(o, &before);
    AUTO_OBJ struct obj last = stream_of(o, &after);
    obj_append(contents, first);
    append_old(contents, old);
    obj_append(contents, last);
    obj_set(page, "/Contents", contents);
    return o->streams.failed || o->balances.failed ? pdf_doc_no_memory(err) : 0;
}

void overlay_multiply(const double inner[static 6], const double outer[static 6],
                      double out[static 6])
{
    const double product[6] = {
        inner[0] * outer[0] + inner[1] * outer[2],
        inner[0] * outer[1] + inner[1] * outer[3],
        inner[2] * outer[0] + inner[3] * outer[2],
        inner[2] * outer[1] + inner[3] * outer[3],
        inner[4] * outer[0] + inner[5] * outer[2] + outer[4],
        inner[4] * outer[1] + inner[5] * outer[3] + outer[5],
    };

    memcpy(out, product, sizeof product);
}
