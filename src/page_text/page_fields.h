/* page_fields: the fields of a form that somebody fills in, as a sheet has them. */
#pragma once

#include "page_text/page_reader.h"

/* The fields of a page that was loaded. Boxes that are ticked, or not, are not drawn any more,
 * neither with the page nor as a part of it later. May throw. */
void page_fields_take(fz_context *ctx, struct sheet *sheet, fz_page *page);
/* After the page was read: a character for each box, and blanks where nothing was filled in. Takes
 * away what is drawn around the boxes. */
void page_fields_fill(struct sheet *sheet);
