/* page_tree: the tree of pages (ISO 32000-2, 7.7.3), made safe to walk. */
#pragma once

#include <stdbool.h>

#include "pdf/obj.h"

/* Cuts off, in memory, what leads back into the tree or too far down, and what is no page at all:
 * qpdf gives up on such trees. Rights the counts. Whether anything was wrong. */
bool page_tree_mend(qpdf_data q);
