#include "api/job_json.h"

#include <string.h>

#include "api/answer.h"
#include "api/api.h"
#include "api/signing.h"
#include "base/clock.h"
#include "dispatch/result.h"

static void set_time(json_t *object, const char *name, int64_t wall_ms)
{
    char text[CLOCK_TEXT];

    if (!wall_ms)
        return;
    clock_format(wall_ms, text);
    json_object_set_new(object, name, json_string(text));
}

static void set_url(json_t *object, const struct http_request *req, const struct job *job,
                    const char *name)
{
    AUTO_BUF struct buf url = BUF_EMPTY;
    char base[600];

    answer_base_url(req, base, sizeof base);
    signing_url(api_of(req)->url_key, base, job->id, name, job->expires_at / 1000, &url);
    json_object_set_new(object, "downloadUrl", json_string(buf_text(&url)));
}

static json_t *outputs(const struct http_request *req, const struct job *job)
{
    json_t *stored = json_loads(job->outputs_json, 0, NULL), *array = json_array();
    struct result_output output;

    for (size_t i = 0; result_output_at(stored, i, &output); i++) {
        json_t *entry =
            json_pack("{ss sI}", "name", output.name, "bytes", (json_int_t) output.bytes);

        if (output.pages)
            json_object_set_new(entry, "pages", json_integer(output.pages));
        json_object_set_new(entry, "sha256", json_string(output.sha256));
        set_url(entry, req, job, output.name);
        json_array_append_new(array, entry);
    }
    json_decref(stored);
    return array;
}

/* As dispatch/result.h has them. */
static void set_warnings(json_t *object, const char *kept)
{
    json_t *parsed = json_loads(kept, 0, NULL);
    json_t *warnings = json_is_object(parsed) ? json_object_get(parsed, "warnings") : parsed;
    json_t *report = json_object_get(parsed, "report");

    if (warnings)
        json_object_set(object, "warnings", warnings);
    else
        json_object_set_new(object, "warnings", json_array());
    if (report)
        json_object_set(object, "report", report);
    json_decref(parsed);
}

static void set_completed(json_t *object, const struct http_request *req, const struct job *job)
{
    json_object_set_new(object, "outputFile", json_string(job->output_name));
    set_url(object, req, job, job->output_name);
    json_object_set_new(object, "outputs", outputs(req, job));
    json_object_set_new(object, "inputBytes", json_integer(job->input_bytes));
    json_object_set_new(object, "outputBytes", json_integer(job->output_bytes));
    set_warnings(object, job->warnings_json);
    json_object_set_new(object, "durationMs", json_integer(job->duration_ms));
    set_time(object, "finishedAt", job->finished_at);
    set_time(object, "expiresAt", job->expires_at);
}

json_t *job_json(const struct http_request *req, const struct job *job)
{
    json_t *object = json_pack("{ss ss ss}", "jobId", job->id, "status", job_status(job->state),
                               "tool", job->tool);

    set_time(object, "createdAt", job->created_at);
    if (job->started_at) {
        json_object_set_new(object, "progress",
                            json_real(job->state == JOB_COMPLETED ? 1 : job->progress));
        set_time(object, "startedAt", job->started_at);
    }
    if (job->state == JOB_COMPLETED)
        set_completed(object, req, job);
    if (job->state == JOB_FAILED) {
        json_object_set_new(object, "error", json_string(job->error));
        json_object_set_new(object, "message", json_string(job->message));
        set_time(object, "finishedAt", job->finished_at);
    }
    return object;
}
