/* guard: who may read the server's figures: metrics_from, or whoever sends metrics_token. */
#pragma once

#include "http/server.h"

/* begin for the table. ERR_FORBIDDEN. */
enum http_next guard_begin(struct http_request *req, struct http_response *resp);
