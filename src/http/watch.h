/*
 * watch: one thread that accepts connections and watches over them. libmicrohttpd only knows
 * inactivity; here stand the deadlines that a client cannot put off by a byte now and then.
 *
 * It judges by what the kernel counted (TCP_INFO), so that nothing is asked on the way of a
 * request.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "base/err.h"
#include "base/net.h"
#include "http/pool.h"
#include "http/tls.h"

/* Where a connection stands. Set by the thread that serves it, read by the watch. */
enum watch_phase {
    WATCH_IDLE,    /* waits for the next request, or for the rest of its first line */
    WATCH_HEADERS, /* the first line is in */
    WATCH_BODY,
    WATCH_BUSY, /* a handler is at it: nothing is asked of the client */
    WATCH_SEND,
    WATCH_STREAM, /* an answer without an end: nothing to send most of the time */
    WATCH_LINGER, /* answered while the client still sends: what comes is thrown away */
};

struct watch_conn {
    struct watch_conn *next, **link;
    struct watch *watch;
    void *exchange;    /* the request at hand (http/exchange.c); NULL: none has begun */
    struct peer *peer; /* whose connections are counted together; NULL: nobody's */
    int fd;
    struct tls_tap tap; /* of the thread that serves it, as is the pool */
    struct pool pool;
    _Atomic int phase;
    _Atomic int64_t since;      /* when the phase began, or the first byte of the request came */
    _Atomic int64_t body_bytes; /* of the request at hand */
    _Atomic bool fresh;         /* has not had a request yet */
    _Atomic bool late;          /* the client took too long: its request is about to be cut off */
    /* The watch's own. */
    int seen_phase;
    int64_t seen_since, begun, mark_ms, mark_bytes;
};

/* Connections of the loopback that are let in beyond max_connections: an operator
 * reaches a full server. Not those of a proxy, which stand for clients elsewhere. */
#define WATCH_RESERVED 8

struct watch_limits {
    int max_connections;
    int max_per_client; /* of one address, of one /64 in IPv6; 0: no bound */
    /* Whether an address is a proxy's, which stands for many clients and is not bounded. NULL: none
     * is. Called from any thread. */
    bool (*is_proxy)(void *cls, const struct net_address *address);
    void *cls;
    int64_t idle_ms, header_ms, grace_ms, min_rate;
};

struct watch;

/* `listener` is a listening, non-blocking socket and becomes the watch's. One that is shared with
 * another process goes on listening for it when it is closed here. `home` is what watch_home
 * gives. */
struct watch *watch_new(int listener, bool shared, const struct watch_limits *limits, void *home,
                        struct err *err);
void *watch_home(const struct watch *watch);
/* MHD_OPTION_NOTIFY_CONNECTION with the watch as `cls`. The socket context of a connection is
 * its struct watch_conn, or NULL if there was no memory. */
void watch_notify(void *cls, struct MHD_Connection *mhd, void **context,
                  enum MHD_ConnectionNotificationCode code);
int watch_start(struct watch *watch, struct MHD_Daemon *daemon, struct err *err);
/* Other times from now on; the bounds on connections stay. */
void watch_change(struct watch *watch, const struct watch_limits *limits);
/* How many there are. */
int watch_connections(struct watch *watch);
/* Closes the listening socket, at once. */
void watch_close_listener(struct watch *watch);
/* Ends the thread. Connections may still close afterwards. */
void watch_stop(struct watch *watch);
void watch_free(struct watch *watch);

void watch_enter(struct watch_conn *conn, enum watch_phase phase);
/* The connection has its last answer and is about to be closed by libmicrohttpd: what its client
 * still sends is read and thrown away for a while, so that the client sees the answer. */
void watch_linger(struct watch_conn *conn);
