#include "api/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/call.h"
#include "base/clock.h"
#include "base/log.h"

enum http_next answer_json(struct http_response *resp, int status, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

    json_decref(json);
    resp->status = text ? status : 500;
    http_response_header(resp, "Content-Type", "application/json");
    if (text)
        buf_puts(&resp->body, text);
    free(text);
    return HTTP_ANSWER;
}

void answer_base_url(const struct http_request *req, char *out, size_t cap)
{
    const struct api *api = api_of(req);
    const char *host = http_header(req, "Host");

    if (*api->config->base_url) {
        snprintf(out, cap, "%s", api->config->base_url);
        for (size_t n = strlen(out); n && out[n - 1] == '/'; n--)
            out[n - 1] = '\0';
        return;
    }
    /* Only the letters a host and a port are made of: this goes into an address. */
    if (!host || host[strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789.-_:[]")])
        host = api->config->listen;
    snprintf(out, cap, "http://%s", host);
}

static void add_quota(const struct http_request *req, const struct err *err,
                      struct http_response *resp, json_t *body)
{
    const struct api *api = api_of(req);
    const struct call *call = req->state;
    char base[600], own[620];

    answer_base_url(req, base, sizeof base);
    snprintf(own, sizeof own, "%s/pricing", base);
    json_object_set_new(body, "upgradeUrl",
                        json_string(*api->config->upgrade_url ? api->config->upgrade_url : own));
    json_object_set_new(body, "limit", json_string(err->field));
    http_response_header(resp, "Retry-After", "%lld",
                         (long long) (call->month_end - clock_wall_ms()) / 1000 + 1);
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
        log_error("storage.full", KV("request", req->id), KV("why", err->msg));
        message = "the server's storage is full; try again later";
    }
    body = json_pack("{ss ss ss}", "error", err_name(err->code), "message", message, "requestId",
                     req->id);
    if (err->code == ERR_QUOTA_EXCEEDED) {
        struct call *call = req->state;

        call->exhausted = true;
        add_quota(req, err, resp, body);
    } else if (*err->field) {
        json_object_set_new(body, "field", json_string(err->field));
    }
    if (err->code == ERR_OVERLOADED || err->code == ERR_SHUTTING_DOWN ||
        err->code == ERR_TOO_MANY_JOBS)
        http_response_header(resp, "Retry-After", "%d", 10);
    return answer_json(resp, err_status(err->code), body);
}

void api_problem(struct http_request *req, const struct err *err, struct http_response *resp)
{
    answer_error(req, resp, err);
}

void api_finish(struct http_request *req, struct http_response *resp)
{
    http_response_header(resp, "X-Request-Id", "%s", req->id);
    http_response_header(resp, "X-Content-Type-Options", "%s", "nosniff");
    if (req->state)
        call_headers(req->state, resp);
}
