/*
 * request: one HTTP request as a handler sees it; independent of all endpoints.
 *
 * All pointers are borrowed and live as long as the request.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/id.h"
#include "base/system/net.h"

struct http_response; /* server/http/response.h */
struct http_request;

/* How a request without a connection of its own (server/http/inner.h) is served: what the functions
 * below, http_later and http_resume do for it. */
struct http_inside {
    const char *(*header)(const struct http_request *req, const char *name);
    bool (*header_list)(const struct http_request *req, const char *name, struct buf *out);
    const char *(*query)(const struct http_request *req, const char *name);
    struct http_response *(*later)(struct http_request *req);
    void (*resume)(struct http_request *req);
};

struct http_request {
    const char *method; /* for example "GET" */
    const char *path;   /* decoded, begins with '/', holds no NUL */
    char id[ID_TEXT];   /* for X-Request-Id and logs */
    /* The parts of the path that the route's pattern captured: "{id}" in "/api/v1/jobs/{id}" is
     * args[0]. */
    const char *args[4];
    const char *route;                /* the pattern that matches, or "none" */
    int64_t content_length;           /* -1: chunked */
    struct net_address peer;          /* the other side of the connection: the client, or a proxy */
    bool secure;                      /* it came over TLS */
    bool old;                         /* it is of HTTP/1.0 */
    int64_t begun_ms;                 /* monotonic */
    void *server_data;                /* `data` of http_server_open's config */
    void *state;                      /* the handler's own state; freed by its route's `done` */
    struct http_exchange *exchange;   /* for server/http/exchange.c */
    const struct http_inside *inside; /* NULL: it came over a connection */
};

/* A header's value, or NULL. Names are compared without regard to case. */
const char *http_header(const struct http_request *req, const char *name);
/* Appends the values of all lines of a header, with ", " between them; false if there is none.
 * For lists that proxies append to: the first line alone may be the client's invention. */
bool http_header_list(const struct http_request *req, const char *name, struct buf *out);
/* Whether the client of a request that waits (HTTP_LATER) has ended its side of the connection.
 * Called from any thread, before http_resume. */
bool http_left(const struct http_request *req);
/* A query parameter's decoded value, or NULL. */
const char *http_query(const struct http_request *req, const char *name);
