/* pages: the web pages of the server: start page, API reference, plans. */
#pragma once

#include "http/server.h"

enum http_next pages_start(struct http_request *req, struct http_response *resp);
enum http_next pages_docs(struct http_request *req, struct http_response *resp);
enum http_next pages_pricing(struct http_request *req, struct http_response *resp);
/* GET /assets/{name} */
enum http_next pages_asset(struct http_request *req, struct http_response *resp);
