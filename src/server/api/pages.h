/* pages: the web pages of the server: GET /, the start page; GET /docs, the API reference; GET
 * /pricing, the plans. */
#pragma once

#include "server/http/server.h"

enum http_next pages_start(struct http_request *req, struct http_response *resp);
enum http_next pages_docs(struct http_request *req, struct http_response *resp);
enum http_next pages_pricing(struct http_request *req, struct http_response *resp);
/* GET /assets/{version}/{name}: scripts and styles. */
enum http_next pages_asset(struct http_request *req, struct http_response *resp);
