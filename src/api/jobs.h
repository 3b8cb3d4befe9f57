/* jobs: GET /api/v1/jobs, GET and DELETE /api/v1/jobs/{id}. */
#pragma once

#include "http/server.h"
#include "job/job.h"

/* The caller's own job, of the request's first argument, for a request whose state begins with a
 * struct call; the caller frees it. Another's is as unknown as one that never was:
 * ERR_JOB_NOT_FOUND; ERR_JOB_EXPIRED. */
int jobs_find(struct http_request *req, struct job *job, struct err *err);

/* The request whose state this is, of a route that begins with jobs_begin: for work on another
 * thread. */
struct http_request *jobs_request(void *state);

enum http_next jobs_begin(struct http_request *req, struct http_response *resp);
enum http_next jobs_show(struct http_request *req, struct http_response *resp);
enum http_next jobs_list(struct http_request *req, struct http_response *resp);
enum http_next jobs_delete(struct http_request *req, struct http_response *resp);
