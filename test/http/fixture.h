/* fixture: a server on a free port of the loopback, with handlers that say what they saw. */
#pragma once

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "client.h"
#include "server/http/internals.h"
#include "server/http/server.h"

struct fixture_seen {
    atomic_int begun, done; /* of the routes with a `done` */
    _Atomic int64_t bytes;  /* of the last upload */
    sem_t done_event;       /* posted by each done */
    sem_t later_event;      /* posted by /later when it is about to wait */
    struct http_request *_Atomic later;
    atomic_int
        hold_ms; /* how long the next refusal takes, which posts later_event when it begins */
};

extern struct fixture_seen seen;
extern struct http_server *server;
extern uint16_t port;

/* Generous limits, so that nothing happens by itself. */
extern const struct http_server_config fixture_config;

void open_server(const struct http_server_config *config);
void close_server(void);

/* False if the event does not come in time. */
bool wait_for(sem_t *event);
/* One request on a connection of its own. */
struct answer ask(const char *request);
/* Whether each connection ends after one request, as it must with a libmicrohttpd whose internals
 * are not known. */
bool one_request_each(void);
/* Answers the request (a struct http_request) that answered HTTP_LATER. A thread's function. */
void *fixture_resume(void *request);

#define GET(path)     "GET " path " HTTP/1.1\r\nHost: h\r\n\r\n"
#define FIXTURE_LARGE (64 << 20) /* bytes of /large: more than the sockets' buffers take */
