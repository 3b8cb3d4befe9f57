/* embedded_image: finds the pictures that are drawn on a page by reading its content, and their
 * files. Must be used by the thread that owns the document. */
#pragma once

#include "base/buf.h"
#include "engine/mupdf/mupdf_document.h"
#include "image/encode/png_writer.h"

/* One picture: an image XObject, or an inline image (object 0). */
struct embedded_image {
    int object;      /* object number: equal for the same picture wherever it is drawn */
    fz_image *image; /* borrowed from the list */
    bool shown;      /* its file must look as on the page: with its mask, in gray or RGB */
};

struct embedded_image_list {
    struct embedded_image *items;
    size_t n, cap;
    bool damaged; /* some of the page could not be read */
};

/* Lists the pictures of a page, each object once, without image masks and soft masks.
 * ERR_LIMIT_EXCEEDED for memory. */
int embedded_image_find(struct embedded_image_list *list, struct mupdf_document *doc, size_t page,
                        struct err *err);
void embedded_image_free(struct embedded_image_list *list, struct mupdf_document *doc);

/* Appends the file of a picture to out; *extension is set to "jpg", "jp2", "j2k" or "png". */
int embedded_image_write(const struct embedded_image *picture, struct mupdf_document *doc,
                         struct png_writer *writer, struct buf *out, const char **extension,
                         struct err *err);
