/* page_report: reports how certain it is that each page of a repaired document is as it was. */
#pragma once

#include "engine/repair/candidates.h"

/* Adds figures, lists of pages and warnings to the run. The document has n_pages; `candidates` are
 * those from which it was chosen, without a result if it is what salvage made. */
void page_report(struct tool_run *run, size_t n_pages, const struct salvaged *salvaged,
                 const struct candidates *candidates);
