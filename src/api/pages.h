/* pages: what the server shows to people: a start page, the reference, the plans. */
#pragma once

#include "http/server.h"

enum http_next pages_start(struct http_request *req, struct http_response *resp);
enum http_next pages_docs(struct http_request *req, struct http_response *resp);
enum http_next pages_pricing(struct http_request *req, struct http_response *resp);
/* GET /assets/{name} */
enum http_next pages_asset(struct http_request *req, struct http_response *resp);
