/* files: GET /api/v1/files/{job}/{name}: downloads, by signed address. */
#pragma once

#include "http/server.h"

/* files_done ends what it began. */
enum http_next files_get(struct http_request *req, struct http_response *resp);
void files_done(struct http_request *req);
