#include "server/api/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "server/api/job_json.h"
#include "server/api/page_query.h"
#include "server/api/prefer.h"
#include "server/api/submit.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/api_submit/strips.h"
#include "server/dispatch/intake.h"

/* State of a request about one job. */
struct asking {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
};

enum http_next jobs_begin(struct http_request *req, struct http_response *resp)
{
    struct asking *asking = calloc(1, sizeof *asking);
    struct err err;

    req->state = asking;
    if (!asking)
        return answer_error(req, resp, (err_sys(&err, "call"), &err));
    asking->req = req;
    if (call_begin(req, &asking->call, &err) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

struct http_request *jobs_request(void *state)
{
    return ((struct asking *) state)->req;
}

static int unknown(struct err *err)
{
    return err_set(err, ERR_JOB_NOT_FOUND,
                   "there is no such job of this key: GET /api/v1/jobs lists those there are");
}

int jobs_find(struct http_request *req, struct job *job, struct err *err)
{
    const struct call *call = req->state;
    int found =
        id_is_valid(req->args[0]) ? store_find(api_of(req)->store, req->args[0], job, err) : 0;

    if (found < 0)
        return -1;
    if (found == 0 || job->key_id != call->key.id)
        return unknown(err);
    if (job_is_expired(job, clock_wall_ms()))
        return err_set(err, ERR_JOB_EXPIRED, "this job has expired; its files were deleted");
    return 0;
}

static enum http_next answer_job(struct http_request *req, struct http_response *resp,
                                 const struct job *job)
{
    if (!job_is_over(job))
        http_response_header(resp, "Retry-After", "%d", 1);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, job_json_for(req, job));
}

static enum http_next answer_current(struct http_request *req, struct http_response *resp)
{
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (jobs_find(req, &job, &err) < 0)
        return answer_error(req, resp, &err);
    return answer_job(req, resp, &job);
}

/* The job ended, or the wait did. */
static void woken(void *arg)
{
    struct asking *asking = arg;

    answer_current(asking->req, http_later(asking->req));
    http_resume(asking->req);
}

static bool left(void *arg)
{
    const struct asking *asking = arg;

    return http_left(asking->req);
}

enum http_next jobs_show(struct http_request *req, struct http_response *resp)
{
    const struct api *api = api_of(req);
    AUTO_JOB struct job job = { 0 };
    int64_t seconds = 0;
    struct err err;

    if (prefer_wait_query(req, &seconds, &err) < 0 || jobs_find(req, &job, &err) < 0)
        return answer_error(req, resp, &err);
    if (seconds == 0 || job_is_over(&job))
        return answer_job(req, resp, &job);
    if (hub_await(api->hub, api->store, job.id, seconds * 1000,
                  &(struct hub_waiter){ woken, left, req->state }))
        return HTTP_LATER;
    return answer_current(req, resp);
}

/* A time of the list's query; 0 if it is not there. */
static int query_time(const struct http_request *req, const char *name, int64_t *at,
                      struct err *err)
{
    const char *text = http_query(req, name);

    *at = 0;
    if (text && !clock_parse(text, at))
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a time such as 2026-01-31T12:00:00Z, with + written as %%2B",
                         name);
    if (text && *at == 0)
        *at = 1; /* no job is of 1970 */
    return 0;
}

static int list_query(const struct http_request *req, struct store_page *page, struct err *err)
{
    const char *status_text = http_query(req, "status"), *named = http_query(req, "clientRef");
    struct worker *worker;

    *page = (struct store_page){ .status = -1 };
    page->client_ref = named && *named ? named : NULL;
    if (named && !utf8_is_valid(named, strlen(named)))
        return err_field(err, ERR_INVALID_PARAMETER, "clientRef", "clientRef must be UTF-8");
    if (page_query_read(req, &page->before, &page->limit, err) < 0)
        return -1;
    for (int state = 0; status_text && page->status < 0 && state < JOB_EXPIRED; state++)
        if (strcmp(status_text, job_status((enum job_state) state)) == 0)
            page->status = state;
    if (status_text && page->status < 0)
        return err_field(err, ERR_INVALID_PARAMETER, "status",
                         "status must be one of: pending, completed, failed");
    page->tool = http_query(req, "tool");
    if (page->tool && !submit_tool(api_of(req), page->tool, &worker))
        return err_field(err, ERR_INVALID_PARAMETER, "tool",
                         "there is no such tool; GET /openapi.json lists them");
    if (query_time(req, "createdAfter", &page->after, err) < 0 ||
        query_time(req, "createdBefore", &page->until, err) < 0)
        return -1;
    return 0;
}

enum http_next jobs_list(struct http_request *req, struct http_response *resp)
{
    const struct call *call = req->state;
    AUTO_STORE_JOBS struct store_jobs jobs = { 0 };
    struct store_page page;
    json_t *array;
    size_t limit;
    struct err err;

    if (list_query(req, &page, &err) < 0)
        return answer_error(req, resp, &err);
    limit = page.limit++; /* one more than asked for tells whether there are more */
    if (store_list(api_of(req)->store, call->key.id, &page, &jobs, &err) < 0)
        return answer_error(req, resp, &err);
    array = json_array();
    for (size_t i = 0; i < jobs.n && i < limit; i++)
        json_array_append_new(array, job_json_for(req, &jobs.list[i]));
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200,
                       json_pack("{so ss?}", "jobs", array, "nextCursor",
                                 jobs.n > limit ? jobs.list[limit - 1].id : NULL));
}

static void forget_pictures(struct api *api, const char *id)
{
    char source[STRIPS_SOURCE];

    snprintf(source, sizeof source, "job:%s", id);
    strips_forget(api->strips, source);
}

int jobs_erase(struct api *api, int64_t key_id, const char *id, struct err *err)
{
    AUTO_JOB struct job job = { 0 };
    int removed = store_remove(api->store, id, key_id, &job, err);

    if (removed != 1)
        return removed;
    dispatcher_cancel(api->dispatcher, job.id);
    intake_discard(api->blobs, &job, false);
    atomic_store(&api->removed, true);
    hub_wake(api->hub, job.id);
    forget_pictures(api, job.id);
    store_ring(api->store, STORE_RING_ENDS);
    return 1;
}

/* On a thread of the intake, which may wait for the disk. */
static void delete_job(void *arg)
{
    struct asking *asking = arg;
    struct http_request *req = asking->req;
    struct http_response *resp = http_later(req);
    struct api *api = api_of(req);
    struct err err;
    int removed = jobs_erase(api, asking->call.key.id, req->args[0], &err);

    if (removed < 0) {
        answer_error(req, resp, &err);
    } else if (removed == 0) {
        unknown(&err);
        answer_error(req, resp, &err);
    } else {
        if (store_usage(api->store, asking->call.key.id, asking->call.month, &asking->call.usage,
                        &err) < 0)
            asking->call.known = false; /* no figure beats a wrong one */
        resp->status = 204;
    }
    http_resume(req);
}

enum http_next jobs_delete(struct http_request *req, struct http_response *resp)
{
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (jobs_find(req, &job, &err) < 0)
        return answer_error(req, resp, &err);
    if (crew_add(api_of(req)->intake, delete_job, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "delete"), &err));
    return HTTP_LATER;
}
