/* usage: GET /api/v1/usage, and GET /pricing, the page a used-up quota points to. */
#pragma once

#include "http/server.h"

enum http_next usage_get(struct http_request *req, struct http_response *resp);
enum http_next usage_pricing(struct http_request *req, struct http_response *resp);
