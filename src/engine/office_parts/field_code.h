/* field_code: the instructions of fields (ECMA-376-1, 17.16.2), as far as LibreOffice 7.4 cannot
 * follow them. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "engine/office_parts/bookmarks.h"

/* Whether the stored result is to be shown in place of the field. `stored`: also of fields that
 * LibreOffice computes, but not as Word did when the document was saved. */
bool field_code_shows_stored(const struct buf *code, const struct bookmarks *bookmarks,
                             bool stored);
