#include "server/api/usage.h"

#include <string.h>

#include "base/clock.h"
#include "base/num.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/api_submit/retention.h"

#define MOST_MONTHS 36

static json_t *figure(int64_t used, int64_t limit)
{
    return json_pack("{sI sI sI}", "used", (json_int_t) used, "limit", (json_int_t) limit,
                     "remaining", (json_int_t) (used < limit ? limit - used : 0));
}

/* The months before and up to this one, the oldest first. */
static int add_history(struct http_request *req, json_t *answer, struct err *err)
{
    const struct call *call = req->state;
    const char *text = http_query(req, "months");
    int64_t months, starts[MOST_MONTHS], at = call->month;
    json_t *history;

    if (!text)
        return 0;
    if (!num_parse_i64(text, strlen(text), 1, MOST_MONTHS, &months))
        return err_field(err, ERR_INVALID_PARAMETER, "months", "months must be 1 to %d",
                         MOST_MONTHS);
    for (int64_t i = months; i-- > 0; at = clock_month_start(at - 1))
        starts[i] = at;
    history = json_array();
    json_object_set_new(answer, "history", history);
    for (int64_t i = 0; i < months; i++) {
        char month[CLOCK_TEXT];
        struct usage usage;

        if (key_is_test(call->key.prefix))
            usage = (struct usage){ 0 };
        else if (store_usage(api_of(req)->store, call->key.id, starts[i], &usage, err) < 0)
            return -1;
        clock_format(starts[i], month);
        month[sizeof "2026-11" - 1] = '\0';
        json_array_append_new(history, json_pack("{ss sI sI}", "month", month, "requests",
                                                 (json_int_t) usage.requests, "bytes",
                                                 (json_int_t) usage.bytes));
    }
    return 0;
}

enum http_next usage_get(struct http_request *req, struct http_response *resp)
{
    const struct call *call = req->state;
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    char reset[CLOCK_TEXT];
    int64_t kept, longest;
    struct err err;
    json_t *answer;

    retention_limits(config, call->plan, &kept, &longest);
    clock_format(call->month_end, reset);
    answer =
        json_pack("{ss so so sI ss sI sI}", "plan", call->plan->name, "requests",
                  figure(call->usage.requests, call->plan->requests_per_month), "data",
                  figure(call->usage.bytes, call->plan->bytes_per_month), "reset",
                  (json_int_t) (call->month_end / 1000), "resetAt", reset, "retentionSeconds",
                  (json_int_t) (kept / 1000), "maxRetentionSeconds", (json_int_t) (longest / 1000));
    if (add_history(req, answer, &err) < 0) {
        json_decref(answer);
        return answer_error(req, resp, &err);
    }
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, answer);
}
