/* selection: which pages of a document are wanted, as a flat list, and how their parts are named.
 */
#pragma once

#include "render/document.h"

struct selection {
    size_t *pages; /* from 0, in the client's order, repetitions kept */
    size_t n;
    int digits; /* of a page's number in a name: 3, more for longer documents */
};

/* Of a page list's text. Warns of a list that was clamped. ERR_PAGE_OUT_OF_RANGE,
 * ERR_LIMIT_EXCEEDED for more pages than a result may have parts. */
int selection_open(struct selection *selection, const struct document *doc, const char *list,
                   struct err *err);
void selection_free(struct selection *selection);
/* "report_007.png" */
void selection_name(const struct selection *selection, const char *stem, size_t page,
                    const char *extension, char *out, size_t cap);
