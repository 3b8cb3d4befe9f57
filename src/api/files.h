/* files: GET /api/v1/files/{job}/{name}: downloads, by signed address. */
#pragma once

#include "http/server.h"

enum http_next files_get(struct http_request *req, struct http_response *resp);
