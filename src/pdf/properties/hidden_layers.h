/* hidden_layers: removes what belongs to layers that are not shown when a document is opened (ISO
 * 32000-2, 8.11): from the content of pages and forms, with its annotations. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"

/* *removed: the number of layers. */
int hidden_layers_remove(struct pdf_doc *doc, size_t *removed, struct err *err);
/* The same, after which the document has no layers: the content of the `kept` ones that are shown
 * belongs to none. */
int hidden_layers_flatten(struct pdf_doc *doc, size_t *removed, size_t *kept, struct err *err);
