/*
 * numbering: the pages of the headings that a table of contents names. Chromium does not know them
 * before it has printed (CSS has target-counter for that, which it does not read), so that the page
 * is printed, the numbers are read from the PDF and written into the page, and it is printed again.
 */
#pragma once

#include <jansson.h>

#include "engine/browser/page.h"

/* Reads on which page, from 1, each named destination of a PDF is: an object, which the caller
 * releases. *n_pages: of the document. ERR_LIMIT_EXCEEDED, and errors of pdf_doc_open. */
json_t *numbering_read(const char *path, size_t *n_pages, struct err *err);
/* Writes the numbers into the empty elements of class `page` of the links in nav.contents; NULL:
 * empties them. */
int numbering_write(struct page *page, const json_t *pages, struct err *err);
