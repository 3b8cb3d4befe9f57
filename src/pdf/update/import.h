/* import: copies a page of another document as a form XObject (ISO 32000-2, 8.10) into this one. */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/update/update.h"

/*
 * Adds page `index`, from 0, of `drawing`, a document that was made by this program and has one
 * content stream for each page, with all objects that it uses. `keys`: entries of the form's
 * dictionary besides /Resources, as text (/BBox, /Matrix). *number: the form's object number.
 */
int import_form(struct update *update, struct pdf_doc *drawing, size_t index, const char *keys,
                int *number, struct err *err);
