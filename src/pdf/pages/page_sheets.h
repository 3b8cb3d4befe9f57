/* page_sheets: puts several pages on each sheet: n-up and booklets. */
#pragma once

#include "base/err.h"
#include "declare/value/page_operations.h"
#include "pdf/document/doc.h"

/* Does an operation of the kind PAGE_NUP or PAGE_BOOKLET. ERR_INVALID_PARAMETER if margins and gaps
 * leave no room. */
int page_sheets_make(struct pdf_doc *doc, const struct page_operation *op, struct err *err);
