/*
 * reader_pool: threads that read page contents, each with its own MuPDF context and document, so
 * that none waits for another; pages are returned in order. A limited number is read ahead.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "page_text/page_reader.h"

struct reader_pool;

struct reader_pool_job {
    const struct page_reader *reader; /* open; it and its document outlive the pool */
    const char *path, *password;      /* of the document */
    const size_t *pages;              /* borrowed */
    size_t n_pages;
};

/* Starts n threads. */
struct reader_pool *reader_pool_start(const struct reader_pool_job *order, int n, struct err *err);
/* Waits for the next page, which the caller frees (sheet_free), also after -1. Errors are those
 * of page_reader_read_apart, or that the document could not be opened again. *repaired is set if
 * that thread had to repair the document. */
int reader_pool_next(struct reader_pool *readers, struct sheet *sheet, bool *repaired,
                     struct err *err);
/* Waits for the pages in progress and drops those that were not fetched. */
void reader_pool_free(struct reader_pool *readers);
