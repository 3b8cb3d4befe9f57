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
