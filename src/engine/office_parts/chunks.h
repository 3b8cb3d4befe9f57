/* chunks: parts of a Word document in other formats (altChunk; ECMA-376-1, 17.17.2.1), of which
 * LibreOffice imports only those that are Word documents themselves. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* Appends to `names` the parts of the document at `path` that LibreOffice leaves out, separated by
 * commas. If LibreOffice leaves nothing out, `names` stays. ERR_CORRUPT_FILE. */
int chunks_left_out(const char *path, struct buf *names, struct err *err);
