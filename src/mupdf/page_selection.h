/* selection: which pages of a document are wanted, as a flat list, and how their parts are named.
 */
#pragma once

#include "mupdf/mupdf_document.h"

struct page_selection {
    size_t *pages; /* from 0, in the client's order, repetitions kept */
    size_t n;
    int digits; /* of a page's number in a name: 3, more for longer documents */
};

/* Of a page list's text. Warns of a list that was clamped. ERR_PAGE_OUT_OF_RANGE,
 * ERR_LIMIT_EXCEEDED for more pages than a result may have parts. */
int page_selection_open(struct page_selection *selection, const struct mupdf_document *doc,
                        const char *list, struct err *err);
void page_selection_free(struct page_selection *selection);
/* "report_007.png" */
void page_selection_name(const struct page_selection *selection, const char *stem, size_t page,
                         const char *extension, char *out, size_t cap);
