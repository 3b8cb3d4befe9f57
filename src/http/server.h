/*
 * server: HTTP/1.1 (RFC 9112) by libmicrohttpd, behind a table of routes and limits of our own.
 *
 * Refused before any handler sees it: no or more than one Host (HTTP/1.1), Content-Length together
 * with Transfer-Encoding or twice, anything else two servers in a row could read differently
 * (http/framing.h), headers over 20 KB (431), headers that take longer than header_timeout_ms,
 * a body slower than min_body_rate (408), a path with a NUL or bad escapes.
 *
 * What libmicrohttpd itself cannot read (a header without a colon, a Content-Length that is no
 * number, a broken chunk, another version of HTTP, headers over 40 to 60 KB) is answered by
 * `problem` too, and the connection ends. Only a first line without a blank has no answer.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/net.h"
#include "http/request.h"
#include "http/response.h"

enum http_next {
    HTTP_ANSWER,   /* the response is filled */
    HTTP_CONTINUE, /* only from `begin` and `body`: go on reading */
    HTTP_LATER,    /* only from `end`: some thread will fill the response and call http_resume */
};

/*
 * A route; of those that fit a path and method the first in the table counts. GET also serves HEAD.
 * Handlers run on the server's threads: they do not block on anything slower than a read of the
 * store; what does answers HTTP_LATER and works elsewhere.
 */
struct http_route {
    const char *method;
    const char *pattern; /* "/api/v1/jobs/{id}"; "{name...}" takes the rest of the path */
    /* Headers are in, the body is not. Answering here refuses the body; the answer to a request
     * with a body is then a small one and no file. NULL: HTTP_CONTINUE. */
    enum http_next (*begin)(struct http_request *req, struct http_response *resp);
    /* A piece of the body. Answering here refuses the rest, as in `begin`. NULL: a body is read and
     * thrown away (at most 1 MiB of it). */
    enum http_next (*body)(struct http_request *req, const void *data, size_t n,
                           struct http_response *resp);
    /* The whole request is in. */
    enum http_next (*end)(struct http_request *req, struct http_response *resp);
    /* Exactly once for each request that this route was found for, after the last of the others:
     * answered, refused or left by its client. Frees req->state. */
    void (*done)(struct http_request *req);
    /* The names of the query parameters this address takes, with blanks between them; "": none.
     * Others, and one that is given twice, are answered ERR_UNKNOWN_FIELD and
     * ERR_INVALID_PARAMETER before `begin`. NULL: any are taken. */
    const char *query;
};

struct http_server_config {
    const char *address; /* "127.0.0.1", "::1" */
    uint16_t port;       /* 0: any free one */
    int listener;        /* a TCP socket that listens already, instead of address and port; it
                            becomes the server's, which closes it without ending it for others
                            that hold it. 0: none */
    int bound;           /* a socket of http_bind with this address and port; it becomes the
                            server's. 0: none, the server binds one itself */
    const struct http_route *routes;
    size_t n_routes;
    void *data; /* req->server_data */
    /* Fills the answer for what no handler saw (404, 405, 400, 408, 413, 431): err has the code.
     * Of 408 no more may be known of the request than its id. */
    void (*problem)(struct http_request *req, const struct err *err, struct http_response *resp);
    /* Called before any answer leaves; may add headers. May be NULL. */
    void (*finish)(struct http_request *req, struct http_response *resp);
    int threads;         /* 1 to 64 */
    int max_connections; /* beyond, the one longest idle makes room; if none is idle, the one whose
                            headers have been arriving longest; if there is none, new ones wait
                            (256 of them, 32 of one client; more are closed). The loopback has
                            WATCH_RESERVED (http/watch.h) more, unless it is a proxy */
    int max_per_client;  /* of these, of one address (in IPv6 of one /64); beyond, the client's own
                            idle ones make room; if none is, the new one is closed. 0: no bound */
    /* Whether an address is a proxy's, which is not bounded. `cls` is `data`. NULL: none is. From
     * any thread. */
    bool (*is_proxy)(void *cls, const struct net_address *address);
    int64_t idle_timeout_ms;   /* of a connection that waits for its next request, or does not read
                                  min_body_rate over so long */
    int64_t header_timeout_ms; /* from the first byte of a request to the end of its headers */
    int64_t min_body_rate;     /* bytes a second, judged over body_grace_ms */
    int64_t body_grace_ms;
    /* Files (PEM) of the certificate to show and its key; both "": no TLS. A process has one
     * server with TLS. */
    const char *tls_certificate, *tls_key;
};

struct http_server;

/*
 * Raises the limit of open files (RLIMIT_NOFILE) to what so many connections may need beside all
 * else that the server opens, as far as it may be raised. Returns how many connections the limit
 * then carries, at most max_connections.
 */
int http_server_carries(int max_connections);

/*
 * Binds a TCP socket to an address ("127.0.0.1", "::1") and a port without listening on it. A
 * program whose start is slow learns at once that another one has the address, and a client is
 * refused until http_server_open listens. Returns the descriptor, which the caller closes or gives
 * to http_server_open, or -1.
 */
int http_bind(const char *address, uint16_t port, struct err *err);

struct http_server *http_server_open(const struct http_server_config *config, struct err *err);
uint16_t http_server_port(const struct http_server *server);
/* How many connections are open. */
int http_server_connections(const struct http_server *server);
/* Other timeouts, rate and certificate for what begins from now on; the rest of `config` does not
 * count. Whether there is TLS at all stays as it was. On failure nothing has changed. */
int http_server_change(struct http_server *server, const struct http_server_config *config,
                       struct err *err);
/* Takes no new connections and closes each one after the answer it is owed. */
void http_server_drain(struct http_server *server);
/* Waits up to grace_ms for requests under way, then closes all. Waits without end for http_resume
 * of those that answered HTTP_LATER, and for sources that sleep: whoever owns them wakes them, and
 * from then on they give their end. */
void http_server_close(struct http_server *server, int64_t grace_ms);

/*
 * Has the source of a request's answer (http_response.source) read again, if it has gone to sleep
 * or is about to. From any thread and any number of times, between the handler's `end` and its
 * `done`; not from the source itself.
 */
void http_stream_wake(struct http_request *req);

/* The response of a request that answered HTTP_LATER; fill it, then resume. From any thread, once.
 */
struct http_response *http_later(struct http_request *req);
void http_resume(struct http_request *req);
