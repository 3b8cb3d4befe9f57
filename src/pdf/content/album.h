/* album: makes a new PDF with one picture on every page. */
#pragma once

#include "pdf/content/picture.h"
#include "pdf/content/placement.h"

struct album {
    struct pdf_writer writer;
    struct picture_shared shared;
    unsigned root, pages; /* object numbers */
    unsigned *kids;       /* object numbers of the pages; owned */
    size_t n_pages, cap;
    struct buf content; /* content of the last page, as the next one often has the same */
    unsigned content_number;
};

/* Begins a document in the file at `path`. */
int album_open(struct album *album, const char *path, struct err *err);
/* Writes the picture; returns the number to place it by, or 0. */
unsigned album_picture(struct album *album, const struct image *image, struct err *err);
/* Adds a page with a picture. ERR_LIMIT_EXCEEDED beyond PDF_DOC_PAGES. */
int album_page(struct album *album, unsigned picture, const struct placement *placement,
               struct err *err);
/* Writes the end and reads the document again, as pdf_doc_save does. */
int album_finish(struct album *album, const char *path, struct err *err);
void album_close(struct album *album);
#define AUTO_ALBUM __attribute__((cleanup(album_close)))
