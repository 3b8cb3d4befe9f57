#include "server/api/deliveries.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/system/crew.h"
#include "server/api/jobs.h"
#include "server/api/page_query.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"

static json_t *delivery_json(const struct delivery *d, const struct job *job)
{
    char event[32];
    json_t *object;

    snprintf(event, sizeof event, "job.%s", job_status(job->state));
    object = json_pack("{ss ss ss ss ss si}", "deliveryId", d->id, "jobId", d->job_id, "event",
                       event, "url", d->url, "status", delivery_status(d->state), "attempts",
                       (int) d->attempts);
    answer_set_time(object, "createdAt", d->created_at);
    answer_set_time(object, "lastAttemptAt", d->last_at);
    if (d->state == DELIVERY_WAITING)
        answer_set_time(object, "nextAttemptAt", d->next_at);
    if (d->last_at)
        json_object_set_new(object, "durationMs", json_integer(d->duration_ms));
    if (d->http_status)
        json_object_set_new(object, "responseStatus", json_integer(d->http_status));
    if (d->excerpt)
        json_object_set_new(object, "responseExcerpt", json_string(d->excerpt));
    if (d->error)
        json_object_set_new(object, "message", json_string(d->error));
    return object;
}

enum http_next deliveries_list(struct http_request *req, struct http_response *resp)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    AUTO_JOB struct job job = { 0 };
    struct err err;
    json_t *array;

    /* The job after its deliveries: it has some from the moment it ended, and they say how. */
    if (store_delivery_list(api_of(req)->store, req->args[0], &found, &err) < 0 ||
        jobs_find(req, &job, &err) < 0)
        return answer_error(req, resp, &err);
    array = json_array();
    for (size_t i = 0; i < found.n; i++)
        json_array_append_new(array, delivery_json(&found.list[i], &job));
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, json_pack("{so}", "deliveries", array));
}

static int list_query(const struct http_request *req, struct store_delivery_page *page,
                      struct err *err)
{
    const char *status_text = http_query(req, "status");

    *page = (struct store_delivery_page){ .status = -1 };
    if (page_query_read(req, &page->before, &page->limit, err) < 0)
        return -1;
    for (int state = 0; status_text && page->status < 0 && state < DELIVERY_STATES; state++)
        if (strcmp(status_text, delivery_status((enum delivery_state) state)) == 0)
            page->status = state;
    if (status_text && page->status < 0)
        return err_field(err, ERR_INVALID_PARAMETER, "status",
                         "status must be one of: pending, delivered, failed");
    return 0;
}

enum http_next deliveries_page(struct http_request *req, struct http_response *resp)
{
    const struct call *call = req->state;
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    struct store_delivery_page page;
    struct err err;
    size_t limit;
    json_t *array;

    if (list_query(req, &page, &err) < 0)
        return answer_error(req, resp, &err);
    limit = page.limit++; /* one more than asked for tells whether there are more */
    if (store_delivery_page(api_of(req)->store, call->key.id, &page, &found, &err) < 0)
        return answer_error(req, resp, &err);
    array = json_array();
    for (size_t i = 0; i < found.n && i < limit; i++) {
        const struct delivery *d = &found.list[i];
        const struct job job = { .state = d->job_state, .expires_at = d->job_expires_at };

        if (!job_is_expired(&job, clock_wall_ms()))
            json_array_append_new(array, delivery_json(d, &job));
    }
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200,
                       json_pack("{so ss?}", "deliveries", array, "nextCursor",
                                 found.n > limit ? found.list[limit - 1].id : NULL));
}

static int ask_again(struct http_request *req, json_t **answer, struct err *err)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    struct store *store = api_of(req)->store;
    AUTO_JOB struct job job = { 0 };
    int done;

    if (jobs_find(req, &job, err) < 0)
        return -1;
    done = store_delivery_again(store, job.id, req->args[1], clock_wall_ms(), err);
    if (done < 1)
        return done < 0 ? -1 : err_set(err, ERR_NOT_FOUND, "this job has no such delivery");
    if (store_delivery_list(store, job.id, &found, err) < 0)
        return -1;
    if (!found.list) /* deleted at this moment */
        return err_set(err, ERR_JOB_NOT_FOUND,
                       "there is no such job of this key: GET /api/v1/jobs lists those there are");
    *answer = delivery_json(found.list, &job);
    return 0;
}

/* On a thread of the intake, which may wait for the disk. */
static void send_again(void *arg)
{
    struct http_request *req = jobs_request(arg);
    struct http_response *resp = http_later(req);
    json_t *answer = NULL;
    struct err err;

    if (ask_again(req, &answer, &err) < 0) {
        answer_error(req, resp, &err);
    } else {
        sender_wake(api_of(req)->sender);
        answer_json(resp, 202, answer);
    }
    http_resume(req);
}

enum http_next deliveries_again(struct http_request *req, struct http_response *resp)
{
    struct err err;

    if (crew_add(api_of(req)->intake, send_again, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "redeliver"), &err));
    return HTTP_LATER;
}
