/*
 * accept_queue: connections that were accepted while the server was full and wait for a place, in
 * order of arrival. They are accepted so that the server can see their addresses: those of the
 * loopback need not wait (server/http/watch.c). Not thread-safe.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "base/system/net.h"

#define ACCEPT_QUEUE_PLACES     256 /* limit of all connections that wait */
#define ACCEPT_QUEUE_PER_CLIENT 32  /* limit of those of one client */

/* A connection that was accepted and is not served yet. */
struct arrival {
    int fd;
    struct sockaddr_storage addr;
    socklen_t size;
    struct net_address address;
    struct net_address client; /* whose connections are counted together */
    bool counted;              /* false: a proxy's, which carries many clients */
};

struct accept_queue {
    struct arrival waiting[ACCEPT_QUEUE_PLACES]; /* a ring buffer */
    size_t first, n;
};

/* Adds a connection. False, without taking ownership, if the queue is full, or if this client
 * has its share of it. */
bool accept_queue_add(struct accept_queue *queue, const struct arrival *arrival);
/* Removes the connection that has waited longest; the caller then owns its descriptor. False:
 * the queue is empty. */
bool accept_queue_remove(struct accept_queue *queue, struct arrival *out);
/* Closes all connections. */
void accept_queue_clear(struct accept_queue *queue);
