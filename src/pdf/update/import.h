/* import: brings objects into an update: a page of another document as a form XObject (ISO 32000-2,
 * 8.10), and objects that were changed or made in memory. */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/update/update.h"

#define IMPORT_KEYS 400 /* room for the entries of a form's dictionary, with a NUL */

/* Writes the entries of the dictionary of the form of page i besides /Resources, as text (/BBox,
 * /Matrix). */
typedef void import_keys(void *arg, size_t i, char keys[static IMPORT_KEYS]);

/*
 * Adds the first n pages of `drawing`, a document that was made by this program and has one content
 * stream for each page, with all objects that they use, those that several use once. numbers[i]:
 * the object number of the form of page i.
 */
int import_forms(struct update *update, struct pdf_doc *drawing, size_t n, import_keys *keys,
                 void *arg, int *numbers, struct err *err);
/*
 * Adds objects of the document that were changed in memory, as they are now, with the new objects
 * that they refer to: those with numbers from `first` on. To be used where it is simpler to change
 * objects than to say how they differ. ERR_UNSUPPORTED_CONTENT for streams.
 */
int import_changed(struct update *update, const struct obj *changed, size_t n, int first,
                   struct err *err);
/* Adds the first page alone. */
int import_form(struct update *update, struct pdf_doc *drawing, const char *keys, int *number,
                struct err *err);
