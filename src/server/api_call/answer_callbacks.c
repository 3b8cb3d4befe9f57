/* What the HTTP server calls for requests that it refuses, and at the end of each
 * (server/api_call/api.h).
 */
#include <string.h>

#include "base/clock.h"
#include "base/rate.h"
#include "base/system/log.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/cors.h"
#include "server/api_call/origin.h"

/* What is refused before its route began is still an answer to a key: it has the headers of that
 * key's quota. */
static bool is_early_refusal(const struct http_request *req, const struct err *err)
{
    return (err->code == ERR_NOT_FOUND || err->code == ERR_METHOD_NOT_ALLOWED ||
            err->code == ERR_UNKNOWN_FIELD || err->code == ERR_INVALID_PARAMETER) &&
           !req->state && strncmp(req->path, "/api/", 5) == 0;
}

void answer_problem(struct http_request *req, const struct err *err, struct http_response *resp)
{
    struct call call = { 0 };
    struct err ignored;

    if (err->code == ERR_METHOD_NOT_ALLOWED && cors_answer_preflight(req, resp))
        return;
    answer_error(req, resp, err);
    if (is_early_refusal(req, err) && call_begin(req, &call, &ignored) == 0)
        call_headers(&call, resp);
}

static void log_access(const struct http_request *req, const struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const struct call *call = req->state;
    char client[NET_TEXT];

    if (!config->access_log)
        return;
    origin_client(req, config, client);
    log_info("http.request", KV("request", req->id), KV("client", client),
             KV("method", req->method), KV("route", req->route), KV("status", resp->status),
             KV("ms", clock_mono_ms() - req->begun_ms),
             KV("key", call && call->known ? call->key.prefix : ""));
}

void answer_finish(struct http_request *req, struct http_response *resp)
{
    http_response_header(resp, "X-Request-Id", "%s", req->id);
    http_response_header(resp, "X-Content-Type-Options", "%s", "nosniff");
    if (req->state)
        call_headers(req->state, resp);
    cors_headers(req, resp);
    rate_note(RATE_REQUESTS);
    log_access(req, resp);
}
