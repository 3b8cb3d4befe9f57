/*
 * guard: whether a request may read the server's metrics (an address of metrics_from, or the
 * metrics_token), or what is for the operator alone (an address of operator_from, or the
 * admin_key).
 */
#pragma once

#include "server/http/server.h"

/* The `begin` of routes with metrics: refuses other callers with ERR_FORBIDDEN. */
enum http_next guard_begin(struct http_request *req, struct http_response *resp);
/* The `begin` of routes that are for the operator alone. ERR_FORBIDDEN. */
enum http_next guard_operator_begin(struct http_request *req, struct http_response *resp);
/* Whether guard_operator_begin accepts the request. */
bool guard_is_operator(const struct http_request *req);
