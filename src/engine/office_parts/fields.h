/*
 * fields: fields of Word documents (ECMA-376-1, 17.16) that LibreOffice would show otherwise than
 * Word does, which shows the result that the file stores.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/*
 * Writes the document at `from` to `to` with the stored results as plain text in place of fields:
 * always of those that LibreOffice cannot compute (references to bookmarks that are not there, IF
 * and others); with `stored` also of dates, numbers of captions and what the document says of
 * itself. Page numbers stay fields, and so does a field without a stored result. Returns 1; 0 if
 * there is no such field, and nothing is written; -1 with ERR_CORRUPT_FILE.
 */
int fields_keep_stored(const char *from, const char *to, bool stored, struct err *err);
