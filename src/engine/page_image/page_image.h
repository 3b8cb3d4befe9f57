/*
 * page_image: converts the pages of a document to pictures, one part of the result each. Pages are
 * read one after the other, and drawn and encoded on all cores that the job has; only a few are in
 * memory at a time, and large ones only in bands.
 */
#pragma once

#include <stdbool.h>

#include "declare/tool_run/run.h"
#include "engine/page_image/image_format.h"

#define PAGE_IMAGE_MAX_PIXELS 400000000 /* limit of one page */

struct page_image_options {
    const char *password; /* or NULL */
    const char *pages;    /* a page list */
    double dpi;
    int width; /* width of each picture in pixels, used instead of dpi; 0: dpi is used */
    enum pixmap_kind kind;
    bool smooth; /* antialias edges */
    bool annotations;
    /* Called with the file of each page, of `n_pages`, instead of making it a part of the result,
     * which the caller then makes and ends; NULL: each page is a part. */
    int (*collect)(void *hand, const char *path, size_t n_pages, struct err *err);
    void *hand;
};

/*
 * Does the whole job: opens the input and writes the parts in the order of the list, named
 * <stem>_001.png by the number of the page. Errors are those of mupdf_document_open and
 * page_list_resolve, and ERR_LIMIT_EXCEEDED for a page with too many pixels.
 */
int page_image_draw(struct tool_run *run, const struct page_image_options *options,
                    const struct image_format *format, struct err *err);
