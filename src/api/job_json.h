/* job_json: the JSON representation of a job for its client. */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "base/err.h"
#include "http/request.h"
#include "job/job.h"

struct api; /* api_call/api.h */

/* The same with the base address of this request. */
json_t *job_json_for(const struct http_request *req, const struct job *job);

/* The same as text for a webhook, with `cls` the struct api: with the configured base address,
 * or that of the submission; without `outputs` if they would make it longer than 256 kB. */
int job_json_body(void *cls, const struct job *job, struct buf *out, struct err *err);
