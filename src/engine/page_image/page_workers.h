/*
 * page_workers: converts whole pages to files by a document_pool. Used if there are at least as
 * many pages as cores; with fewer pages, tile_workers share one page.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "engine/mupdf/document_pool.h"
#include "engine/page_image/image_format.h"
#include "engine/page_image/page_drawing.h"

struct page_workers_job {
    const struct page_drawing_options *drawing;
    const struct image_format *format;
    bool smooth;         /* antialias edges */
    size_t whole_pixels; /* larger pages are left to the caller */
};

/* What document_pool_next returns. */
struct page_workers_page {
    struct buf file;
    struct damage damage;
    bool damaged; /* some of the page could not be read */
    bool large;   /* too large: the caller must draw it, there is no file */
};

/* Starts n threads. `job` outlives the pool. Errors of a page are those of page_drawing_open. */
struct document_pool *page_workers_start(const struct page_workers_job *job,
                                         const struct document_pool_pages *pages, int n,
                                         struct err *err);
