/* header_lines: the headers that a client wants to be sent to an address it named (fileHeaders,
 * outputHeaders), as a JSON object of names and texts. */
#pragma once

#include "base/err.h"

/* The headers as lines that each end with a line feed, which the caller overwrites and frees; NULL
 * on failure: `code` of the field, if it is not such an object, has more than 16 headers, or one
 * that belongs to the connection. */
char *header_lines_read(const char *field, enum err_code code, const char *value, struct err *err);
