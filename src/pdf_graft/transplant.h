/* transplant: replaces what pages show by the content of the same pages in another document, and
 * adds those that are missing, for two repairs of one document, each of which kept something that
 * the other lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/doc.h"

struct transplant {
    size_t from; /* a page of the other document, */
    size_t at;   /* and its place in this one after all transplants up to it; both from 0 */
    bool is_new; /* inserted there; false: it replaces what the page of that place shows */
};

/*
 * Gives n pages of `doc` the content, resources, boxes and rotation of pages in `from`, which must
 * stay open until `doc` is saved; both are changed in memory. References to the pages, and their
 * annotations, stay those of `doc`; a page that is new has none. ERR_LIMIT_EXCEEDED,
 * ERR_CORRUPT_FILE.
 */
int transplant_pages(struct pdf_doc *doc, struct pdf_doc *from, const struct transplant *pages,
                     size_t n, struct err *err);
