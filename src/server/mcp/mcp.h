/*
 * mcp: POST /mcp, the Model Context Protocol over HTTP ("Streamable HTTP"): each request is
 * answered with one JSON object. There are no sessions and no streams: a client that asks for a
 * stream (GET) is answered 405, as the protocol has it. It takes the same keys as the API, in the
 * same headers, and each call of a tool is made as inner requests (server/http/inner.h) to the
 * API, so that scopes, quota, limits and logs are the API's.
 */
#pragma once

#include "server/http/server.h"

enum http_next mcp_begin(struct http_request *req, struct http_response *resp);
enum http_next mcp_body(struct http_request *req, const void *data, size_t n,
                        struct http_response *resp);
enum http_next mcp_end(struct http_request *req, struct http_response *resp);
void mcp_done(struct http_request *req);
