/* status: GET /status: the state of the server, for people and `platen status`. */
#pragma once

#include <jansson.h>

#include "api_call/api.h"
#include "http/server.h"

enum http_next status_get(struct http_request *req, struct http_response *resp);
/* What it answers: *status is the caller's, and NULL when memory ran out. */
int status_read(struct api *api, json_t **status, struct err *err);
