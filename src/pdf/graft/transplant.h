/* transplant: replaces what pages show by the content of the same pages in another document, and
 * adds those that are missing, for two repairs of one document, each of which kept something that
 * the other lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"

struct transplant {
    size_t from; /* index of a page of the other document, from 0 */
    /* index in this document, from 0, counted when this transplant and all before it are done */
    size_t at;
    bool is_new; /* the page is inserted at `at`; false: it replaces the content of that page */
};

/*
 * Gives n pages of `doc` the content, resources, boxes and rotation of pages in `from`, which must
 * stay open until `doc` is saved; both are changed in memory. References to the pages, and their
 * annotations, stay those of `doc`; a page that is new has none. ERR_LIMIT_EXCEEDED,
 * ERR_CORRUPT_FILE.
 */
int transplant_pages(struct pdf_doc *doc, struct pdf_doc *from, const struct transplant *pages,
                     size_t n, struct err *err);
