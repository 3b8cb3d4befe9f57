/*
 * walk_page: reads the uses of images, fonts and resources by the pages of a document and their
 * annotations.
 */
#pragma once

#include "base/err.h"
#include "compress/usage/usage.h"
#include "pdf/document/doc.h"

/* Called with 0 to 1. */
typedef void walk_progress(void *arg, double fraction);

/* Reads all content of the document. ERR_LIMIT_EXCEEDED when out of memory. */
int walk_pages(struct usage *usage, struct pdf_doc *doc, walk_progress *progress, void *arg,
               struct err *err);
/* Reads only one page. */
int walk_page(struct usage *usage, struct pdf_doc *doc, size_t index, struct err *err);
