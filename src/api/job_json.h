/* job_json: a job as its client sees it (CONTRACT section 2). */
#pragma once

#include <jansson.h>

#include "http/request.h"
#include "job/job.h"

/* A new reference, NULL without memory. Download addresses are signed for this request's base. */
json_t *job_json(const struct http_request *req, const struct job *job);
