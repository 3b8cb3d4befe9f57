/* status: GET /status: the state of the server, for people and `platen status`. */
#pragma once

#include <jansson.h>

#include "server/api_call/api.h"
#include "server/http/server.h"

enum http_next status_get(struct http_request *req, struct http_response *resp);
/* Makes the body of that response. The caller owns *status, which is NULL if memory ran out. */
int status_read(struct api *api, json_t **status, struct err *err);
