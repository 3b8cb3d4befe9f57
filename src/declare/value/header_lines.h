/* header_lines: the headers that a client wants to be sent to an address it named (fileHeaders,
 * outputHeaders, headers), as a JSON object of names and texts, and the cookies (cookies). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The headers as lines that each end with a line feed, which the caller overwrites and frees; NULL
 * on failure: `code` of the field, if it is not such an object, has more than 16 headers, or one
 * that belongs to the connection. */
char *header_lines_read(const char *field, enum err_code code, const char *value, struct err *err);

/* Whether a line "Name: value" is one that a page in a browser may set in its requests: a name that
 * does not belong to the connection, and a value without control characters. */
bool header_lines_is_free(const char *line, size_t n);

/* Checks a list of cookies as a Cookie header has it ("name=value; other=value"; RFC 6265, 4.2.1):
 * ERR_INVALID_PARAMETER with the field. */
int header_lines_check_cookies(const char *field, const char *value, struct err *err);
/* Finds the next cookie of such a list from *at on, and moves *at past it. False at the end of the
 * list. */
bool header_lines_next_cookie(const char **at, const char **cookie, size_t *n, size_t *n_name);
