/* page_fields: the fields of a form that somebody fills in, as a sheet has them. */
#pragma once

#include "page_text/page_reader.h"

/* Adds the fields of a page that was loaded to the sheet. Check boxes and radio buttons are not
 * drawn any more, neither with the page nor with a part of it later. May throw. */
void page_fields_take(fz_context *ctx, struct sheet *sheet, fz_page *page);
/* To be called after the page was read: adds a character for each check box and radio button, and
 * blanks for fields that are not filled in. Removes what is drawn around the boxes. */
void page_fields_fill(struct sheet *sheet);
