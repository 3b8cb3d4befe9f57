/* usage: GET /api/v1/usage: what the account has used this month, and its limits. */
#pragma once

#include "server/http/server.h"

enum http_next usage_get(struct http_request *req, struct http_response *resp);
