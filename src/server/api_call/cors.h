/*
 * cors: allows web pages of the origins in the setting cors_origins to call the API from a browser
 * (the Fetch standard, section "HTTP extensions"). Only addresses that begin with /api/,
 * /openapi.json and /mcp are allowed.
 */
#pragma once

#include "server/http/request.h"
#include "server/http/response.h"

/* Answers a preflight request (OPTIONS with Access-Control-Request-Method) of an allowed page
 * with 204; otherwise does nothing and returns false. */
bool cors_answer_preflight(const struct http_request *req, struct http_response *resp);
/* Adds the headers that allow an allowed page to read the response. */
void cors_headers(const struct http_request *req, struct http_response *resp);
/* Whether the setting allows pages of this origin. */
bool cors_is_allowed(const struct http_request *req, const char *origin);
