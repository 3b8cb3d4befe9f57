/* runs: the text of a paragraph, with its looks, links, comments and marks of footnotes. */
#pragma once

#include "docx/body.h"

void runs_put(struct body *body, const struct paragraph *p);
/* The mark of a footnote, in the text; `counted`: Word counts it. */
void runs_reference(struct body *body, const struct run *mark, unsigned id, bool counted);
