/*
 * watch: one thread that accepts connections and enforces their deadlines. libmicrohttpd only knows
 * inactivity; the deadlines here cannot be put off by a byte now and then.
 *
 * It uses the kernel's counters (TCP_INFO), so that serving a request costs nothing extra.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "base/err.h"
#include "base/system/net.h"
#include "server/http/pool.h"
#include "server/http/tls.h"

/* The phase of a connection. Set by the thread that serves it, read by the watch. */
enum watch_phase {
    WATCH_IDLE,    /* waits for the next request, or for the rest of its first line */
    WATCH_HEADERS, /* the first line is in */
    WATCH_BODY,
    WATCH_BUSY, /* a handler works: the client has nothing to do */
    WATCH_SEND,
    WATCH_STREAM, /* an endless response: nothing to send most of the time */
    WATCH_LINGER, /* answered while the client still sends: what arrives is dropped */
};

struct watch_conn {
    struct watch_conn *next, **link;
    struct watch *watch;
    void *exchange;    /* the request at hand (server/http/exchange.c); NULL: none has begun */
    bool own;          /* of this machine itself: see WATCH_RESERVED */
    struct peer *peer; /* whose connections are counted together; NULL: those of no address */
    int fd;
    struct tls_tap tap; /* for the thread that serves the connection, like the pool */
    struct pool pool;
    _Atomic int phase;
    _Atomic int64_t since;      /* when the phase began, or the first byte of the request arrived */
    _Atomic int64_t body_bytes; /* of the current request */
    _Atomic bool fresh;         /* has not had a request yet */
    _Atomic bool late;          /* the client was too slow: its request is about to be cut off */
    /* The members below belong to the watch. */
    int seen_phase;
    int64_t seen_since, begun, mark_ms, mark_bytes;
    int64_t cut_ms; /* when the client's side was ended (server/http/deadline.h); 0: it was not */
};

/* Number of connections from this machine itself that are accepted beyond max_connections, so that
 * an operator can reach a full server. Connections of a proxy on this machine do not count: they
 * are those of clients elsewhere. */
#define WATCH_RESERVED 8

struct watch_limits {
    int max_connections;
    int max_per_client; /* limit of one address, in IPv6 of one /64; 0: no limit */
    /* Whether an address is a proxy's, which has many clients and no limit. NULL: none is.
     * Called from any thread. */
    bool (*is_proxy)(void *arg, const struct net_address *address);
    void *arg;
    /* idle_timeout_ms, header_timeout_ms, body_grace_ms and min_body_rate of http_server_config */
    int64_t idle_ms, header_ms, grace_ms, min_rate;
};

struct watch;

/* Makes a watch, which takes ownership of `listener`, a listening, non-blocking socket. `shared`:
 * other processes listen on it too, and continue when it is closed here. `home`: a pointer for the
 * caller's own use, which watch_home returns. */
struct watch *watch_new(int listener, bool shared, const struct watch_limits *limits, void *home,
                        struct err *err);
/* Returns the `home` that watch_new was given. */
void *watch_home(const struct watch *watch);
/* MHD_OPTION_NOTIFY_CONNECTION with the watch as `arg`. The socket context of a connection is
 * its struct watch_conn, or NULL if there was no memory. */
void watch_notify(void *arg, struct MHD_Connection *mhd, void **context,
                  enum MHD_ConnectionNotificationCode code);
/* Starts the thread, which hands accepted connections to the daemon. */
int watch_start(struct watch *watch, struct MHD_Daemon *daemon, struct err *err);
/* Changes the deadlines from now on; the limits on connections stay. */
void watch_change(struct watch *watch, const struct watch_limits *limits);
/* The number of open connections. */
int watch_connections(struct watch *watch);
/* Closes the listening socket, at once. */
void watch_close_listener(struct watch *watch);
/* Ends the thread. Connections may still close afterwards. */
void watch_stop(struct watch *watch);
/* Ends the clients' sides of all connections, and waits until these have closed, for WATCH_EMPTY_MS
 * at most. To be called before the daemon is stopped: libmicrohttpd 0.9.75 crashes if it refuses a
 * malformed request just then, as it takes no response any more and uses it all the same. */
#define WATCH_EMPTY_MS 2000
void watch_empty(struct watch *watch);
void watch_free(struct watch *watch);

/* Begins a phase of the connection, with its deadline. */
void watch_enter(struct watch_conn *conn, enum watch_phase phase);
/* To be called when the connection has its last response and libmicrohttpd is about to close it:
 * what its client still sends is read and dropped for a while, so that the client gets the
 * response. */
void watch_linger(struct watch_conn *conn);
