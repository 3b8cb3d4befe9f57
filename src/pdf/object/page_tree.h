/* page_tree: repairs the page tree (ISO 32000-2, 7.7.3), so that it is safe to walk. */
#pragma once

#include <stdbool.h>

#include "pdf/object/obj.h"

/* Makes the catalog, nodes and pages indirect objects, because poppler finds no pages otherwise.
 * Cuts, in memory, references back into the tree, nodes that are too deep, and kids that are not
 * pages, on which qpdf fails. Corrects the counts, and /Parent where it is not the node that lists
 * the kid. *mended: something was wrong. False, early, if there are more than `max` pages: qpdf
 * would copy each page that is referenced again. */
bool page_tree_mend(qpdf_data q, size_t max, bool *mended);
