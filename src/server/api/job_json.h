/* job_json: the JSON representation of a job for its client. */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/job/job.h"
#include "server/http/request.h"

struct api; /* server/api_call/api.h */

/* Makes the body of a response about the job, with addresses that begin with the base address of
 * this request (answer_base_url). Returns a new reference, NULL without memory. */
json_t *job_json_for(const struct http_request *req, const struct job *job);

/* Appends the same JSON as text for a webhook, with the configured base address, or that of the
 * submission. `arg` is the struct api. The text lacks `outputs` if they would make it longer than
 * 256 kB. */
int job_json_body(void *arg, const struct job *job, struct buf *out, struct err *err);
