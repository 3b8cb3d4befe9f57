/*
 * operator: GET /api/v1/operator/overview, /keys and /settings: what the operator's page shows. The
 * routes begin with guard_operator_begin (server/api_call/guard.h).
 */
#pragma once

#include "server/http/server.h"

enum http_next operator_overview(struct http_request *req, struct http_response *resp);
enum http_next operator_keys(struct http_request *req, struct http_response *resp);
enum http_next operator_settings(struct http_request *req, struct http_response *resp);
