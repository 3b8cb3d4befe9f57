/* transplant: replaces what pages show by the content of the same pages in another document, for
 * two repairs of one document, each of which kept something that the other lost. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/doc.h"

/*
 * Gives the n pages of `doc` (numbers from 0) the content, resources, boxes and rotation of the
 * pages with the same numbers in `from`, which must stay open until `doc` is saved; both are
 * changed in memory. References to the pages, and their annotations, stay those of `doc`.
 * ERR_LIMIT_EXCEEDED, ERR_CORRUPT_FILE.
 */
int transplant_pages(struct pdf_doc *doc, struct pdf_doc *from, const size_t *pages, size_t n,
                     struct err *err);
