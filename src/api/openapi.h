/* openapi: GET /openapi.json: the whole API as OpenAPI 3.1, the tools from their declarations. */
#pragma once

#include <jansson.h>

#include "http/server.h"
#include "worker/catalog.h"

/* A new reference, NULL without memory. */
json_t *openapi_document(const struct catalog *catalog, const char *base_url);

enum http_next openapi_get(struct http_request *req, struct http_response *resp);
