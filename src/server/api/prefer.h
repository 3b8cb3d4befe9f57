/*
 * prefer: how long a response waits for the end of a job: ?wait=N, or the header Prefer (RFC 7240).
 * A malformed header is ignored.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "server/http/request.h"

#define PREFER_WAIT_MAX 60 /* seconds */

/* The seconds of `wait=N`, at most PREFER_WAIT_MAX; 0 if there is none. `text` may be NULL. */
int64_t prefer_wait(const char *text);
/* The seconds of the query parameter wait, 0 to PREFER_WAIT_MAX; *seconds is unchanged if the
 * request has none. ERR_INVALID_PARAMETER. */
int prefer_wait_query(const struct http_request *req, int64_t *seconds, struct err *err);
