#include "engine/redact/redact_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"
#include "engine/page_image/page_drawing.h"
#include "engine/redact/redact_frame.h"
#include "engine/redact/redact_image.h"
#include "engine/redact/redact_page_text.h"
#include "pdf/object/page_view.h"

#define DPI         200
#define MOST_PIXELS 60000000
#define MOST_SIDE   20000

/* The pixels of a page, and how they lie on it. */
struct canvas {
    unsigned char *samples;
    size_t width, height, n; /* n: samples of a pixel */
    struct page_view view;
    struct redact_matrix seen; /* from the page's coordinates to displayed ones */
    unsigned char pixel;
};

static void fill_quad(struct canvas *canvas, const struct redact_quad *quad)
{
    double corners[8];

    for (int i = 0; i < 4; i++) {
        double x = quad->at[2 * i], y = quad->at[2 * i + 1];

        redact_shape_move(canvas->seen, &x, &y);
        corners[2 * i] = x / canvas->view.width * (double) canvas->width;
        corners[2 * i + 1] = (1 - y / canvas->view.height) * (double) canvas->height;
    }
    redact_image_fill(canvas->samples, canvas->width, canvas->height, canvas->n, corners,
                      canvas->pixel);
}

/* Fills the places of the texts that the page shows, as MuPDF reads them. */
static int fill_words(const struct redact_picture *picture, struct canvas *canvas, size_t index,
                      struct err *err)
{
    struct redact_page_text text = { 0 };
    struct redact_folded folded = { .exact = picture->words->exact };
    size_t at = 0, n = 0;
    int done = redact_page_text_read(&text, picture->shown, index, false, err);

    if (done == 0 && !redact_words_fold(&folded, buf_text(&text.text), text.text.len))
        done = pdf_doc_no_memory(err);
    while (done == 0 && redact_words_find(picture->words, &folded, &at, &n) != SIZE_MAX) {
        for (size_t i = 0; i < text.n; i++)
            if (text.items[i].at >= folded.from[at] && text.items[i].at < folded.from[at + n])
                fill_quad(canvas, &text.items[i].quad);
        at += n;
    }
    redact_words_unfold(&folded);
    redact_page_text_free(&text);
    return done;
}

static int draw_page(const struct redact_picture *picture, size_t index, struct canvas *canvas,
                     struct err *err)
{
    const struct page_drawing_options options = { .dpi = DPI,
                                                  .kind = PIXMAP_RGB,
                                                  .annotations = true,
                                                  .max_pixels = MOST_PIXELS,
                                                  .max_side = MOST_SIDE };
    struct page_drawing drawing;
    int done;

    if (page_drawing_open(&drawing, picture->shown, index, &options, err) < 0)
        return -1;
    canvas->width = (size_t) drawing.width;
    canvas->height = (size_t) drawing.height;
    canvas->n = (size_t) drawing.kind;
    canvas->samples = malloc(canvas->width * canvas->height * canvas->n + 1);
    done = canvas->samples ? page_drawing_draw(&drawing, picture->shown->ctx, 0, drawing.height,
                                               canvas->samples, NULL, err)
                           : pdf_doc_no_memory(err);
    page_drawing_close(&drawing, picture->shown);
    return done;
}

static struct obj new_image(const struct canvas *canvas, qpdf_data q)
{
    struct obj image = obj_new_stream(q, (const char *) canvas->samples,
                                      canvas->width * canvas->height * canvas->n);
    AUTO_OBJ struct obj dict = obj_dict(image);

    obj_set_name(dict, "/Type", "/XObject");
    obj_set_name(dict, "/Subtype", "/Image");
    obj_set_int(dict, "/Width", (long long) canvas->width);
    obj_set_int(dict, "/Height", (long long) canvas->height);
    obj_set_int(dict, "/BitsPerComponent", 8);
    obj_set_name(dict, "/ColorSpace", canvas->n == 3 ? "/DeviceRGB" : "/DeviceGray");
    return image;
}

static int set_content(const struct canvas *canvas, struct obj page, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_OBJ struct obj image = new_image(canvas, page.q);
    AUTO_OBJ struct obj resources = obj_new_dict(page.q);
    AUTO_OBJ struct obj xobjects = obj_new_dict(page.q);

    buf_puts(&out, "q ");
    for (int i = 0; i < 6; i++) {
        redact_frame_put(&out, canvas->view.matrix[i]);
        buf_putc(&out, ' ');
    }
    buf_puts(&out, "cm ");
    redact_frame_put(&out, canvas->view.width);
    buf_puts(&out, " 0 0 ");
    redact_frame_put(&out, canvas->view.height);
    buf_puts(&out, " 0 0 cm /Im Do Q\n");
    if (out.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj stream = obj_new_stream(page.q, out.data, out.len);
    obj_set(xobjects, "/Im", image);
    obj_set(resources, "/XObject", xobjects);
    obj_set(page, "/Resources", resources);
    obj_set(page, "/Contents", stream);
    return 0;
}

/* Links stay; the other annotations are part of the picture. */
static void keep_links(struct obj page)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = obj_new_array(page.q);

    for (int i = 0; i < obj_count(old); i++) {
        AUTO_OBJ struct obj annotation = obj_item(old, i);

        if (!obj_key_is(annotation, "/Subtype", "/Link"))
            continue;
        obj_remove(annotation, "/AP");
        obj_remove(annotation, "/StructParent");
        obj_append(list, annotation);
    }
    if (obj_is_array(old))
        obj_set(page, "/Annots", list);
}

int redact_picture_page(const struct redact_picture *picture, size_t index, struct err *err)
{
    static const char *const gone[] = { "/StructParents", "/Thumb", "/PieceInfo", "/B",
                                        "/Metadata",      "/AA",    "/AF" };
    AUTO_OBJ struct obj page = obj_page(picture->doc->q, index);
    struct canvas canvas = { .pixel = picture->pixel };
    struct redact_matrix shown;
    int done;

    page_view_read(page, &canvas.view);
    for (int i = 0; i < 6; i++)
        shown.at[i] = canvas.view.matrix[i];
    redact_shape_invert(shown, &canvas.seen);
    done = draw_page(picture, index, &canvas, err);
    for (size_t i = 0; i < picture->hits->n && done == 0; i++)
        for (size_t k = 0; k < picture->hits->items[i].n_quads; k++)
            if (picture->hits->items[i].page == index + 1)
                fill_quad(&canvas, &picture->hits->items[i].quads[k]);
    for (size_t i = 0; i < picture->n_spots && done == 0; i++)
        fill_quad(&canvas, &picture->spots[i]);
    if (done == 0)
        done = fill_words(picture, &canvas, index, err);
    if (done == 0)
        done = set_content(&canvas, page, err);
    free(canvas.samples);
    if (done < 0)
        return -1;
    keep_links(page);
    for (size_t i = 0; i < COUNT(gone); i++)
        obj_remove(page, gone[i]);
    return 0;
}
