#include "server/api/job_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/signing.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/dispatch/intake.h"
#include "server/dispatch/result.h"
#include "server/dispatch/shipping.h"

/* Where downloads are. */
struct site {
    const struct api *api;
    const char *base;
};

static void set_url(json_t *object, const struct site *site, const struct job *job,
                    const char *name)
{
    AUTO_BUF struct buf url = BUF_EMPTY;

    signing_url(site->api->url_key, site->base, job->id, name, job->expires_at / 1000, &url);
    json_object_set_new(object, "downloadUrl", json_string(buf_text(&url)));
}

static json_t *outputs(const struct site *site, const struct job *job)
{
    json_t *stored = json_loads(job->outputs_json, 0, NULL), *array = json_array();
    struct result_output output;

    for (size_t i = 0; result_output_at(stored, i, &output); i++) {
        json_t *entry =
            json_pack("{ss sI}", "name", output.name, "bytes", (json_int_t) output.bytes);

        if (output.pages)
            json_object_set_new(entry, "pages", json_integer(output.pages));
        json_object_set_new(entry, "sha256", json_string(output.sha256));
        set_url(entry, site, job, output.name);
        json_array_append_new(array, entry);
    }
    json_decref(stored);
    return array;
}

/* As server/dispatch/result.h has them. */
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

/* What became of the addresses that the result is sent to. */
static void set_delivery(json_t *object, const struct site *site, const struct job *job)
{
    AUTO_SHIPMENTS struct store_shipments all = { 0 };
    struct err ignored;

    if (!shipping_is_wanted(job))
        return;
    if (store_shipment_list(site->api->store, job->id, &all, &ignored) < 0)
        return;
    json_object_set_new(object, "delivery", json_string(store_shipments_status(&all)));
    for (size_t i = 0; i < all.n; i++) {
        const struct store_shipment *s = &all.list[i];

        if (!*s->error)
            continue;
        json_object_set_new(object, "deliveryMessage",
                            s->part == STORE_SHIPMENT_WHOLE
                                ? json_string(s->error)
                                : json_sprintf("part %d: %s", (int) s->part + 1, s->error));
        return;
    }
}

static void set_completed(json_t *object, const struct site *site, const struct job *job)
{
    json_object_set_new(object, "outputFile", json_string(job->output_name));
    set_url(object, site, job, job->output_name);
    json_object_set_new(object, "outputs", outputs(site, job));
    set_delivery(object, site, job);
    json_object_set_new(object, "inputBytes", json_integer(job->input_bytes));
    json_object_set_new(object, "outputBytes", json_integer(job->output_bytes));
    set_warnings(object, job->warnings_json);
    json_object_set_new(object, "durationMs", json_integer(job->duration_ms));
    answer_set_time(object, "finishedAt", job->finished_at);
    answer_set_time(object, "expiresAt", job->expires_at);
}

/* Returns a new reference, NULL without memory. Download addresses begin with `base`. */
static json_t *to_json(const struct api *api, const char *base, const struct job *job)
{
    const struct site site = { api, base };
    json_t *object = json_pack("{ss ss ss}", "jobId", job->id, "status", job_status(job->state),
                               "tool", job->tool);

    /* No value can contain this: its quotation marks would be escaped. */
    if (job->params_json && strstr(job->params_json, "\"" INTAKE_TEST "\":"))
        json_object_set_new(object, "test", json_true());
    if (job->client_ref)
        json_object_set_new(object, "clientRef", json_string(job->client_ref));
    answer_set_time(object, "createdAt", job->created_at);
    if (job->started_at) {
        json_object_set_new(object, "progress",
                            json_real(job->state == JOB_COMPLETED ? 1 : job->progress));
        answer_set_time(object, "startedAt", job->started_at);
    }
    if (job->state == JOB_COMPLETED)
        set_completed(object, &site, job);
    if (job->state == JOB_FAILED) {
        json_object_set_new(object, "error", json_string(job->error));
        json_object_set_new(object, "message", json_string(job->message));
        if (job->error_field)
            json_object_set_new(object, "field", json_string(job->error_field));
        answer_set_time(object, "finishedAt", job->finished_at);
        answer_set_time(object, "expiresAt", job->expires_at);
    }
    return object;
}

#define MANY_BYTES ((size_t) 256 * 1024) /* more than receivers take */

int job_json_body(void *arg, const struct job *job, struct buf *out, struct err *err)
{
    const struct api *api = arg;
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    const char *configured = config->base_url;
    char base[API_BASE_URL];
    json_t *object;
    char *text;
    size_t n;

    snprintf(base, sizeof base, "%s",
             *configured || !job->callback_base ? configured : job->callback_base);
    for (n = strlen(base); n && base[n - 1] == '/'; n--)
        base[n - 1] = '\0';
    object = to_json(api, base, job);
    text = json_dumps(object, JSON_COMPACT);
    if (text && strlen(text) > MANY_BYTES) {
        free(text);
        json_object_del(object, "outputs");
        text = json_dumps(object, JSON_COMPACT);
    }
    json_decref(object);
    if (text)
        buf_puts(out, text);
    free(text);
    return text && !out->failed ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

json_t *job_json_for(const struct http_request *req, const struct job *job)
{
    char base[API_BASE_URL];

    answer_base_url(req, base, sizeof base);
    return to_json(api_of(req), base, job);
}
