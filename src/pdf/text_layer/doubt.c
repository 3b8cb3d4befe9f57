#include "pdf/text_layer/doubt.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

#define AUTHOR "OCR"
#define HIDDEN 2 /* ISO 32000-2, 12.5.3 */

static double sound(double value)
{
    return isfinite(value) ? fmax(fmin(value, 1e6), -1e6) : 0;
}

/* The box in the page's own coordinates, as a rectangle and as the four corners that a highlight
 * has. */
static void put_place(struct obj note, struct obj page, const struct redraw_box *box)
{
    AUTO_BUF struct buf rectangle = BUF_EMPTY, corners = BUF_EMPTY;
    struct page_view view;
    double x[2], y[2];

    page_view_read(page, &view);
    const double *m = view.matrix;

    for (int i = 0; i < 2; i++) {
        double px = (double) (i ? box->right : box->left);
        double py = (double) (i ? box->top : box->bottom);

        x[i] = sound(m[0] * px + m[2] * py + m[4]);
        y[i] = sound(m[1] * px + m[3] * py + m[5]);
    }
    const double x0 = fmin(x[0], x[1]), x1 = fmax(x[0], x[1]);
    const double y0 = fmin(y[0], y[1]), y1 = fmax(y[0], y[1]);

    buf_printf(&rectangle, "[%.2f %.2f %.2f %.2f]", x0, y0, x1, y1);
    buf_printf(&corners, "[%.2f %.2f %.2f %.2f %.2f %.2f %.2f %.2f]", x0, y1, x1, y1, x0, y0, x1,
               y0);
    AUTO_OBJ struct obj place = obj_parse(page.q, buf_text(&rectangle));
    AUTO_OBJ struct obj quad = obj_parse(page.q, buf_text(&corners));

    obj_set(note, "/Rect", place);
    obj_set(note, "/QuadPoints", quad);
}

/* A text string in UTF-8 (ISO 32000-2, 7.9.2.2.1). */
static struct obj said_of(qpdf_data q, const char *words)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_puts(&text, "\xef\xbb\xbf");
    buf_puts(&text, words);
    return obj_new_string(q, buf_text(&text), text.len);
}

static struct obj picture_of(qpdf_data q, const struct doubt *doubt)
{
    struct obj stream =
        obj_new_stream(q, doubt->pixels, (size_t) doubt->width * (size_t) doubt->height);
    AUTO_OBJ struct obj dict = obj_dict(stream);

    obj_set_name(dict, "/Type", "/XObject");
    obj_set_name(dict, "/Subtype", "/Image");
    obj_set_int(dict, "/Width", doubt->width);
    obj_set_int(dict, "/Height", doubt->height);
    obj_set_name(dict, "/ColorSpace", "/DeviceGray");
    obj_set_int(dict, "/BitsPerComponent", 8);
    return stream;
}

static void append(struct obj page, struct obj note)
{
    AUTO_OBJ struct obj own = obj_key(page, "/Annots");
    AUTO_OBJ struct obj indirect = obj_indirect(note);
    int n = obj_count(own);

    /* A list that pages may share is not changed, nor is what is not a list. */
    if (n == 0 || obj_is_indirect(own)) {
        AUTO_OBJ struct obj list = obj_new_array(page.q);

        for (int i = 0; i < n; i++) {
            AUTO_OBJ struct obj item = obj_item(own, i);

            obj_append(list, item);
        }
        obj_append(list, indirect);
        obj_set(page, "/Annots", list);
    } else {
        obj_append(own, indirect);
    }
}

void doubt_add(struct obj page, const struct doubt *doubt)
{
    AUTO_OBJ struct obj note = obj_new_dict(page.q);
    AUTO_OBJ struct obj text = said_of(page.q, doubt->text);
    AUTO_OBJ struct obj author = obj_new_string(page.q, AUTHOR, strlen(AUTHOR));

    obj_set_name(note, "/Type", "/Annot");
    obj_set_name(note, "/Subtype", "/Highlight");
    obj_set_int(note, "/F", HIDDEN);
    put_place(note, page, &doubt->box);
    obj_set(note, "/Contents", text);
    obj_set(note, "/T", author);
    if (doubt->pixels) {
        AUTO_OBJ struct obj picture = picture_of(page.q, doubt);

        obj_set(note, DOUBT_PICTURE, picture);
    }
    append(page, note);
}
