/* page_order: which pages a document has, in which order. */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"

/* Makes `ids` the pages of the document, each of which is there once. `before[i]` is the index of
 * the page that gives page i its label. Call page_order_begin before pages are changed. */
int page_order_set(struct pdf_doc *doc, const int64_t *ids, const size_t *before, size_t n,
                   struct err *err);
/* Gives each page what it inherits from the page tree, so that it can be moved. */
void page_order_begin(struct pdf_doc *doc);
