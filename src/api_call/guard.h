/*
 * guard: whether a request may read the server's metrics (an address of metrics_from, or the
 * metrics_token), or what is for the operator alone (an address of metrics_from, or the admin_key).
 */
#pragma once

#include "http/server.h"

/* Both are `begin` of a route. ERR_FORBIDDEN. */
enum http_next guard_begin(struct http_request *req, struct http_response *resp);
enum http_next guard_operator_begin(struct http_request *req, struct http_response *resp);
/* Whether guard_operator_begin lets it pass. */
bool guard_is_operator(const struct http_request *req);
