/* headers: writes the parts of headers and footers. */
#pragma once

#include "write/docx/section.h"
#include "write/opc/package.h"

/* Writes the headers and footers that the sections refer to; their content types are appended to
 * `types` (parts_content_types). */
int headers_put(struct package *package, const struct sections *sections,
                const struct header_sets *headers, const struct page_font *fonts, struct buf *types,
                struct err *err);
