/* embedded: the pictures drawn on a page, found by reading its content, and their bytes. For the
 * thread that has the document. */
#pragma once

#include "base/buf.h"
#include "image_encode/png_writer.h"
#include "mupdf/mupdf_document.h"

/* One picture: an XObject, or an inline picture (object 0). */
struct embedded_image {
    int object;      /* its number: the same picture wherever it is drawn */
    fz_image *image; /* borrowed from the list */
    bool shown;      /* its file is to look as the page does: with its mask, in gray or RGB */
};

struct embedded_image_list {
    struct embedded_image *items;
    size_t n, cap;
    bool damaged; /* not all of the page could be read */
};

/* Stencils and masks are no pictures and not listed. Each object is listed once. ERR_LIMIT_EXCEEDED
 * for memory. */
int embedded_image_find(struct embedded_image_list *list, struct mupdf_document *doc, size_t page,
                        struct err *err);
void embedded_image_free(struct embedded_image_list *list, struct mupdf_document *doc);

/* The file of a picture, appended to out; *extension is set to "jpg", "jp2", "j2k" or "png". */
int embedded_image_write(const struct embedded_image *picture, struct mupdf_document *doc,
                         struct png_writer *writer, struct buf *out, const char **extension,
                         struct err *err);
