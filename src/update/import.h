/* import: a page of another document as a form XObject (ISO 32000-2, 8.10) of this one. */
#pragma once

#include "base/err.h"
#include "pdf/doc.h"
#include "update/update.h"

/*
 * Adds page `index` of `drawing`, a document of our own making with one content stream a page, with
 * all it uses. `keys`: what the form's dictionary holds besides its resources, as text (/BBox,
 * /Matrix). *number: the form's.
 */
int import_form(struct update *update, struct pdf_doc *drawing, size_t index, const char *keys,
                int *number, struct err *err);
