/* undrawn: finds texts in content that no page shows: form XObjects and patterns that nothing
 * draws, appearances for buttons that are pressed or pointed at, and pages that are not in the page
 * tree. */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_search/search.h"
#include "pdf/document/doc.h"
#include "pdf/redact/redact_hits.h"

/* Appends a hit without areas for each. The document is open in both engines, with the same
 * objects. Errors as of search_open, walk_pages, redact_page_read and redact_hits_add. */
int undrawn_search(struct pdf_doc *doc, struct mupdf_document *shown,
                   const struct search_wish *wish, struct redact_hits *hits, struct err *err);
