/* submit: POST /api/v1/tools/pdf/{tool}: an upload becomes a job. */
#pragma once

#include "server/api_call/api.h"
#include "server/http/server.h"

/* Finds a tool that clients may use, or NULL. *worker is the program that runs it; NULL for
 * `pipeline`, whose steps may run in several. */
const struct tool *submit_tool(const struct api *api, const char *name, struct worker **worker);

enum http_next submit_begin(struct http_request *req, struct http_response *resp);
/* The same for .../dry-run, where ?dryRun is ignored. */
enum http_next submit_begin_dry(struct http_request *req, struct http_response *resp);
enum http_next submit_body(struct http_request *req, const void *data, size_t n,
                           struct http_response *resp);
enum http_next submit_end(struct http_request *req, struct http_response *resp);
void submit_done(struct http_request *req);
