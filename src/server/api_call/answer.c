#include "server/api_call/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/system/log.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/html.h"
#include "server/api_call/origin.h"

#define UNAVAILABLE_LOG_MS 10000

#define REAL_DIGITS 15 /* of numbers in answers: 17 would show .3 as .29999999999999999 */

enum http_next answer_json(struct http_response *resp, int status, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS)) : NULL;

    json_decref(json);
    resp->status = text ? status : 500;
    http_response_header(resp, "Content-Type", "application/json");
    if (text) {
        buf_puts(&resp->body, text);
        buf_putc(&resp->body, '\n'); /* so that a shell's prompt does not stick to it */
    }
    free(text);
    return HTTP_ANSWER;
}

void answer_base_url(const struct http_request *req, char *out, size_t cap)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *host = http_header(req, "Host");
    struct origin origin;

    if (*config->base_url) {
        snprintf(out, cap, "%s", config->base_url);
        for (size_t n = strlen(out); n && out[n - 1] == '/'; n--)
            out[n - 1] = '\0';
        return;
    }
    /* Only the letters a host and a port are made of: this goes into an address. */
    if (!host || host[strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789.-_:[]")])
        host = config->listen;
    origin_find(req, config, &origin);
    snprintf(out, cap, "%s://%s", origin.seen.https ? "https" : "http",
             *origin.seen.host ? origin.seen.host : host);
}

void answer_set_time(json_t *object, const char *name, int64_t wall_ms)
{
    char text[CLOCK_TEXT];

    if (!wall_ms)
        return;
    clock_format(wall_ms, text);
    json_object_set_new(object, name, json_string(text));
}

static void add_quota(const struct http_request *req, const struct err *err,
                      struct http_response *resp, json_t *body)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const struct call *call = req->state;
    char base[600], own[620];

    answer_base_url(req, base, sizeof base);
    snprintf(own, sizeof own, "%s/pricing", base);
    json_object_set_new(body, "upgradeUrl",
                        json_string(*config->upgrade_url ? config->upgrade_url : own));
    json_object_set_new(body, "limit", json_string(err->field));
    http_response_header(resp, "Retry-After", "%lld",
                         (long long) (call->month_end - clock_wall_ms()) / 1000 + 1);
}

void answer_has_room(struct api *api)
{
    if (atomic_exchange(&api->full, false))
        log_info("storage.free", KV("why", "files can be stored again"));
}

/* The addresses of the database and the storage are the operator's: they are in the log, which says
 * it from time to time and not for each request. */
static const char *hide_unavailable(struct http_request *req, const struct err *err)
{
    struct api *api = api_of(req);
    int_fast64_t now = clock_mono_ms(), last = atomic_load(&api->unavailable_at);

    if ((last == 0 || now - last >= UNAVAILABLE_LOG_MS) &&
        atomic_compare_exchange_strong(&api->unavailable_at, &last, now))
        log_error("service.unavailable", KV("request", req->id), KV("why", err->msg));
    return "the server cannot reach its database or its file storage; try again in a few seconds";
}

enum http_next answer_error(struct http_request *req, struct http_response *resp,
                            const struct err *err)
{
    const char *message = err->msg;
    json_t *body;

    if (err->code == ERR_INTERNAL) {
        log_error("request.failed", KV("request", req->id), KV("why", err->msg));
        message = "something went wrong on the server; try again later";
    }
    if (err->code == ERR_STORAGE_FULL) {
        /* Once, not for each request: a load balancer asks several times a second. */
        if (!atomic_exchange(&api_of(req)->full, true))
            log_error("storage.full", KV("request", req->id), KV("why", err->msg));
        message = "the server's storage is full; try again later";
    }
    if (err->code == ERR_UNAVAILABLE)
        message = hide_unavailable(req, err);
    metric_add(METRIC_REFUSALS, err_name(err->code), 1);
    if (html_is_wanted(req))
        return html_problem(req, resp, err_status(err->code), message);
    body = json_pack("{ss ss ss}", "error", err_name(err->code), "message", message, "requestId",
                     req->id);
    if (err->code == ERR_QUOTA_EXCEEDED) {
        struct call *call = req->state;

        call->exhausted = true;
        add_quota(req, err, resp, body);
    } else if (*err->field) {
        json_object_set_new(body, "field", json_string(err->field));
    }
    if (err->code == ERR_RATE_LIMITED)
        http_response_header(resp, "Retry-After", "%lld",
                             (long long) ((const struct call *) req->state)->rate.seconds);
    if (err_status(err->code) == 401) /* RFC 9110, section 15.5.2 */
        http_response_header(resp, "WWW-Authenticate", "%s", "Bearer realm=\"platen\"");
    if (err->code == ERR_OVERLOADED || err->code == ERR_UNAVAILABLE ||
        err->code == ERR_SHUTTING_DOWN || err->code == ERR_TOO_MANY_JOBS ||
        err->code == ERR_TOO_MANY_STREAMS || err->code == ERR_STORAGE_FULL)
        http_response_header(resp, "Retry-After", "%d", 10);
    return answer_json(resp, err_status(err->code), body);
}
