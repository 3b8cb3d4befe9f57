/* info_fonts: the fonts that pages, and the forms that they show, name in their resources. */
#pragma once

#include <jansson.h>

#include "pdf/document/doc.h"

/* A new array. *cut: there were too many resources to look at all. NULL when out of memory. */
json_t *info_fonts(struct pdf_doc *doc, bool *cut);
/* Appends a page (from 1) to a list such as "1-3,7"; *first and *last are the last range of it,
 * 0 at the beginning. */
struct buf;
struct info_range {
    size_t first, last;
};
void info_range_add(struct info_range *range, size_t page, struct buf *list);
/* Appends the last range. */
void info_range_end(struct info_range *range, struct buf *list);
