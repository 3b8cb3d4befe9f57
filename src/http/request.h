/*
 * request: one HTTP request as a handler sees it. Knows no endpoint.
 *
 * All pointers are borrowed and live as long as the request.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/id.h"

struct http_request {
    const char *method; /* "GET" */
    const char *path;   /* decoded, begins with '/', holds no NUL */
    char id[ID_TEXT];   /* for X-Request-Id and logs */
    /* What the route's pattern captured: "{id}" in "/api/v1/jobs/{id}" is args[0]. */
    const char *args[4];
    int64_t content_length;         /* -1: chunked */
    void *server_data;              /* what http_server_open was given */
    void *state;                    /* the handler's own; freed by its route's `done` */
    struct http_exchange *exchange; /* http/server.c's */
};

/* A header's value (names in any case), or NULL. */
const char *http_header(const struct http_request *req, const char *name);
/* A query parameter's decoded value, or NULL. */
const char *http_query(const struct http_request *req, const char *name);
