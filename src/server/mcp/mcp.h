/*
 * mcp: POST /mcp, the Model Context Protocol over HTTP (mcp_turn.h). There are no sessions: a
 * client that asks for a stream without a request (GET) is answered 405, as the protocol has it. It
 * takes the same keys as the API, in the same headers, and each call of a tool and each read of a
 * resource is made as inner requests (server/http/inner.h) to the API, so that scopes, quota,
 * limits and logs are the API's.
 */
#pragma once

#include "server/http/server.h"

enum http_next mcp_begin(struct http_request *req, struct http_response *resp);
enum http_next mcp_body(struct http_request *req, const void *data, size_t n,
                        struct http_response *resp);
enum http_next mcp_end(struct http_request *req, struct http_response *resp);
void mcp_done(struct http_request *req);

/* What this server offers by the protocol. */
struct mcp_offer;
const struct mcp_offer *mcp_own_offer(void);
