/* tools: POST /api/v1/tools/pdf/{tool}. */
#pragma once

#include "server/api_call/api.h"
#include "server/http/server.h"

/* Finds a tool that clients may use, or NULL. *worker is the program that runs it; NULL for
 * `pipeline`, whose steps may run in several. */
const struct tool *tools_find(const struct api *api, const char *name, struct worker **worker);

enum http_next tools_begin(struct http_request *req, struct http_response *resp);
/* The same for .../dry-run, where ?dryRun is ignored. */
enum http_next tools_begin_dry(struct http_request *req, struct http_response *resp);
enum http_next tools_body(struct http_request *req, const void *data, size_t n,
                          struct http_response *resp);
enum http_next tools_end(struct http_request *req, struct http_response *resp);
void tools_done(struct http_request *req);
