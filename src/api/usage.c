#include "api/usage.h"

#include "api/answer.h"
#include "api/call.h"
#include "base/clock.h"

static json_t *figure(int64_t used, int64_t limit)
{
    return json_pack("{sI sI sI}", "used", (json_int_t) used, "limit", (json_int_t) limit,
                     "remaining", (json_int_t) (used < limit ? limit - used : 0));
}

enum http_next usage_get(struct http_request *req, struct http_response *resp)
{
    const struct call *call = req->state;
    char reset[CLOCK_TEXT];

    clock_format(call->month_end, reset);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200,
                       json_pack("{ss so so sI ss}", "plan", call->plan->name, "requests",
                                 figure(call->usage.requests, call->plan->requests_per_month),
                                 "data", figure(call->usage.bytes, call->plan->bytes_per_month),
                                 "reset", (json_int_t) (call->month_end / 1000), "resetAt", reset));
}

enum http_next usage_pricing(struct http_request *req, struct http_response *resp)
{
    const struct plans *plans = &api_of(req)->config->plans;

    http_response_header(resp, "Content-Type", "%s", "text/html; charset=utf-8");
    buf_puts(&resp->body, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                          "<meta name=\"viewport\" content=\"width=device-width\">"
                          "<title>Plans</title><style>body{font:16px/1.5 sans-serif;margin:3em}"
                          "td,th{padding:.3em 1em;text-align:right}"
                          "td:first-child,th:first-child{text-align:left}</style>"
                          "<h1>Plans</h1><table><tr><th>Plan<th>Requests a month"
                          "<th>Data a month (MB)</tr>");
    /* Names are the operator's own, checked when the configuration was read. */
    for (size_t i = 0; i < plans->n; i++)
        buf_printf(&resp->body, "<tr><td>%s<td>%lld<td>%lld</tr>", plans->list[i].name,
                   (long long) plans->list[i].requests_per_month,
                   (long long) (plans->list[i].bytes_per_month / 1000000));
    buf_puts(&resp->body,
             "</table><p>Ask the operator of this server for another plan.</p></html>");
    return HTTP_ANSWER;
}
