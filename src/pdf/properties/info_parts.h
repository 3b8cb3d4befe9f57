/* info_parts: what a document has besides pages, fonts and images: encryption, signatures, form,
 * outline, layers, tags. Each makes a new JSON value. */
#pragma once

#include <jansson.h>

#include "pdf/document/doc.h"

json_t *info_parts_encryption(const struct pdf_doc *doc);
/* `bytes`: the size of the file. *cut: the form's fields cannot be read. */
json_t *info_parts_signatures(struct pdf_doc *doc, int64_t bytes, bool *cut);
json_t *info_parts_form(struct pdf_doc *doc);
json_t *info_parts_layers(struct pdf_doc *doc);
json_t *info_parts_outline(struct pdf_doc *doc, struct err *err);
json_t *info_parts_tags(struct pdf_doc *doc, struct err *err);
