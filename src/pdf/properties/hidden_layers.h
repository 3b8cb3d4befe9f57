/* hidden_layers: removes what belongs to layers that are not shown when a document is opened (ISO
 * 32000-2, 8.11): from the content of pages and forms, with its annotations. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"

/* *removed: the number of layers. */
int hidden_layers_remove(struct pdf_doc *doc, size_t *removed, struct err *err);
