/*
 * call: who calls, and what is left of their month. The state of every route that needs a key
 * begins with a struct call, so that each answer can carry the X-RateLimit headers.
 */
#pragma once

#include <stdbool.h>

#include "account/key.h"
#include "account/plan.h"
#include "api_call/api.h"

struct call {
    bool known; /* a valid key came */
    struct key key;
    const struct plan *plan;  /* &own_plan, once known */
    struct plan own_plan;     /* as it is now: a reload may change it */
    int64_t month, month_end; /* Unix ms */
    struct usage usage;       /* of the month */
    bool exhausted;           /* this answer says that no request is left this month */
};

/* The key that a header of the request names, X-API-Key or Authorization: Bearer; or NULL. */
const char *call_key_text(const struct http_request *req);

/*
 * Judges the key of a request and looks up its plan and usage. The state must be zeroed.
 * ERR_MISSING_API_KEY, ERR_INVALID_API_KEY.
 */
int call_begin(struct http_request *req, struct call *call, struct err *err);

/* Routes whose only state is the call: begin and done for the table. */
enum http_next call_route_begin(struct http_request *req, struct http_response *resp);
void call_route_done(struct http_request *req);

/* The headers X-RateLimit-Limit, -Remaining and -Reset. */
void call_headers(const struct call *call, struct http_response *resp);
