/*
 * page_workers: threads that convert whole pages to files, each with its own MuPDF context and
 * document, so that none waits for another; pages are returned in order. Used if there are at least
 * as many pages as cores; with fewer pages, tile_workers share one page.
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
    const struct mupdf_document *doc; /* open; outlives the workers, which use its file only */
    const char *path, *password;
    const struct page_drawing_options *drawing;
    const struct image_format *format;
    bool smooth;         /* antialias edges */
    size_t whole_pixels; /* larger pages are left to the caller */
    const size_t *pages; /* borrowed */
    size_t n_pages;
};

struct page_workers_page {
    struct buf file;
    bool damaged; /* some of the page could not be read */
    bool large;   /* too large: the caller must draw it, there is no file */
};

/* Starts n threads. */
struct page_workers *page_workers_start(const struct page_workers_job *job, int n, struct err *err);
/* Waits for the next page, which is borrowed until the next call. -1: an error of
 * page_drawing_open, or the document could not be opened again. */
int page_workers_next(struct page_workers *workers, struct page_workers_page **page,
                      struct err *err);
/* Waits for the pages in progress and drops those that were not fetched. */
void page_workers_free(struct page_workers *workers);
