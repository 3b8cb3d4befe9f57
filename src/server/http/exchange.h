/*
 * exchange: one request and its response, driven by libmicrohttpd's callbacks. Its stages:
 *     first line -> HEAD -> headers, route, begin -> BODY -> body... -> end -> response
 *                      \-> refused -> READY                   \-> LATER -> response
 *                                 |-> REST (a small rest of the body is read) -> response
 *                                 \-> LINGER (answered while the client still sends)
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <microhttpd.h>

#include "server/http/server.h"

/* What the exchanges of a server share. */
struct exchange_home {
    const struct http_server_config *config;
    bool secure;          /* every connection is TLS */
    atomic_bool draining; /* no connection is kept open after its response */
    atomic_int in_flight; /* requests without a response */
    atomic_int parked;    /* those of in_flight that wait for http_resume or http_stream_wake */

    pthread_mutex_t lock;
    bool closing;
    pthread_cond_t quiet; /* signalled when either became 0 while closing */
};

/* libmicrohttpd's callbacks, with the home as `arg`: MHD_OPTION_URI_LOG_CALLBACK, the access
 * handler, MHD_OPTION_NOTIFY_COMPLETED. */
void *exchange_open(void *arg, const char *target, struct MHD_Connection *mhd);
enum MHD_Result exchange_step(void *arg, struct MHD_Connection *mhd, const char *path,
                              const char *method, const char *version, const char *data, size_t *n,
                              void **exchange);
void exchange_close(void *arg, struct MHD_Connection *mhd, void **exchange,
                    enum MHD_RequestTerminationCode why);
