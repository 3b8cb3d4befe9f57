/*
 * request: one HTTP request as a handler sees it. Knows no endpoint.
 *
 * All pointers are borrowed and live as long as the request.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/id.h"
#include "base/net.h"

struct http_request {
    const char *method; /* "GET" */
    const char *path;   /* decoded, begins with '/', holds no NUL */
    char id[ID_TEXT];   /* for X-Request-Id and logs */
    /* What the route's pattern captured: "{id}" in "/api/v1/jobs/{id}" is args[0]. */
    const char *args[4];
    const char *route;              /* the pattern that fits, or "none" */
    int64_t content_length;         /* -1: chunked */
    struct net_address peer;        /* whose connection it is: the client, or a proxy */
    bool secure;                    /* it came over TLS */
    int64_t begun_ms;               /* monotonic */
    void *server_data;              /* what http_server_open was given */
    void *state;                    /* the handler's own; freed by its route's `done` */
    struct http_exchange *exchange; /* http/exchange.c's */
};

/* A header's value (names in any case), or NULL. */
const char *http_header(const struct http_request *req, const char *name);
/* All lines of a header, with ", " between their values; false if there is none. For lists that
 * others add to: the first line alone may be the client's invention. */
bool http_header_list(const struct http_request *req, const char *name, struct buf *out);
/* A query parameter's decoded value, or NULL. */
const char *http_query(const struct http_request *req, const char *name);
