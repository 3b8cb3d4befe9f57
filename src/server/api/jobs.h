/* jobs: GET /api/v1/jobs, GET and DELETE /api/v1/jobs/{id}. */
#pragma once

#include "data/job/job.h"
#include "server/api_call/api.h"
#include "server/http/server.h"

/* Finds the caller's own job, named by the request's first argument, for a request whose state
 * begins with a struct call; the caller frees it. Another account's job is treated like one that
 * does not exist: ERR_JOB_NOT_FOUND; ERR_JOB_EXPIRED. */
int jobs_find(struct http_request *req, struct job *job, struct err *err);

/* The request that has this state (req->state), of a route that begins with jobs_begin. For work on
 * another thread, which gets only the state. */
struct http_request *jobs_request(void *state);

/* Deletes a job of an account with its files, wherever it runs. 1: done; 0: there is none. Blocks
 * on the disk. */
int jobs_erase(struct api *api, int64_t key_id, const char *id, struct err *err);

enum http_next jobs_begin(struct http_request *req, struct http_response *resp);
enum http_next jobs_show(struct http_request *req, struct http_response *resp);
enum http_next jobs_list(struct http_request *req, struct http_response *resp);
enum http_next jobs_delete(struct http_request *req, struct http_response *resp);
