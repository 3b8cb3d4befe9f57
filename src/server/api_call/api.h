/*
 * api: the state that handlers share. A handler checks the call, does one thing, and answers. There
 * is one file for each resource; server/api/routes.c has the table of all endpoints.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/system/crew.h"
#include "data/blob/blob.h"
#include "data/store/store.h"
#include "sandbox/worker/catalog.h"
#include "server/config/live.h"
#include "server/dispatch/dispatcher.h"
#include "server/dispatch/hub.h"
#include "server/http/server.h"
#include "server/webhook/sender.h"

struct api {
    struct live *settings;
    struct http_server *_Atomic server; /* the server that serves it; NULL before it starts */
    struct store *store;
    struct blob_store *blobs;
    struct catalog *catalog;
    struct dispatcher *dispatcher;
    struct hub *hub;
    struct dry_runs *dry_runs;
    struct visitors *visitors; /* server/api_call/visitors.h */
    struct rates *rates;       /* server/api_call/rates.h */
    struct strips *strips;     /* server/api_submit/strips.h */
    struct sender *sender;
    struct shipper *shipper; /* server/shipment/shipper.h */
    struct pace *pace;
    struct crew *fetches;                  /* threads that wait for files from addresses */
    struct crew *intake;                   /* threads that may wait for the disk */
    struct buf openapi;                    /* server/openapi/openapi.h */
    struct buf openapi_older;              /* the same as OpenAPI 3.0 */
    struct openapi_copies *openapi_copies; /* both as they are sent */
    int64_t began_ms;                      /* clock_mono_ms when the server began to start */
    char url_key[64];     /* key of signed download addresses; server/api/signing.h */
    atomic_bool draining; /* no new work is accepted */
    atomic_bool unsure;   /* the last job could not be written to disk */
    /* the log says that the storage is full, and does not say yet that it has space again */
    atomic_bool full;
    atomic_int_fast64_t unavailable_at; /* when the log last said so; clock_mono_ms */
    /* a job was deleted, or its inputs were erased from the store, since the janitor's last
     * round */
    atomic_bool removed;
    atomic_int_fast64_t pending; /* number of waiting jobs, as of the janitor's last round */
};

/* The table of all routes, for http_server_config. */
const struct http_route *api_routes(size_t *n);
/* The routes that concern the server itself, for a server without clients' requests. */
const struct http_route *api_own_routes(size_t *n);
/* The functions http_server_config.problem and .finish of the API (server/http/server.h). */
void answer_problem(struct http_request *req, const struct err *err, struct http_response *resp);
void answer_finish(struct http_request *req, struct http_response *resp);

static inline struct api *api_of(const struct http_request *req)
{
    return req->server_data;
}
