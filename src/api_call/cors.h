/*
 * cors: which web pages may call the API from a browser (the Fetch standard, section "HTTP
 * extensions"): those whose origin the setting cors_origins names. Only what begins with /api/ and
 * /openapi.json is open to them.
 */
#pragma once

#include "http/request.h"
#include "http/response.h"

/* Answers 204 if the request is a browser's question whether it may make another one (OPTIONS with
 * Access-Control-Request-Method) for an allowed page; else does nothing and returns false. */
bool cors_answer_preflight(const struct http_request *req, struct http_response *resp);
/* Adds the headers that let an allowed page read the answer. */
void cors_headers(const struct http_request *req, struct http_response *resp);
