/* transplant: pages that show what the pages of another document do, and stay the pages they are:
 * for two repairs of one document, each of which saved what the other lost. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/doc.h"

/*
 * Gives the n pages of `doc` (numbers from 0) the content, resources, boxes and rotation that the
 * pages of the same numbers have in `from`, which must stay open until `doc` is saved; both are
 * changed in memory. What leads to a page, and its annotations, stay those of `doc`.
 * ERR_LIMIT_EXCEEDED, ERR_CORRUPT_FILE.
 */
int transplant_pages(struct pdf_doc *doc, struct pdf_doc *from, const size_t *pages, size_t n,
                     struct err *err);
