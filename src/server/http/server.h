/*
 * server: HTTP/1.1 (RFC 9112) by libmicrohttpd, with a table of routes and limits of our own.
 *
 * Refused before any handler is called: no Host or more than one (HTTP/1.1), Content-Length twice
 * or together with Transfer-Encoding, anything else that two servers in a row could read
 * differently (server/http/framing.h), headers over 20 KB (431), headers that take longer than
 * header_timeout_ms, a body slower than min_body_rate (408), a path with a NUL or malformed
 * escapes.
 *
 * What libmicrohttpd itself cannot parse (a header without a colon, an invalid Content-Length, a
 * malformed chunk, another version of HTTP, headers over 40 to 60 KB) is answered by `problem`,
 * too, and the connection ends. Only a first line without a blank gets no response.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/system/net.h"
#include "server/http/request.h"
#include "server/http/response.h"

enum http_next {
    HTTP_ANSWER,   /* the response is filled */
    HTTP_CONTINUE, /* only from `begin` and `body`: continue reading */
    HTTP_LATER,    /* only from `end`: another thread will fill the response and call http_resume */
};

/*
 * A route. The first in the table that matches the path and method is used. GET also serves HEAD.
 * Handlers run on the server's threads: they do not block on anything slower than a read of the
 * store; a handler that needs more answers HTTP_LATER and works elsewhere.
 */
struct http_route {
    const char *method;
    const char *pattern; /* "/api/v1/jobs/{id}"; "{name...}" matches the rest of the path */
    /* Called when the headers are complete, before the body. Answering here refuses the body;
     * the response to a request with a body is then small and not a file. NULL: HTTP_CONTINUE. */
    enum http_next (*begin)(struct http_request *req, struct http_response *resp);
    /* Called with a piece of the body. Answering here refuses the rest, as in `begin`. NULL: a
     * body is read and dropped (at most 1 MiB of it). */
    enum http_next (*body)(struct http_request *req, const void *data, size_t n,
                           struct http_response *resp);
    /* Called when the whole request has arrived. */
    enum http_next (*end)(struct http_request *req, struct http_response *resp);
    /* Called exactly once for each request that this route was found for, after the last of the
     * others, whether it was answered, refused or left by its client. Frees req->state. */
    void (*done)(struct http_request *req);
    /* The names of the query parameters of this address, with blanks between them; "": none.
     * Before `begin` is called, any other parameter is answered with ERR_UNKNOWN_FIELD, and one
     * that is given twice with ERR_INVALID_PARAMETER. NULL: all are accepted. */
    const char *query;
};

struct http_server_config {
    const char *address; /* "127.0.0.1", "::1" */
    uint16_t port;       /* 0: any free port */
    /* a TCP socket that listens already, instead of address and port; the server owns it and
     * closes it without ending it for other processes that have it. 0: none */
    int listener;
    /* a socket of http_bind with this address and port; the server owns it. 0: the server binds
     * one itself */
    int bound;
    const struct http_route *routes;
    size_t n_routes;
    void *data; /* becomes req->server_data */
    /* Fills the response for requests that no handler sees (404, 405, 400, 408, 413, 431); err
     * has the code. For 408 possibly nothing but the request's id is known. */
    void (*problem)(struct http_request *req, const struct err *err, struct http_response *resp);
    /* Called before any response is sent; may add headers. May be NULL. */
    void (*finish)(struct http_request *req, struct http_response *resp);
    int threads; /* 1 to 64 */
    /* beyond it, the connection that has been idle longest is closed; if none is idle, the one
     * whose headers have been arriving longest; if there is none, new ones wait (256 of them, 32
     * of one client; more are closed). The loopback has WATCH_RESERVED (server/http/watch.h) more,
     * unless it is a proxy */
    int max_connections;
    /* limit of one address (in IPv6 of one /64); beyond it, an idle connection of the same
     * client is closed; if none is idle, the new one is. 0: no limit */
    int max_per_client;
    /* Whether an address is a proxy's, to which max_per_client does not apply. `arg` is `data`.
     * NULL: none is. Called from any thread. */
    bool (*is_proxy)(void *arg, const struct net_address *address);
    /* of a connection that waits for its next request, or that does not read min_body_rate on
     * average */
    int64_t idle_timeout_ms;
    int64_t header_timeout_ms; /* from the first byte of a request to the end of its headers */
    int64_t min_body_rate;     /* bytes a second, averaged over body_grace_ms */
    int64_t body_grace_ms;
    /* Files (PEM) of the certificate and its key; both "": no TLS. A process has one server with
     * TLS. */
    const char *tls_certificate, *tls_key;
};

struct http_server;

/*
 * Raises the limit of open files (RLIMIT_NOFILE) as far as allowed towards what max_connections
 * connections and all else that the server opens may need. Returns how many connections the limit
 * then allows, at most max_connections.
 */
int http_server_carries(int max_connections);

/*
 * Binds a TCP socket to an address ("127.0.0.1", "::1") and a port without listening on it. A
 * program that starts slowly thus learns at once that the address is in use, and a client is
 * refused until http_server_open listens. Returns the descriptor, which the caller closes or gives
 * to http_server_open, or -1.
 */
int http_bind(const char *address, uint16_t port, struct err *err);

/* Listens and starts the threads. `config` is copied; what it points to must outlive the server.
 * NULL on failure. */
struct http_server *http_server_open(const struct http_server_config *config, struct err *err);
/* The port on which it listens. */
uint16_t http_server_port(const struct http_server *server);
/* The number of open connections. */
int http_server_connections(const struct http_server *server);
/* Changes timeouts, rate and certificate for what begins from now on; the rest of `config` is
 * ignored. Whether there is TLS at all cannot change. On failure nothing has changed. */
int http_server_change(struct http_server *server, const struct http_server_config *config,
                       struct err *err);
/* Accepts no new connections and closes each one after the response that it waits for. */
void http_server_drain(struct http_server *server);
/* Waits up to grace_ms for requests in progress, then closes all. Waits without limit for
 * http_resume of those that answered HTTP_LATER, and for sources that sleep: their owners wake
 * them, and from then on they return their end. */
void http_server_close(struct http_server *server, int64_t grace_ms);

/*
 * Has the source of a request's response (http_response.source) read again, if it sleeps or is
 * about to. May be called from any thread and any number of times, between the handler's `end` and
 * its `done`; not from the source itself.
 */
void http_stream_wake(struct http_request *req);

/* The response of a request that answered HTTP_LATER: fill it, then resume. From any thread,
 * once. */
struct http_response *http_later(struct http_request *req);
void http_resume(struct http_request *req);
