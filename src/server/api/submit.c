/* submit: POST /api/v1/tools/pdf/{tool}: an upload becomes a job. */
#include "server/api/submit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/metric.h"
#include "base/rate.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "declare/value/text.h"
#include "server/api/job_json.h"
#include "server/api/prefer.h"
#include "server/api/signing.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/api_call/origin.h"
#include "server/api_call/scope.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/dry_run.h"
#include "server/api_submit/test_outcome.h"
#include "server/api_submit/upload.h"
#include "server/dispatch/intake.h"
#include "server/multipart/multipart.h"

#define IDEMPOTENCY_KEY 255

struct submit_call {
    struct call call; /* first: answer_finish finds it here */
    const struct tool *tool;
    struct upload *upload;
    const char *idempotency_key;
    bool dry;       /* ?dryRun=true, or the address of dry runs */
    int64_t wait_s; /* seconds the answer may wait for the end of the job */
    struct test_outcome outcome;
    struct store_receipt receipt;
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

/* Checks what is known before the first byte of the body. The store decides about quota. */
static int check_quota(const struct submit_call *s, struct err *err)
{
    const struct plan *plan = s->call.plan;

    if (s->dry || s->tool->free) /* it tells */
        return 0;
    if (s->idempotency_key) /* it may be a replay, which costs nothing */
        return 0;
    if (s->call.usage.requests >= plan->requests_per_month)
        return err_field(err, ERR_QUOTA_EXCEEDED, "requests",
                         "the month's %lld requests are used up: wait for the next month or choose "
                         "a larger plan",
                         (long long) plan->requests_per_month);
    if (s->call.usage.bytes >= plan->bytes_per_month)
        return err_field(
            err, ERR_QUOTA_EXCEEDED, "data",
            "the month's data volume is used up: wait for the next month or choose a larger plan");
    if (s->req->content_length - upload_overhead(s->tool) > plan->bytes_per_month)
        return err_field(err, ERR_QUOTA_EXCEEDED, "data",
                         "this upload is larger than the plan's data volume of a whole month, %lld "
                         "bytes: choose a larger plan",
                         (long long) plan->bytes_per_month);
    if (s->req->content_length - upload_overhead(s->tool) >
        plan->bytes_per_month - s->call.usage.bytes)
        return err_field(err, ERR_QUOTA_EXCEEDED, "data",
                         "this upload is larger than what is left of the month's data volume: wait "
                         "for the next month or choose a larger plan");
    return 0;
}

static int check_room(const struct http_request *req, const struct submit_call *s, struct err *err)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    int64_t room, length = req->content_length > 0 ? req->content_length : 0;

    if (length > config->max_request_size)
        return err_set(err, ERR_FILE_TOO_LARGE, "an upload may have at most %lld bytes",
                       (long long) config->max_request_size);
    if (length - upload_overhead(s->tool) > test_outcome_most(&s->call, INT64_MAX))
        return err_set(err, ERR_FILE_TOO_LARGE,
                       "an upload with a test key may have at most %d bytes", TEST_BYTES);
    if (atomic_load(&api->pending) >= config->max_queue)
        return err_set(err, ERR_OVERLOADED, "too many jobs are waiting; try again later");
    if (blob_room(api->blobs, &room, NULL, err) < 0)
        return -1;
    if (room - length < config->min_free_space)
        return err_set(err, ERR_STORAGE_FULL, "free space is below min_free_space");
    /* The result of a job needs about as much as its input. */
    if (room - length < length)
        return err_set(err, ERR_STORAGE_FULL, "there is no room for the result of the upload");
    return dispatcher_check_room(api->dispatcher, err);
}

/* A body that is packed as a whole is not taken: most of what is sent is packed already. */
static int check_coding(const struct http_request *req, struct err *err)
{
    const char *coding = http_header(req, "Content-Encoding");
    char shown[32];

    if (!coding || !*coding || strcasecmp(coding, "identity") == 0)
        return 0;
    text_for_message(coding, strlen(coding), shown, sizeof shown);
    return err_set(err, ERR_UNSUPPORTED_MEDIA_TYPE,
                   "the body has the Content-Encoding %s: send it as it is", shown);
}

const struct tool *submit_tool(const struct api *api, const char *name, struct worker **worker)
{
    const struct tool *tool;

    *worker = NULL;
    if (strcmp(name, PIPELINE_NAME) == 0)
        return &pipeline_tool;
    tool = catalog_find(api->catalog, name, worker);
    return tool && !tool->hidden ? tool : NULL;
}

static int begin_submission(struct http_request *req, struct submit_call *s, struct err *err)
{
    struct api *api = api_of(req);
    char boundary[MULTIPART_BOUNDARY];
    struct worker *worker = NULL;
    int dry;

    if (call_begin(req, &s->call, err) < 0)
        return -1;
    s->tool = submit_tool(api, req->args[0], &worker);
    if (!s->tool)
        return err_set(err, ERR_UNKNOWN_TOOL,
                       "there is no such tool; GET /openapi.json lists them");
    if (s->tool != &pipeline_tool && scope_check_tool(&s->call.key, s->tool->name, err) < 0)
        return -1;
    if (worker && worker_is_absent(worker))
        return err_set(err, ERR_OVERLOADED,
                       "this server cannot run %s now: the program that does it failed its own "
                       "tests; tell the operator",
                       s->tool->name);
    if (atomic_load(&api->draining))
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    dry = dry_run_asked(req, err);
    if (dry < 0)
        return -1;
    s->dry = s->dry || dry > 0;
    if (test_outcome_read(req, &s->call, &s->outcome, err) < 0 ||
        (visitors_is(&s->call.key) && visitors_count_job(req, err) < 0) ||
        (!s->dry && call_count_job(req, &s->call, err) < 0))
        return -1;
    s->wait_s = prefer_wait(http_header(req, "Prefer"));
    if (prefer_wait_query(req, &s->wait_s, err) < 0)
        return -1;
    s->idempotency_key = http_header(req, "Idempotency-Key");
    if (s->idempotency_key && check_idempotency_key(s->idempotency_key, err) < 0)
        return -1;
    if (check_coding(req, err) < 0 ||
        multipart_boundary(http_header(req, "Content-Type"), boundary, err) < 0 ||
        check_quota(s, err) < 0 || check_room(req, s, err) < 0)
        return -1;
    s->upload =
        upload_new(s->tool, api, &s->call, boundary, s->idempotency_key != NULL && !s->dry, err);
    return s->upload ? 0 : -1;
}

static enum http_next begin_any(struct http_request *req, struct http_response *resp, bool dry)
{
    struct submit_call *s = calloc(1, sizeof *s);
    struct err err;

    req->state = s;
    if (!s)
        return answer_error(req, resp, (err_sys(&err, "submission"), &err));
    s->req = req;
    s->dry = dry;
    if (begin_submission(req, s, &err) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

enum http_next submit_begin(struct http_request *req, struct http_response *resp)
{
    return begin_any(req, resp, false);
}

enum http_next submit_begin_dry(struct http_request *req, struct http_response *resp)
{
    return begin_any(req, resp, true);
}

enum http_next submit_body(struct http_request *req, const void *data, size_t n,
                           struct http_response *resp)
{
    struct submit_call *s = req->state;
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

/* What can only be a replay: a job that the store would otherwise take is one too many. *err says
 * why it is not new. */
static int replay(struct submit_call *s, struct store_terms *terms, struct store_receipt *receipt,
                  struct err *err)
{
    struct err missing = *err;
    struct job none = { .key_id = s->call.key.id };

    id_new(none.id);
    terms->max_unfinished = 0;
    if (store_put(api_of(s->req)->store, &none, terms, receipt, err) == 0)
        return 0;
    if (err->code != ERR_IDEMPOTENCY_CONFLICT)
        *err = missing;
    return -1;
}

/*
 * What the store keeps of an idempotency key and of the request it came with: digests under a key
 * that lies outside of the database. A plain digest of the request would let whoever reads the
 * database, or a copy of it, guess the passwords in it.
 */
struct repeat {
    char key[DIGEST_TEXT], fingerprint[DIGEST_TEXT];
};

static void digest_repeat(const struct submit_call *s, struct repeat *repeat)
{
    const char *secret = api_of(s->req)->url_key;
    AUTO_BUF struct buf text = BUF_EMPTY;
    char content[DIGEST_TEXT];

    upload_fingerprint(s->upload, content);
    buf_printf(&text, "idempotency content %s", content);
    digest_hmac(secret, SIGNING_KEY - 1, text.data, text.len, repeat->fingerprint);
    text.len = 0;
    buf_printf(&text, "idempotency key %s", s->idempotency_key);
    digest_hmac(secret, SIGNING_KEY - 1, text.data, text.len, repeat->key);
}

/* A key is remembered for longer than some jobs are. */
static int check_replayed(const struct submit_call *s, const struct store_receipt *receipt,
                          struct err *err)
{
    AUTO_JOB struct job job = { 0 };
    int found = store_find(api_of(s->req)->store, receipt->job_id, &job, err);

    if (found < 0)
        return -1;
    if (found == 0)
        return err_set(err, ERR_JOB_NOT_FOUND,
                       "the job of this Idempotency-Key was deleted: choose a new key");
    if (job_is_expired(&job, clock_wall_ms()))
        return err_set(err, ERR_JOB_EXPIRED,
                       "the job of this Idempotency-Key has expired: choose a new key");
    return 0;
}

static int submit(struct submit_call *s, struct store_receipt *receipt, struct err *err)
{
    struct api *api = api_of(s->req);
    char id[ID_TEXT], base[API_BASE_URL];
    struct repeat repeat;
    struct intake_order order;
    struct store_terms terms = { .month = s->call.month,
                                 .max_requests = s->call.plan->requests_per_month,
                                 .max_bytes = s->call.plan->bytes_per_month,
                                 .max_unfinished = s->call.plan->max_unfinished };
    bool test = key_is_test(s->call.key.prefix);
    int done;

    if (test)
        terms.max_requests = terms.max_bytes = INT64_MAX;
    /* What is free is counted apart, in a month that never was. */
    if (s->tool->free) {
        terms.month = 0;
        terms.max_requests = terms.max_bytes = INT64_MAX;
    }

    if (s->idempotency_key) {
        digest_repeat(s, &repeat);
        terms.idempotency_key = repeat.key;
        terms.fingerprint = repeat.fingerprint;
    }
    if (visitors_is(&s->call.key) && !visitors_have_bytes(s->req, upload_bytes(s->upload)))
        return visitors_refuse_bytes(ERR_TOO_MANY_JOBS, err);
    done = upload_order(s->upload, &order, err);
    if (done != 0)
        return done > 0 ? replay(s, &terms, receipt, err) : -1;
    scope_new_id(api, &s->call.key, id);
    order.job_id = id;
    answer_base_url(s->req, base, sizeof base);
    order.callback_base = order.callback_url ? base : NULL;
    if (test)
        order.test = s->outcome.fails ? INTAKE_TEST_FAILS : INTAKE_TEST_MARKS;
    order.delay_ms = s->outcome.delay_ms;
    done = intake_submit(api->store, api->blobs, &order, &terms, receipt, err);
    if (done == 0)
        atomic_store(&api->unsure, false);
    else if (err->code == ERR_INTERNAL)
        atomic_store(&api->unsure, true);
    return done;
}

static void count_receipt(const struct submit_call *s, const struct store_receipt *receipt)
{
    int64_t bytes = upload_bytes(s->upload);
    AUTO_CONFIG const struct config *config = live_hold(api_of(s->req)->settings);
    size_t n = upload_documents(s->upload)->n;
    char client[NET_TEXT];

    origin_client(s->req, config, client);
    metric_add(METRIC_JOBS_ACCEPTED, s->tool->name, 1);
    metric_add(METRIC_JOB_BYTES_IN, NULL, (double) bytes);
    metric_observe(METRIC_JOB_SIZE_IN, s->tool->name, (double) bytes);
    rate_note(RATE_ACCEPTED);
    answer_has_room(api_of(s->req));
    log_info("job.accepted", KV("job", receipt->job_id), KV("request", s->req->id),
             KV("tool", s->tool->name), KV("key", s->call.key.prefix), KV("client", client),
             KV("files", n), KV("bytes", bytes));
}

/* The job, which ended while the client waited for it. */
static void answer_ended(struct submit_call *s, const struct job *job)
{
    struct http_response *resp = http_later(s->req);
    struct err err;

    http_response_header(resp, "Location", "/api/v1/jobs/%s", job->id);
    http_response_header(resp, "Content-Location", "/api/v1/jobs/%s", job->id);
    http_response_header(resp, "Preference-Applied", "wait=%d", (int) s->wait_s);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    if (s->receipt.replayed)
        http_response_header(resp, "Idempotent-Replayed", "%s", "true");
    /* A job that failed may have given quota back. */
    if (job->state == JOB_FAILED && !key_is_test(s->call.key.prefix) &&
        store_usage(api_of(s->req)->store, s->call.key.id, s->call.month, &s->call.usage, &err) < 0)
        s->call.known = false;
    answer_json(resp, 200, job_json_for(s->req, job));
}

/* The job ended, or the wait did. One that was deleted meanwhile was accepted all the same. */
static void woken(void *arg)
{
    struct submit_call *s = arg;
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (store_find(api_of(s->req)->store, s->receipt.job_id, &job, &err) == 1 && job_is_over(&job))
        answer_ended(s, &job);
    else
        answer_accepted(s->req, &s->receipt);
    http_resume(s->req);
}

static bool left(void *arg)
{
    const struct submit_call *s = arg;

    return http_left(s->req);
}

/* `woken` answers. */
static void await_end(struct submit_call *s)
{
    const struct api *api = api_of(s->req);
    const struct hub_waiter waiter = { woken, left, s };

    /* What was uploaded is the job's by now: nothing of it need be held meanwhile. */
    upload_free(s->upload);
    s->upload = NULL;
    if (!hub_await(api->hub, api->store, s->receipt.job_id, s->wait_s * 1000, &waiter))
        woken(s);
}

/* On a thread of the intake, which may wait for the disk. */
static void accept_submission(void *arg)
{
    struct submit_call *s = arg;
    struct err err;

    if (submit(s, &s->receipt, &err) < 0 ||
        (s->receipt.replayed && check_replayed(s, &s->receipt, &err) < 0)) {
        answer_error(s->req, http_later(s->req), &err);
    } else {
        if (!key_is_test(s->call.key.prefix) && !s->tool->free)
            s->call.usage = s->receipt.usage;
        if (!s->receipt.replayed) {
            dispatcher_accepted(api_of(s->req)->dispatcher, s->receipt.job_id);
            count_receipt(s, &s->receipt);
        }
        if (s->wait_s > 0) {
            await_end(s);
            return;
        }
        answer_accepted(s->req, &s->receipt);
    }
    http_resume(s->req);
}

/* On a thread of the dry runs. */
static void work_dry(void *arg)
{
    struct submit_call *s = arg;
    struct http_request *req = s->req;
    struct api *api = api_of(req);
    struct http_response *resp = http_later(req);
    int64_t account = s->call.key.id;
    struct err err;
    json_t *report = dry_run_report(api, &s->call, s->tool, s->upload, &err);

    log_info("dry_run.done", KV("request", req->id), KV("tool", s->tool->name),
             KV("key", s->call.key.prefix), KV("error", report ? "none" : err_name(err.code)));
    if (report) {
        http_response_header(resp, "Cache-Control", "%s", "no-store");
        answer_json(resp, 200, report);
    } else {
        answer_error(req, resp, &err);
    }
    http_resume(req);
    dry_runs_leave(api->dry_runs, account);
}

/* The whole body is here, and something will answer. */
static int finish_submission(struct submit_call *s, struct err *err)
{
    struct api *api = api_of(s->req);

    if (upload_finish(s->upload, err) < 0)
        return -1;
    if (atomic_load(&api->draining))
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    if (s->dry && upload_has_remote(s->upload))
        return err_field(err, ERR_INVALID_PARAMETER, "fileUrl",
                         "a dry run fetches no files: send the file itself");
    if (s->dry && upload_has_page(s->upload))
        return err_field(err, ERR_INVALID_PARAMETER, "url",
                         "a dry run fetches no pages: leave out dryRun");
    if (s->dry)
        return dry_runs_add(api->dry_runs, s->call.key.id, work_dry, s, err);
    return crew_add(api->intake, accept_submission, s) < 0 ? err_sys(err, "submission") : 0;
}

/* On a thread of the intake: files are fetched over a network. */
static void finish_slowly(void *arg)
{
    struct submit_call *s = arg;
    struct err err;

    if (finish_submission(s, &err) == 0)
        return;
    answer_error(s->req, http_later(s->req), &err);
    http_resume(s->req);
}

enum http_next submit_end(struct http_request *req, struct http_response *resp)
{
    struct submit_call *s = req->state;
    struct err err;
    int done;

    if (!upload_is_slow(s->upload))
        done = finish_submission(s, &err);
    else if ((done = crew_add(api_of(req)->intake, finish_slowly, s)) < 0)
        err_sys(&err, "submission");
    return done < 0 ? answer_error(req, resp, &err) : HTTP_LATER;
}

void submit_done(struct http_request *req)
{
    struct submit_call *s = req->state;

    if (s)
        upload_free(s->upload);
    free(s);
    req->state = NULL;
}
