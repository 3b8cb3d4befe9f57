/* status: GET /status: how the server is doing, for people and `platen status`. */
#pragma once

#include "http/server.h"

enum http_next status_get(struct http_request *req, struct http_response *resp);
