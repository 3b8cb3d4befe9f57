/* files: GET /api/v1/files/{job}/{name}: downloads, by signed address. */
#pragma once

#include "server/http/server.h"

/* Starts a download; files_done must be called at its end. */
enum http_next files_get(struct http_request *req, struct http_response *resp);
void files_done(struct http_request *req);
