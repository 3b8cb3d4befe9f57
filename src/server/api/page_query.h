/* page_query: which part of a list a request asks for: the query parameters `limit` and `cursor`,
 * which all lists of the API share. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "server/http/request.h"

/* Sets `before` to the id of the last entry that the client has, borrowed from the request (NULL:
 * the list begins with the newest), and `limit` to the number of entries to return.
 * ERR_INVALID_PARAMETER with its field. */
int page_query_read(const struct http_request *req, const char **before, size_t *limit,
                    struct err *err);
