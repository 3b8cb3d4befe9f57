/* redact_trees: puts the entries of name trees (ISO 32000-1, 7.9.6) in order again after keys were
 * renamed. Readers look for a key by halves, and would miss an entry that stands elsewhere. */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"

/* Rewrites each tree of the catalog's /Names and the one of structure elements if its keys are out
 * of order, or if nodes state limits, which may be those of old keys. -1: without memory, *err is
 * set. */
int redact_trees_sort(struct pdf_doc *doc, struct err *err);
