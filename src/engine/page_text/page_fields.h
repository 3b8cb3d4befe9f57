/* page_fields: the form fields of a page that can be filled in, as struct page_content lists them.
 */
#pragma once

#include "engine/page_text/page_reader.h"

/* Adds the wanted fields of a page that was loaded to the content, and hides its check boxes and
 * radio buttons: neither the page nor a part of it is drawn with them later. May throw. */
void page_fields_read(fz_context *ctx, struct page_content *content, fz_page *page,
                      enum page_fields wanted);
/* To be called after the page was read: adds a character for each check box and radio button, and
 * blanks for fields that are not filled in. Removes what is drawn around the boxes. */
void page_fields_fill(struct page_content *content);
