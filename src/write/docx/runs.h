/* runs: writes the text of a paragraph with its styles, links, comments and marks of footnotes. */
#pragma once

#include "write/docx/body.h"

/* Writes the runs of a paragraph into the paragraph that is open. */
void runs_put(struct body *body, const struct paragraph *p);
/* Writes the mark of a footnote in the text; `counted`: Word numbers it. */
void runs_reference(struct body *body, const struct run *mark, unsigned id, bool counted);
