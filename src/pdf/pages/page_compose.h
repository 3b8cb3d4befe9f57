/* page_compose: draws pages of another document over or under those of a document, such as a
 * letterhead. */
#pragma once

#include "base/err.h"
#include "declare/value/page_operations.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"

/*
 * Does an operation of the kind PAGE_COMPOSE on the pages with a true in `wanted`: the first of
 * them gets the first page of the other document, and so on; those after its last page get the last
 * one. `other` must stay open until the document is written. Links to addresses are kept; *dropped
 * is set if there are other annotations.
 */
int page_compose_make(struct pdf_doc *doc, struct pdf_doc *other, struct overlay *overlay,
                      const struct page_operation *op, const bool *wanted, bool *dropped,
                      struct err *err);
