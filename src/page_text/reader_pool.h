/*
 * readers: threads that read pages as sheets, each with an engine and the document for itself, so
 * that none waits for another; sheets come out in order. Only some are read ahead.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "page_text/page_reader.h"

struct reader_pool;

struct reader_pool_job {
    const struct page_reader
        *sheets;                 /* open; it and its document outlive the readers, and only lend */
    const char *path, *password; /* of the document */
    const size_t *pages;         /* borrowed */
    size_t n_pages;
};

/* Starts n of them. */
struct reader_pool *reader_pool_start(const struct reader_pool_job *order, int n, struct err *err);
/* Waits for the next page, which is the caller's (sheet_free), also with -1: as
 * page_reader_read_apart has it, or the document could not be opened again. *repaired is set if
 * that page's reader had to repair the document. */
int reader_pool_next(struct reader_pool *readers, struct sheet *sheet, bool *repaired,
                     struct err *err);
/* Waits for the pages at work, and forgets what is left. */
void reader_pool_free(struct reader_pool *readers);
