/*
 * outline_json: the outline of a document (ISO 32000-2, 12.3.3) as JSON, and made of JSON: a list
 * of items with title, page, top (points from the top of the page as it is shown), uri, open, bold,
 * italic, color and children.
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/doc.h"

#define OUTLINE_JSON_ITEMS 20000  /* limit of the items of one outline */
#define OUTLINE_JSON_DEPTH 32     /* limit of their levels */
#define OUTLINE_JSON_CHARS 500000 /* limit of the text's length */

/* Appends the JSON text. */
int outline_json_write(struct pdf_doc *doc, struct buf *out, struct err *err);
/* Replaces the outline; an empty list removes it. *n: the number of items. ERR_INVALID_PARAMETER
 * with the field of the item, such as outline[2].children[0].page. */
int outline_json_set(struct pdf_doc *doc, const char *name, const char *text, size_t *n,
                     struct err *err);
/* Replaces the outline by one of the headings that extract found (its JSON with blocks). The
 * outline stays if there is none: *n is 0 then. */
int outline_json_headings(struct pdf_doc *doc, const char *extracted, size_t n_bytes, size_t *n,
                          struct err *err);
