/* guard: who may read the server's figures: metrics_from, or whoever sends metrics_token. */
#pragma once

#include "http/server.h"

/* begin for the table. ERR_FORBIDDEN. */
/* Whether guard_begin lets it pass. */
bool guard_permits(const struct http_request *req);
enum http_next guard_begin(struct http_request *req, struct http_response *resp);
