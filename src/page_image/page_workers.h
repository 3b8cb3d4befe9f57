/*
 * presses: threads that make whole pages into files, each with an engine and the document for
 * itself, so that none waits for another; pages come out in order. For as many pages as there are
 * cores, or more: with fewer, painters share out one page.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "mupdf/mupdf_document.h"
#include "page_image/image_format.h"
#include "page_image/page_drawing.h"

struct page_workers;

struct page_workers_job {
    const struct mupdf_document
        *doc; /* open; outlives the presses, and only lends what it is read from */
    const char *path, *password;
    const struct page_drawing_options *drawing;
    const struct image_format *format;
    bool smooth;         /* edges are antialiased */
    size_t whole_pixels; /* a larger page is left to the caller */
    const size_t *pages; /* borrowed */
    size_t n_pages;
};

struct page_workers_page {
    struct buf file;
    bool damaged; /* something of it could not be read */
    bool large;   /* there is no file */
};

/* Starts n of them. */
struct page_workers *page_workers_start(const struct page_workers_job *order, int n,
                                        struct err *err);
/* Waits for the next page, which is borrowed until the next call. -1: as page_drawing_open has it,
 * or the document could not be opened again. */
int page_workers_next(struct page_workers *presses, struct page_workers_page **page,
                      struct err *err);
/* Waits for the pages at work, and forgets what is left. */
void page_workers_free(struct page_workers *presses);
