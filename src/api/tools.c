/* tools: POST /api/v1/tools/pdf/{tool}: an upload becomes a job. */
#include "api/tools.h"

#include <stdlib.h>
#include <string.h>

#include "api/answer.h"
#include "api/call.h"
#include "api/upload.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/scope.h"
#include "dispatch/intake.h"
#include "dispatch/result.h"
#include "http/multipart.h"

#define IDEMPOTENCY_KEY 255

struct submission {
    struct call call; /* first: api_finish finds it here */
    const struct tool *tool;
    struct upload *upload;
    const char *idempotency_key;
    struct http_request *req;
};

static int check_idempotency_key(const char *key, struct err *err)
{
    size_t n = strlen(key);

    for (size_t i = 0; i < n; i++)
        if (key[i] < ' ' || key[i] > '~')
            n = IDEMPOTENCY_KEY + 1;
    if (n == 0 || n > IDEMPOTENCY_KEY)
        return err_set(err, ERR_INVALID_REQUEST,
                       "Idempotency-Key must be 1 to %d printable characters", IDEMPOTENCY_KEY);
    return 0;
}

/* What can be told before the first byte of the body. The store has the last word on quota. */
static int check_quota(const struct submission *s, struct err *err)
{
    const struct plan *plan = s->call.plan;

    if (s->idempotency_key) /* it may be a replay, which costs nothing */
        return 0;
    if (s->call.usage.requests >= plan->requests_per_month)
        return err_field(err, ERR_QUOTA_EXCEEDED, "requests",
                         "the month's %lld requests are used up",
                         (long long) plan->requests_per_month);
    if (s->call.usage.bytes >= plan->bytes_per_month)
        return err_field(err, ERR_QUOTA_EXCEEDED, "data", "the month's data volume is used up");
    return 0;
}

static int check_room(const struct http_request *req, struct err *err)
{
    struct api *api = api_of(req);
    int64_t room, length = req->content_length > 0 ? req->content_length : 0;

    if (length > api->config->max_request_size)
        return err_set(err, ERR_FILE_TOO_LARGE, "an upload may have at most %lld bytes",
                       (long long) api->config->max_request_size);
    if (atomic_load(&api->pending) >= api->config->max_queue)
        return err_set(err, ERR_OVERLOADED, "too many jobs are waiting; try again later");
    if (blob_room(api->blobs, &room, err) < 0)
        return -1;
    if (room - length < api->config->min_free_space)
        return err_set(err, ERR_STORAGE_FULL, "free space is below min_free_space");
    return 0;
}

static int begin(struct http_request *req, struct submission *s, struct err *err)
{
    struct api *api = api_of(req);
    char boundary[MULTIPART_BOUNDARY];

    if (call_begin(req, &s->call, err) < 0)
        return -1;
    s->tool = catalog_find(api->catalog, req->args[0], NULL);
    if (!s->tool)
        return err_set(err, ERR_UNKNOWN_TOOL,
                       "there is no such tool; GET /openapi.json lists them");
    if (atomic_load(&api->draining))
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    s->idempotency_key = http_header(req, "Idempotency-Key");
    if (s->idempotency_key && check_idempotency_key(s->idempotency_key, err) < 0)
        return -1;
    if (multipart_boundary(http_header(req, "Content-Type"), boundary, err) < 0 ||
        check_quota(s, err) < 0 || check_room(req, err) < 0)
        return -1;
    s->upload =
        upload_new(s->tool, api->blobs, api->config, boundary, s->idempotency_key != NULL, err);
    return s->upload ? 0 : -1;
}

enum http_next tools_begin(struct http_request *req, struct http_response *resp)
{
    struct submission *s = calloc(1, sizeof *s);
    struct err err;

    req->state = s;
    if (!s)
        return answer_error(req, resp, (err_sys(&err, "submission"), &err));
    s->req = req;
    if (begin(req, s, &err) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

enum http_next tools_body(struct http_request *req, const void *data, size_t n,
                          struct http_response *resp)
{
    struct submission *s = req->state;
    struct err err;

    if (upload_feed(s->upload, data, n, &err) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

static void answer_accepted(struct http_request *req, const struct store_receipt *receipt)
{
    struct http_response *resp = http_later(req);

    http_response_header(resp, "Location", "/api/v1/jobs/%s", receipt->job_id);
    http_response_header(resp, "Retry-After", "%d", 1);
    if (receipt->replayed)
        http_response_header(resp, "Idempotent-Replayed", "%s", "true");
    answer_json(resp, 202,
                json_pack("{ss ss}", "jobId", receipt->job_id, "status", job_status(JOB_PENDING)));
}

static int submit(struct submission *s, struct store_receipt *receipt, struct err *err)
{
    struct api *api = api_of(s->req);
    char id[ID_TEXT], stem[RESULT_NAME], fingerprint[DIGEST_TEXT];
    struct intake_order order = {
        .job_id = id, .key_id = s->call.key.id, .tool = s->tool->name, .stem = stem
    };
    struct store_terms terms = { .month = s->call.month,
                                 .max_requests = s->call.plan->requests_per_month,
                                 .max_bytes = s->call.plan->bytes_per_month,
                                 .max_unfinished = s->call.plan->max_unfinished };

    id_new(id);
    order.files = upload_files(s->upload, &order.n_files);
    order.params = upload_params(s->upload, &order.secret, &order.n_params);
    result_stem(upload_output_name(s->upload), order.files[0].name, stem);
    if (s->idempotency_key) {
        upload_fingerprint(s->upload, fingerprint);
        terms.idempotency_key = s->idempotency_key;
        terms.fingerprint = fingerprint;
    }
    return intake_submit(api->store, api->blobs, &order, &terms, receipt, err);
}

static void count(const struct submission *s, const struct store_receipt *receipt)
{
    int64_t bytes = upload_bytes(s->upload);
    size_t n;

    upload_files(s->upload, &n);
    metric_add(METRIC_JOBS_ACCEPTED, s->tool->name, 1);
    metric_add(METRIC_JOB_BYTES_IN, NULL, (double) bytes);
    log_info("job.accepted", KV("job", receipt->job_id), KV("request", s->req->id),
             KV("tool", s->tool->name), KV("key", s->call.key.prefix), KV("files", n),
             KV("bytes", bytes));
}

/* On a thread of the intake, which may wait for the disk. */
static void work(void *arg)
{
    struct submission *s = arg;
    struct store_receipt receipt = { 0 };
    struct err err;

    if (submit(s, &receipt, &err) < 0) {
        answer_error(s->req, http_later(s->req), &err);
    } else {
        s->call.usage = receipt.usage;
        if (!receipt.replayed) {
            count(s, &receipt);
            dispatcher_wake(api_of(s->req)->dispatcher);
        }
        answer_accepted(s->req, &receipt);
    }
    http_resume(s->req);
}

enum http_next tools_end(struct http_request *req, struct http_response *resp)
{
    struct submission *s = req->state;
    struct err err;

    if (upload_finish(s->upload, &err) < 0)
        return answer_error(req, resp, &err);
    if (atomic_load(&api_of(req)->draining)) {
        err_set(&err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
        return answer_error(req, resp, &err);
    }
    if (crew_add(api_of(req)->intake, work, s) < 0)
        return answer_error(req, resp, (err_sys(&err, "submission"), &err));
    return HTTP_LATER;
}

void tools_done(struct http_request *req)
{
    struct submission *s = req->state;

    if (s)
        upload_free(s->upload);
    free(s);
    req->state = NULL;
}
