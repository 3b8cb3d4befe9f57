/* reader_pool: reads the contents of pages by a document_pool. */
#pragma once

#include <stdbool.h>

#include "engine/mupdf/document_pool.h"
#include "engine/page_text/page_reader.h"

/* Starts n threads. `reader`, which is open, outlives the pool. */
struct document_pool *reader_pool_start(const struct page_reader *reader,
                                        const struct document_pool_pages *pages, int n,
                                        struct err *err);
/* Waits for the next page, which the caller frees (page_content_free), also after -1. Errors are
 * those of page_reader_read_apart and document_pool_next. *repaired is set if that thread had to
 * repair the document. */
int reader_pool_next(struct document_pool *pool, struct page_content *content, bool *repaired,
                     struct err *err);
