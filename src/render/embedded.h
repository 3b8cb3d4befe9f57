/* embedded: the pictures drawn on a page, found by reading its content, and their bytes. For the
 * thread that has the document. */
#pragma once

#include "base/buf.h"
#include "image/png_writer.h"
#include "render/document.h"

/* One picture: an XObject, or an inline picture (object 0). */
struct embedded {
    int object;      /* its number: the same picture wherever it is drawn */
    fz_image *image; /* borrowed from the list */
    bool shown;      /* its file is to look as the page does: with its mask, in gray or RGB */
};

struct embedded_list {
    struct embedded *items;
    size_t n, cap;
    bool damaged; /* not all of the page could be read */
};

/* Stencils and masks are no pictures and not listed. Each object is listed once. ERR_LIMIT_EXCEEDED
 * for memory. */
int embedded_find(struct embedded_list *list, struct document *doc, size_t page, struct err *err);
void embedded_free(struct embedded_list *list, struct document *doc);

/* The file of a picture, appended to out; *extension is set to "jpg", "jp2", "j2k" or "png". */
int embedded_write(const struct embedded *picture, struct document *doc, struct png_writer *writer,
                   struct buf *out, const char **extension, struct err *err);
