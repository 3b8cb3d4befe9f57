/*
 * drawing: one page, read once and then drawn as pixels in any number of threads, whole or in
 * bands of rows. Page boxes, rotation, UserUnit and layers are as readers show them on a screen.
 * Profiles are not looked at: RGB is sRGB, inks are as mupdf/color.h says, spot colours have their
 * equivalents. Overprint is not simulated: it would turn all of a page into inks and back.
 */
#pragma once

#include <stdint.h>

#include "image_encode/pixmap.h"
#include "mupdf/mupdf_document.h"

#define PAGE_DPI_MIN 18 /* what a resolution may be asked for */
#define PAGE_DPI_MAX 1200

struct page_drawing_options {
    double dpi;
    int width; /* pixels across, instead of dpi; fewer of a page of which so wide a picture would
                  be too high. 0: dpi counts */
    enum pixmap_kind kind;
    bool annotations; /* comments, stamps, form fields */
    int64_t max_pixels;
    int64_t max_side; /* pixels */
};

struct page_drawing {
    size_t page; /* from 0 */
    int width, height;
    enum pixmap_kind kind; /* gray where RGB was asked for and the page has no colour */
    bool damaged;          /* something of the page could not be read */

    /* For drawing.c. */
    fz_display_list *list;
    fz_matrix matrix;
    int x, y; /* of the top left pixel */
};

/*
 * Reads a page. ERR_LIMIT_EXCEEDED, before anything is drawn, for one with more pixels than the
 * options allow; it says what resolution fits, if one does. A page that is damaged is drawn as far
 * as it can be. For the thread that has the document.
 */
int page_drawing_open(struct page_drawing *drawing, struct mupdf_document *doc, size_t page,
                      const struct page_drawing_options *options, struct err *err);
bool page_drawing_has_alpha(const struct page_drawing *drawing);
/*
 * Draws rows y to y + rows - 1 on white (with alpha: on nothing, premultiplied) into pixels: rows
 * of width * kind bytes. For any thread, with a context of its own.
 */
int page_drawing_draw(const struct page_drawing *drawing, fz_context *ctx, int y, int rows,
                      uint8_t *pixels, struct err *err);
/* For the thread that has the document. */
void page_drawing_close(struct page_drawing *drawing, struct mupdf_document *doc);
