/* headers: the parts of headers and footers. */
#pragma once

#include "docx/section.h"
#include "opc/package.h"

/* Those that the sections refer to; what they are goes to `types` (parts_content_types). */
int headers_put(struct package *package, const struct sections *sections,
                const struct furniture *furniture, const struct sheet_font *fonts,
                struct buf *types, struct err *err);
