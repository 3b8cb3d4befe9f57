/* hidden: what a document hides, so that LibreOffice leaves it out of the PDF. */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/office/kit.h"
#include "pdf/object/obj.h"

/* Warns of sheets that are hidden, and of the hidden rows and columns of the others. `chosen`:
 * which of the n sheets with these names are shown, also if they are hidden; NULL: those that are
 * not. */
void hidden_warn_of_sheets(struct tool_run *run, struct kit_doc *doc, const char *const *names,
                           size_t n, const bool *chosen);
/* Warns of slides that are not among the n pages of the PDF `q`, with their numbers if the PDF has
 * an outline. */
void hidden_warn_of_slides(struct tool_run *run, struct kit_doc *doc, qpdf_data q, size_t n_pages);
