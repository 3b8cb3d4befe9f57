/*
 * page_drawing: one page, read once and then drawn as pixels by any number of threads, whole or in
 * bands of rows. Page boxes, rotation, UserUnit and layers are those that readers show on a screen.
 * ICC profiles are ignored: RGB is sRGB, CMYK is converted as engine/mupdf/color.h says, spot
 * colours use their alternates. Overprint is not simulated: it would convert the whole page to CMYK
 * and back.
 */
#pragma once

#include <stdint.h>

#include "engine/mupdf/damage.h"
#include "engine/mupdf/mupdf_document.h"
#include "image/encode/pixmap.h"

#define PAGE_DPI_MIN 18 /* limits of the resolution in pixels per inch */
#define PAGE_DPI_MAX 1200

struct page_drawing_options {
    double dpi;
    /* width in pixels, used instead of dpi; less for a page that would become too high. 0: dpi
     * is used */
    int width;
    enum pixmap_kind kind;
    bool annotations; /* draw comments, stamps and form fields */
    int64_t max_pixels;
    int64_t max_side; /* limit of width and height in pixels */
};

struct page_drawing {
    size_t page; /* index, from 0 */
    int width, height;
    enum pixmap_kind kind; /* gray where RGB was requested and the page has no colour */
    bool damaged;          /* some of the page could not be read */
    struct damage damage;  /* which objects of it */
    bool pictures_only;    /* to be set before drawing: all but pictures is left out */
    bool without_text;     /* to be set before drawing: texts that are known are left out */

    /* Private to page_drawing.c. */
    fz_display_list *list;
    fz_matrix matrix;
    int x, y; /* coordinates of the top left pixel */
};

/*
 * Reads a page. ERR_LIMIT_EXCEEDED, before anything is drawn, for a page with more pixels than the
 * options allow; the message says which resolution fits, if one does. A damaged page is drawn as
 * far as possible. Must be called by the thread that owns the document.
 */
int page_drawing_open(struct page_drawing *drawing, struct mupdf_document *doc, size_t page,
                      const struct page_drawing_options *options, struct err *err);
bool page_drawing_has_alpha(const struct page_drawing *drawing);
/*
 * Draws rows y to y + rows - 1 into pixels, in rows of width * kind bytes: on white, or with alpha
 * on transparent and premultiplied. May be called by any thread, with a context of its own. What
 * could not be decoded is added to `damage`, if it is not NULL.
 */
int page_drawing_draw(const struct page_drawing *drawing, fz_context *ctx, int y, int rows,
                      uint8_t *pixels, struct damage *damage, struct err *err);
/* Frees the drawing. Must be called by the thread that owns the document. */
void page_drawing_close(struct page_drawing *drawing, struct mupdf_document *doc);
