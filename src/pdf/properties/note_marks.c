#include "pdf/properties/note_marks.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/object/obj.h"
#include "pdf/object/page_view.h"

#define CARET_WIDTH 5.0 /* points */
#define FRAME_LINE  1.5 /* points */
#define PRINTED     4   /* the flag Print of /F */

/* A box in the coordinates of the page's content. */
struct user_box {
    double x0, y0, x1, y1;
};

struct drawn {
    struct page_view view;
    struct user_box all;
    struct buf quads, look;
};

static void to_user(const struct page_view *view, double x, double y, double *to)
{
    const double *m = view->matrix;

    y = view->height - y;
    to[0] = m[0] * x + m[2] * y + m[4];
    to[1] = m[1] * x + m[3] * y + m[5];
}

static void add_corner(struct drawn *d, const double *at)
{
    d->all.x0 = fmin(d->all.x0, at[0]);
    d->all.y0 = fmin(d->all.y0, at[1]);
    d->all.x1 = fmax(d->all.x1, at[0]);
    d->all.y1 = fmax(d->all.y1, at[1]);
}

/* The four corners in the order that readers want: the upper two, then the lower two. */
static void add_box_corners(struct drawn *d, const struct note_box *box, double corners[4][2])
{
    to_user(&d->view, box->x0, box->y0, corners[0]);
    to_user(&d->view, box->x1, box->y0, corners[1]);
    to_user(&d->view, box->x0, box->y1, corners[2]);
    to_user(&d->view, box->x1, box->y1, corners[3]);
    for (int i = 0; i < 4; i++) {
        add_corner(d, corners[i]);
        buf_printf(&d->quads, " %.2f %.2f", corners[i][0], corners[i][1]);
    }
}

static void draw_path(struct drawn *d, double corners[4][2], const int *order, int n)
{
    for (int i = 0; i < n; i++)
        buf_printf(&d->look, "%.2f %.2f %c ", corners[order[i]][0], corners[order[i]][1],
                   i ? 'l' : 'm');
}

/* A box without width becomes a caret: a triangle below the place. */
static struct note_box caret_box(const struct note_box *box)
{
    return (struct note_box){ box->x0 - CARET_WIDTH / 2, box->y0, box->x0 + CARET_WIDTH / 2,
                              box->y1 };
}

static void draw_mark(const struct note_mark *mark, struct drawn *d)
{
    static const int around[] = { 0, 1, 3, 2 };
    double corners[4][2];

    if (mark->kind == NOTE_HIGHLIGHT)
        buf_puts(&d->look, "/G gs ");
    buf_printf(&d->look, "%.2f %.2f %.2f rg %.2f %.2f %.2f RG %.2f w ", mark->color[0],
               mark->color[1], mark->color[2], mark->color[0], mark->color[1], mark->color[2],
               FRAME_LINE / d->view.unit);
    for (size_t i = 0; i < mark->n_boxes; i++) {
        struct note_box box = mark->boxes[i];

        if (mark->kind == NOTE_CARET)
            box = caret_box(&box);
        add_box_corners(d, &box, corners);
        if (mark->kind == NOTE_CARET) { /* its point is the middle of the upper edge */
            corners[0][0] = (corners[0][0] + corners[1][0]) / 2;
            corners[0][1] = (corners[0][1] + corners[1][1]) / 2;
            draw_path(d, corners, (const int[]){ 2, 0, 3 }, 3);
            buf_puts(&d->look, "S ");
            continue;
        }
        draw_path(d, corners, around, 4);
        buf_puts(&d->look, mark->kind == NOTE_FRAME ? "s " : "f ");
    }
}

static struct obj text_object(qpdf_data q, const char *text)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    size_t n = strlen(text);

    buf_put_be16(&bytes, 0xfeff);
    for (size_t at = 0; at < n;) {
        uint32_t c = utf8_next(text, n, &at);

        if (c >= 0x10000) {
            buf_put_be16(&bytes, 0xd800 + ((c - 0x10000) >> 10));
            c = 0xdc00 + ((c - 0x10000) & 0x3ff);
        }
        buf_put_be16(&bytes, c);
    }
    return obj_new_string(q, bytes.data ? bytes.data : "", bytes.len);
}

static struct obj look_stream(struct pdf_doc *doc, const struct note_mark *mark,
                              const struct drawn *d)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct obj stream = obj_new_stream(doc->q, buf_text(&d->look), d->look.len);
    AUTO_OBJ struct obj dict = obj_dict(stream);

    buf_printf(&text, "[%.2f %.2f %.2f %.2f]", d->all.x0, d->all.y0, d->all.x1, d->all.y1);
    {
        AUTO_OBJ struct obj box = obj_parse(doc->q, buf_text(&text));
        AUTO_OBJ struct obj resources =
            obj_parse(doc->q, mark->kind == NOTE_HIGHLIGHT
                                  ? "<</ExtGState<</G<</Type/ExtGState/BM/Multiply>>>>>>"
                                  : "<<>>");
        AUTO_OBJ struct obj group = obj_parse(doc->q, "<</S/Transparency>>");

        obj_set_name(dict, "/Type", "/XObject");
        obj_set_name(dict, "/Subtype", "/Form");
        obj_set(dict, "/BBox", box);
        obj_set(dict, "/Resources", resources);
        obj_set(dict, "/Group", group);
    }
    return stream;
}

static struct obj annotation(struct pdf_doc *doc, const struct note_mark *mark,
                             const struct drawn *d)
{
    static const char *const subtypes[] = { "/Highlight", "/Caret", "/Square" };
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_OBJ struct obj look = look_stream(doc, mark, d);
    AUTO_OBJ struct obj title = text_object(doc->q, mark->title);
    AUTO_OBJ struct obj contents = text_object(doc->q, mark->text);
    AUTO_OBJ struct obj looks = obj_new_dict(doc->q);
    AUTO_OBJ struct obj dict = OBJ_NONE;

    buf_printf(&text, "<</Type/Annot/Subtype%s/F %d/Rect[%.2f %.2f %.2f %.2f]/C[%.2f %.2f %.2f]",
               subtypes[mark->kind], PRINTED, d->all.x0, d->all.y0, d->all.x1, d->all.y1,
               mark->color[0], mark->color[1], mark->color[2]);
    if (mark->kind == NOTE_HIGHLIGHT)
        buf_printf(&text, "/QuadPoints[%s]", buf_text(&d->quads));
    if (mark->kind == NOTE_FRAME)
        buf_printf(&text, "/BS<</W %.2f>>", FRAME_LINE);
    buf_puts(&text, ">>");
    dict = obj_parse(doc->q, buf_text(&text));
    obj_set(looks, "/N", look);
    obj_set(dict, "/AP", looks);
    obj_set(dict, "/T", title);
    obj_set(dict, "/Contents", contents);
    return obj_indirect(dict);
}

/* Appends to the page's annotations. An array that is an object of its own may be that of other
 * pages, too: it is copied. */
static void append_note(struct obj page, struct obj note)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = OBJ_NONE;

    if (obj_is_array(old) && !obj_is_indirect(old)) {
        obj_append(old, note);
        return;
    }
    list = obj_new_array(page.q);
    for (int i = 0; i < obj_count(old); i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        obj_append(list, item);
    }
    obj_append(list, note);
    obj_set(page, "/Annots", list);
}

int note_marks_add(struct pdf_doc *doc, const struct note_mark *mark, struct err *err)
{
    struct drawn d = { .all = { INFINITY, INFINITY, -INFINITY, -INFINITY } };
    AUTO_OBJ struct obj page = obj_page(doc->q, mark->page);
    AUTO_OBJ struct obj note = OBJ_NONE;

    if (mark->n_boxes == 0)
        return 0;
    page_view_read(page, &d.view);
    draw_mark(mark, &d);
    if (!d.quads.failed && !d.look.failed) {
        note = annotation(doc, mark, &d);
        append_note(page, note);
    }
    buf_free(&d.quads);
    buf_free(&d.look);
    return obj_is_null(note) ? pdf_doc_no_memory(err) : pdf_doc_check(doc, "mark", err);
}
