/*
 * guard: who may read the server's figures (metrics_from, or whoever sends metrics_token), and what
 * concerns its operator alone (metrics_from, or whoever sends admin_key).
 */
#pragma once

#include "http/server.h"

/* Both are `begin` of a route. ERR_FORBIDDEN. */
enum http_next guard_begin(struct http_request *req, struct http_response *resp);
enum http_next guard_operator_begin(struct http_request *req, struct http_response *resp);
/* Whether guard_operator_begin lets it pass. */
bool guard_is_operator(const struct http_request *req);
