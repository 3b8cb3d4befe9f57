/* page_selection: the pages that a job needs, as a flat list, and the names of the result's
 * parts. */
#pragma once

#include "engine/mupdf/mupdf_document.h"

struct page_selection {
    size_t *pages; /* from 0, in the client's order, repetitions kept */
    size_t n;
    int digits; /* digits of a page's number in a name: 3, or more for longer documents */
};

/* Resolves the text of a page list. Warns if the list was clamped. ERR_PAGE_OUT_OF_RANGE, or
 * ERR_LIMIT_EXCEEDED for more pages than a result may have parts. */
int page_selection_open(struct page_selection *selection, const struct mupdf_document *doc,
                        const char *list, struct err *err);
void page_selection_free(struct page_selection *selection);
/* Writes the name of the part for the page with index `page`, such as "report_007.png" for page 6.
 */
void page_selection_name(const struct page_selection *selection, const char *stem, size_t page,
                         const char *extension, char *out, size_t cap);
