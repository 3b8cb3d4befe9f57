/*
 * api: what the handlers share. A handler is: judge the call, do one thing, answer. One file per
 * resource; api/routes.c is THE table of endpoints.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/crew.h"
#include "blob/blob.h"
#include "config/live.h"
#include "dispatch/dispatcher.h"
#include "dispatch/hub.h"
#include "http/server.h"
#include "store/store.h"
#include "webhook/sender.h"
#include "worker/catalog.h"

struct api {
    struct live *settings;
    struct http_server *_Atomic server; /* that serves it; NULL before it does */
    struct store *store;
    struct blob_store *blobs;
    struct catalog *catalog;
    struct dispatcher *dispatcher;
    struct hub *hub;
    struct dry_runs *dry_runs;
    struct visitors *visitors; /* api_call/visitors.h */
    struct strips *strips;     /* api_submit/strips.h */
    struct sender *sender;
    struct pace *pace;
    struct crew *intake;         /* threads that may wait for the disk */
    struct buf openapi;          /* api/openapi.h */
    int64_t began_ms;            /* clock_mono_ms when the server began to start */
    char url_key[64];            /* signs download addresses; api/signing.h */
    atomic_bool draining;        /* no new work is taken */
    atomic_bool unsure;          /* the last job could not be written to the disk */
    atomic_bool full;            /* the log has said that the storage is full, and not yet that
                                    there is room again */
    atomic_bool removed;         /* a job was deleted, or its inputs were erased from
                                    the store, since the janitor's last look */
    atomic_int_fast64_t pending; /* jobs that wait, as of the janitor's last look */
};

/* The table, for http_server_config. */
const struct http_route *api_routes(size_t *n);
/* The part of it that is about the server itself, for one that takes no requests of clients. */
const struct http_route *api_own_routes(size_t *n);
/* http_server_config.problem and .finish */
void answer_problem(struct http_request *req, const struct err *err, struct http_response *resp);
void answer_finish(struct http_request *req, struct http_response *resp);

static inline struct api *api_of(const struct http_request *req)
{
    return req->server_data;
}
