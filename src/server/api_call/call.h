/*
 * call: the caller of a request, and the rest of their quota. The state of every route that needs a
 * key begins with a struct call, so that each response can have the X-RateLimit headers.
 */
#pragma once

#include <stdbool.h>

#include "data/account/key.h"
#include "data/account/plan.h"
#include "server/api_call/api.h"
#include "server/api_call/rates.h"

struct call {
    bool known; /* the request has a valid key */
    struct key key;
    int64_t session_until;    /* Unix ms: end of the browser's session; 0: there is a key */
    const struct plan *plan;  /* &own_plan, once known */
    struct plan own_plan;     /* a copy: a reload may change the configured plan */
    int64_t month, month_end; /* Unix ms */
    struct usage usage;       /* of the month */
    struct rates_state rate;  /* of the minute */
    bool exhausted;           /* this response refuses a request because the quota is used up */
};

/* The key in a header of the request, X-API-Key or Authorization: Bearer; or NULL. */
const char *call_key_text(const struct http_request *req);

/*
 * Checks the key of a request, or its browser's session, and looks up its plan and usage. The state
 * must be zeroed. ERR_MISSING_API_KEY, ERR_INVALID_API_KEY, and those of scope_check.
 */
int call_begin(struct http_request *req, struct call *call, struct err *err);

/* `begin` and `done` for routes whose only state is the call. */
enum http_next call_route_begin(struct http_request *req, struct http_response *resp);
void call_route_done(struct http_request *req);

/* Counts a job that the caller submits: ERR_RATE_LIMITED if it is one too many. */
int call_count_job(struct http_request *req, struct call *call, struct err *err);

/* Looks up again what is left, after an inner request (server/http/inner.h) may have used some. */
void call_refresh(struct http_request *req, struct call *call);

/* Adds the headers X-RateLimit-Limit, -Remaining, -Reset and -Data-Remaining, and RateLimit and
 * RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-10. */
void call_headers(const struct call *call, struct http_response *resp);
