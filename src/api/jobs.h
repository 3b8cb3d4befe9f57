/* jobs: GET /api/v1/jobs, GET and DELETE /api/v1/jobs/{id}. */
#pragma once

#include "http/server.h"

enum http_next jobs_begin(struct http_request *req, struct http_response *resp);
enum http_next jobs_show(struct http_request *req, struct http_response *resp);
enum http_next jobs_list(struct http_request *req, struct http_response *resp);
enum http_next jobs_delete(struct http_request *req, struct http_response *resp);
