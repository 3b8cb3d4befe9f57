#include "server/api_call/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "data/store/store_sessions.h"
#include "server/api_call/answer.h"
#include "server/api_call/scope.h"
#include "server/api_call/session_cookie.h"
#include "server/api_call/visitors.h"

#define TEST_JOBS 10 /* of a test key, within a minute */

const char *call_key_text(const struct http_request *req)
{
    const char *value = http_header(req, "X-API-Key");

    if (value)
        return value;
    value = http_header(req, "Authorization");
    if (!value || strncasecmp(value, "Bearer ", 7) != 0)
        return NULL;
    value += 7;
    return value + strspn(value, " ");
}

/* Test keys use no quota, and are slow whatever the plan is. */
static void limit_test(struct call *call)
{
    struct plan *plan = &call->own_plan;

    if (plan->jobs_per_minute == 0 || plan->jobs_per_minute > TEST_JOBS)
        plan->jobs_per_minute = TEST_JOBS;
    call->usage = (struct usage){ 0 };
}

/* Finds the key that a header has. */
static int find_key(struct api *api, const char *text, struct call *call, struct err *err)
{
    char prefix[KEY_PREFIX], digest[DIGEST_TEXT];
    int64_t now = clock_wall_ms();
    int found;

    if (!key_split(text, prefix, digest))
        return err_set(err, ERR_INVALID_API_KEY,
                       "this is not a whole API key, or one with a typing error: copy it again");
    found = store_key_find(api->store, digest, &call->key, err);
    if (found < 0)
        return -1;
    if (found == 0 || (call->key.valid_until && call->key.valid_until <= now))
        return err_set(
            err, ERR_INVALID_API_KEY,
            "this API key is not valid: check it, or ask who gave it to you for a new one");
    return 0;
}

/* Finds the key of the session whose token a cookie has. */
static int find_session(struct api *api, const char *token, struct call *call, struct err *err)
{
    char digest[DIGEST_TEXT];
    int64_t now = clock_wall_ms();
    int found = 0;

    if (session_token_digest(token, digest))
        found = store_session_find(api->store, digest, now, &call->key, &call->session_until, err);
    if (found < 0)
        return -1;
    if (found == 0 || (call->key.valid_until && call->key.valid_until <= now))
        return err_set(err, ERR_INVALID_API_KEY,
                       "this browser's session has ended: open the page again with your API key");
    return 0;
}

static int find_caller(struct http_request *req, struct call *call, struct err *err)
{
    const char *text = call_key_text(req);
    char token[SESSION_TOKEN];

    if (text && *text)
        return find_key(api_of(req), text, call, err);
    if (!text && session_cookie_token(req, token))
        return find_session(api_of(req), token, call, err);
    return err_set(err, ERR_MISSING_API_KEY, "send your API key in the header X-API-Key");
}

int call_begin(struct http_request *req, struct call *call, struct err *err)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    int64_t now = clock_wall_ms();
    const struct plan *plan;

    if (find_caller(req, call, err) < 0)
        return -1;
    if (visitors_is(&call->key) && strcmp(config->web, "open") != 0)
        return err_set(err, ERR_INVALID_API_KEY, "this server does not accept visitors any more");
    if (scope_check(req, &call->key, err) < 0)
        return -1;
    plan = plan_list_find(&config->plans, call->key.plan);
    if (plan)
        call->own_plan = *plan;
    else if (visitors_is(&call->key))
        visitors_plan(config, &call->own_plan);
    else
        return err_set(err, ERR_INTERNAL, "the plan %s of a key is not configured", call->key.plan);
    call->plan = &call->own_plan;
    call->month = clock_month_start(now);
    call->month_end = clock_month_end(now);
    if (key_is_test(call->key.prefix))
        limit_test(call);
    else if (store_usage(api->store, call->key.id, call->month, &call->usage, err) < 0)
        return -1;
    if (call->plan->jobs_per_minute)
        rates_look(api->rates, call->key.id, call->plan->jobs_per_minute, &call->rate);
    call->known = true;
    return 0;
}

int call_count_job(struct http_request *req, struct call *call, struct err *err)
{
    const struct api *api = api_of(req);
    int64_t limit = call->plan->jobs_per_minute;

    return limit ? rates_count(api->rates, api->store, call->key.id, limit, &call->rate, err) : 0;
}

void call_refresh(struct http_request *req, struct call *call)
{
    const struct api *api = api_of(req);
    struct err err;

    if (!key_is_test(call->key.prefix) &&
        store_usage(api->store, call->key.id, call->month, &call->usage, &err) < 0)
        call->known = false;
    if (call->plan->jobs_per_minute)
        rates_look(api->rates, call->key.id, call->plan->jobs_per_minute, &call->rate);
}

enum http_next call_route_begin(struct http_request *req, struct http_response *resp)
{
    struct call *call = calloc(1, sizeof *call);
    struct err err;

    req->state = call;
    if (!call)
        return answer_error(req, resp, (err_sys(&err, "call"), &err));
    if (call_begin(req, call, &err) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

void call_route_done(struct http_request *req)
{
    free(req->state);
    req->state = NULL;
}

/* The policies "minute", if the plan has that limit, and "month". */
static void fields(const struct call *call, int64_t limit, int64_t left, struct http_response *resp)
{
    int64_t month = (call->month_end - call->month) / 1000;
    int64_t ends = (call->month_end - clock_wall_ms() + 999) / 1000;
    const struct rates_state *rate = &call->rate;
    char policy[64] = "", state[80] = "";

    if (rate->limit) {
        snprintf(policy, sizeof policy, "\"minute\";q=%lld;w=60, ", (long long) rate->limit);
        snprintf(state, sizeof state, "\"minute\";r=%lld;t=%lld, ", (long long) rate->left,
                 (long long) rate->seconds);
    }
    http_response_header(resp, "RateLimit-Policy", "%s\"month\";q=%lld;w=%lld", policy,
                         (long long) limit, (long long) month);
    http_response_header(resp, "RateLimit", "%s\"month\";r=%lld;t=%lld", state, (long long) left,
                         (long long) (ends > 0 ? ends : 0));
}

void call_headers(const struct call *call, struct http_response *resp)
{
    int64_t limit, left, bytes;

    if (!call->known)
        return;
    limit = call->plan->requests_per_month;
    left = call->exhausted || call->usage.requests >= limit ? 0 : limit - call->usage.requests;
    bytes = call->plan->bytes_per_month - call->usage.bytes;
    http_response_header(resp, "X-RateLimit-Limit", "%lld", (long long) limit);
    http_response_header(resp, "X-RateLimit-Remaining", "%lld", (long long) left);
    http_response_header(resp, "X-RateLimit-Reset", "%lld", (long long) (call->month_end / 1000));
    http_response_header(resp, "X-RateLimit-Data-Remaining", "%lld",
                         (long long) (bytes > 0 ? bytes : 0));
    fields(call, limit, left, resp);
}
