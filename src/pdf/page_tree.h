/* page_tree: the tree of pages (ISO 32000-2, 7.7.3), made safe to walk. */
#pragma once

#include <stdbool.h>

#include "pdf/obj.h"

/* Makes objects of the catalog, nodes and pages that are none: poppler finds no pages then. Cuts
 * off, in memory, what leads back into the tree or too far down, and what is no page at all: qpdf
 * gives up on such trees. Rights the counts. *mended: something was wrong. False, early, if
 * there are more than `max` pages: qpdf would copy each that is named again. */
bool page_tree_mend(qpdf_data q, size_t max, bool *mended);
