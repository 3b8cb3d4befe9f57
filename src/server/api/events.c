#include "server/api/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "server/api/job_json.h"
#include "server/api/jobs.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/dispatch/shipping.h"

#define RETRY_MS   2000
#define IDS_EACH   2000 /* ids of an attempt: 0 to 1000 of its progress, and its end */
#define END_ID     1999
#define NOTHING_ID (-1)

struct follower {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct hub_listener *listener;
    int64_t last_id; /* of what the client has */
    bool ended;      /* all remaining events are in `out` */
    bool ships;      /* the job has ended, and its result is being sent to addresses */
    struct buf out;
    size_t sent; /* of it */
};

enum http_next events_begin(struct http_request *req, struct http_response *resp)
{
    struct follower *f = calloc(1, sizeof *f);
    struct err err;

    req->state = f;
    if (!f)
        return answer_error(req, resp, (err_sys(&err, "event stream"), &err));
    f->req = req;
    f->last_id = NOTHING_ID;
    if (call_begin(req, &f->call, &err) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

static int64_t progress_id(int32_t attempt, double progress)
{
    return (int64_t) attempt * IDS_EACH + (int64_t) (progress * 1000);
}

static int64_t end_id(const struct job *job)
{
    return (int64_t) job->attempt * IDS_EACH + END_ID;
}

/* Of the event that says that the result was sent, or was not: the job has no further attempt. */
static int64_t delivery_id(const struct job *job)
{
    return end_id(job) + 1;
}

static bool is_being_sent(const struct follower *f, const struct job *job)
{
    AUTO_SHIPMENTS struct store_shipments all = { 0 };
    struct err ignored;

    if (job->state != JOB_COMPLETED || !shipping_is_wanted(job) ||
        store_shipment_list(api_of(f->req)->store, job->id, &all, &ignored) < 0)
        return false;
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].state < SHIPMENT_DONE)
            return true;
    return false;
}

/* id NOTHING_ID: none. Takes the reference. */
static void put_event(struct follower *f, int64_t id, const char *name, json_t *data)
{
    char *text = data ? json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(4)) : NULL;

    json_decref(data);
    if (id != NOTHING_ID) {
        buf_printf(&f->out, "id: %lld\n", (long long) id);
        f->last_id = id;
    }
    buf_printf(&f->out, "event: %s\ndata: %s\n\n", name, text ? text : "{}");
    free(text);
}

static void put_progress(struct follower *f, int32_t attempt, double progress)
{
    int64_t id = progress_id(attempt, progress);

    if (id <= f->last_id)
        return;
    put_event(f, id, "progress",
              json_pack("{ss ss sf}", "jobId", f->req->args[0], "status", job_status(JOB_RUNNING),
                        "progress", progress));
}

static void put_gone(struct follower *f, const char *name, const struct err *why)
{
    put_event(f, NOTHING_ID, name,
              json_pack("{ss ss ss}", "jobId", f->req->args[0], "error", err_name(why->code),
                        "message", why->msg));
    f->ended = true;
}

static void put_job(struct follower *f, const struct job *job)
{
    if (!job_is_over(job)) {
        put_progress(f, job->attempt, job->progress);
        return;
    }
    const bool sends = is_being_sent(f, job); /* before its JSON is made: it may end meanwhile */

    if (f->last_id != end_id(job))
        put_event(f, end_id(job), job_status(job->state), job_json_for(f->req, job));
    else if (!sends)
        put_event(f, delivery_id(job), "delivery", job_json_for(f->req, job));
    f->ships = sends;
    f->ended = !sends;
}

/* Reads the job's state. If the store cannot be read the client reconnects after RETRY_MS. */
static void put_current(struct follower *f)
{
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (jobs_find(f->req, &job, &err) == 0)
        put_job(f, &job);
    else if (err.code == ERR_JOB_NOT_FOUND) /* it was there when the stream began */
        put_gone(f, "deleted", (err_set(&err, ERR_JOB_NOT_FOUND, "this job was deleted"), &err));
    else if (err.code == ERR_JOB_EXPIRED)
        put_gone(f, "expired", &err);
    else
        f->ended = true;
}

/* Writes down what there is to say, if anything. Not more: who reads slowly gets only the newest.
 */
static void compose(struct follower *f)
{
    struct hub_news news = hub_look(api_of(f->req)->hub, f->listener);

    /* Another server may send the result, and does not ring here. */
    if (news.over || (news.beat && f->ships))
        put_current(f);
    else if (news.attempt)
        put_progress(f, news.attempt, news.progress);
    if (news.closed)
        f->ended = true;
    if (news.beat && f->out.len == 0)
        buf_puts(&f->out, ":\n\n");
}

static ssize_t give(void *arg, char *out, size_t cap)
{
    struct follower *f = arg;
    size_t n;

    if (f->sent == f->out.len && !f->ended)
        compose(f);
    if (f->out.failed)
        return -1;
    n = f->out.len - f->sent;
    if (n == 0)
        return f->ended ? -1 : 0;
    n = n < cap ? n : cap;
    memcpy(out, f->out.data + f->sent, n);
    f->sent += n;
    if (f->sent == f->out.len) { /* most listeners hear nothing for most of the time */
        buf_free(&f->out);
        f->sent = 0;
    }
    return (ssize_t) n;
}

static void changed(void *arg)
{
    http_stream_wake(((struct follower *) arg)->req);
}

/* Listens first, so that nothing is missed, then looks. */
static int follow(struct follower *f, struct job *job, struct err *err)
{
    struct http_request *req = f->req;
    const char *text = http_header(req, "Last-Event-ID");
    int64_t last = NOTHING_ID;

    if (text && num_parse_i64(text, strlen(text), 0, INT64_MAX, &last))
        f->last_id = last;
    f->ended = strcmp(req->method, "HEAD") == 0;
    if (!f->ended && id_is_valid(req->args[0])) {
        f->listener = hub_listen(api_of(req)->hub, req->args[0], f->call.key.id, changed, f, err);
        if (!f->listener)
            return -1;
    }
    return jobs_find(req, job, err);
}

enum http_next events_open(struct http_request *req, struct http_response *resp)
{
    struct follower *f = req->state;
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (follow(f, &job, &err) < 0)
        return answer_error(req, resp, &err);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    if (job_is_over(&job) &&
        f->last_id == (shipping_is_wanted(&job) ? delivery_id(&job) : end_id(&job))) {
        resp->status = 204;
        return HTTP_ANSWER;
    }
    http_response_header(resp, "Content-Type", "%s", "text/event-stream");
    http_response_header(resp, "X-Accel-Buffering", "%s", "no"); /* nginx would hold it back */
    buf_printf(&f->out, "retry: %d\n\n", RETRY_MS);
    put_job(f, &job);
    resp->source = (struct http_source){ give, f };
    return HTTP_ANSWER;
}

void events_done(struct http_request *req)
{
    struct follower *f = req->state;

    if (!f)
        return;
    hub_leave(api_of(req)->hub, f->listener);
    buf_free(&f->out);
    free(f);
    req->state = NULL;
}
