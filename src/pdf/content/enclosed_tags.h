/*
 * enclosed_tags: the structure tree of a page whose content goes into a form XObject. Marked
 * content of a form is named by references with /Stm, and its parents are those of the form (ISO
 * 32000-1, 14.7.4.2 and 14.7.4.4); otherwise readers lose the page's tags and their replacement
 * text.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/obj.h"

/* Moves the tags of the page's content to the form. *budget: how many entries of the parent tree
 * may be read, for all pages of the document; pages beyond it keep theirs. */
int enclosed_tags_move(struct obj page, struct obj form, size_t *budget, struct err *err);
