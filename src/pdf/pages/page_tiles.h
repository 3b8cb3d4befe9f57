/* page_tiles: makes several pages of one: posters, and the two sides of a scanned book. */
#pragma once

#include "base/err.h"
#include "declare/value/page_operations.h"
#include "pdf/document/doc.h"

/* Does an operation of the kind PAGE_POSTER or PAGE_SPLIT on the pages with a true in `wanted`.
 * *cut is the number of pages that were cut. ERR_INVALID_PARAMETER if the overlap leaves no
 * room. */
int page_tiles_make(struct pdf_doc *doc, const struct page_operation *op, const bool *wanted,
                    size_t *cut, struct err *err);
