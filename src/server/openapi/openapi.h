/* openapi: GET /openapi.json: the whole API as OpenAPI 3.1 or 3.0, the tools from their
 * declarations. */
#pragma once

#include <jansson.h>

#include "sandbox/worker/catalog.h"
#include "server/http/server.h"

struct api;

/* Makes the document. Returns a new reference, NULL without memory. `base_url` may be NULL: the
 * document then has no "servers". */
json_t *openapi_document(const struct catalog *catalog, const char *base_url);
/* Writes the document to api->openapi and, for OpenAPI 3.0, to api->openapi_older, once, without
 * the parts that depend on the request. */
int openapi_prepare(struct api *api, struct err *err);

enum http_next openapi_get(struct http_request *req, struct http_response *resp);
