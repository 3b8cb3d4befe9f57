/*
 * inner: a request that the server makes to one of its own routes on behalf of another request, so
 * that what a client may ask for in another form (server/mcp) is checked, counted and logged as
 * its own request would be. Nothing of it goes over a connection.
 */
#pragma once

#include "server/http/server.h"

#define INNER_HEADERS 6

struct inner_header {
    const char *name, *value; /* value NULL: the header is not there */
};

/* What is asked for. All texts are borrowed until the answer. */
struct inner_ask {
    const char *method;
    const char *target;                         /* path and query: "/api/v1/jobs/7?wait=3" */
    struct inner_header headers[INNER_HEADERS]; /* up to a NULL name */
    /* Names of headers of the outer request that this one does not have, up to a NULL: those that
     * concern its body or its answer. All others it has, too: they say who makes it, and from
     * where. */
    const char *const *withheld;
    const void *body;
    size_t body_bytes;
};

struct inner_host {
    const struct http_route *routes;
    size_t n_routes;
    /* As in struct http_server_config. */
    void (*problem)(struct http_request *req, const struct err *err, struct http_response *resp);
};

/*
 * Makes the request and calls answered(arg, resp) exactly once, perhaps before this returns and
 * perhaps from another thread. The response is freed after that. The outer request must not be
 * answered before.
 */
void inner_start(const struct http_request *outer, const struct inner_host *host,
                 const struct inner_ask *ask,
                 void (*answered)(void *arg, struct http_response *resp), void *arg);
