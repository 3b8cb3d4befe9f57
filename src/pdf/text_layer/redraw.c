#include "pdf/text_layer/redraw.h"

#include <math.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

/* A coordinate of a page; it is 0 if it is not finite. */
static double sound(double value)
{
    return isfinite(value) ? fmax(fmin(value, 1e6), -1e6) : 0;
}

static void put_matrix(struct buf *out, const struct page_view *view)
{
    for (int i = 0; i < 6; i++)
        buf_printf(out, "%.6f ", sound(view->matrix[i]));
    buf_puts(out, "cm\n");
}

static void put_rectangle(struct buf *out, const struct redraw_box *box)
{
    buf_printf(out, "%.2f %.2f %.2f %.2f re ", sound(box->left), sound(box->bottom),
               sound((double) box->right - box->left), sound((double) box->top - box->bottom));
}

/* The box in the coordinates of the page's content. */
static struct redraw_box to_content(const struct page_view *view, const struct redraw_box *box)
{
    const double *m = view->matrix;
    double x0 = m[0] * box->left + m[2] * box->bottom + m[4];
    double y0 = m[1] * box->left + m[3] * box->bottom + m[5];
    double x1 = m[0] * box->right + m[2] * box->top + m[4];
    double y1 = m[1] * box->right + m[3] * box->top + m[5];

    return (struct redraw_box){ (float) fmin(x0, x1), (float) fmin(y0, y1), (float) fmax(x0, x1),
                                (float) fmax(y0, y1) };
}

static int append(struct obj contents, const struct buf *text, struct err *err)
{
    if (text->failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj stream = obj_new_stream(contents.q, buf_text(text), text->len);
    obj_append(contents, stream);
    return 0;
}

static void append_old(struct obj contents, struct obj old)
{
    int n = obj_count(old);

    if (obj_is_stream(old))
        obj_append(contents, old);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        if (obj_is_stream(item))
            obj_append(contents, item);
    }
}

/* The page's old content, as far as it is in the box. */
static int append_picture(struct obj contents, struct obj old, const struct page_view *view,
                          const struct redraw_box *box, struct err *err)
{
    struct redraw_box place = to_content(view, box);
    AUTO_BUF struct buf begin = BUF_EMPTY, end = BUF_EMPTY;

    buf_puts(&begin, "q ");
    put_rectangle(&begin, &place);
    buf_puts(&begin, "W n q\n");
    buf_puts(&end, "\nQ Q\n");
    if (append(contents, &begin, err) < 0)
        return -1;
    append_old(contents, old);
    return append(contents, &end, err);
}

int redraw_page(struct obj page, const struct redraw *what, struct err *err)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Contents");
    AUTO_OBJ struct obj contents = obj_new_array(page.q);
    AUTO_BUF struct buf rules = BUF_EMPTY;
    struct page_view view;

    if (what->turned)
        obj_set_int(page, "/Rotate", (page_view_rotation(page) + what->turned) % 360);
    page_view_read(page, &view);
    buf_puts(&rules, "q ");
    put_matrix(&rules, &view);
    for (size_t i = 0; i < what->n_rules; i++) {
        put_rectangle(&rules, &what->rules[i]);
        buf_puts(&rules, "f\n");
    }
    buf_puts(&rules, "Q\n");
    if (append(contents, &rules, err) < 0)
        return -1;
    for (size_t i = 0; i < what->n_pictures; i++)
        if (append_picture(contents, old, &view, &what->pictures[i], err) < 0)
            return -1;
    obj_set(page, "/Contents", contents);
    return 0;
}
