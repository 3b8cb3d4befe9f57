/*
 * lobby: connections that were accepted while the server was full and wait for a place, in order of
 * arrival. They are accepted so that the server can see their addresses: those of the loopback need
 * not wait (server/http/watch.c). Not thread-safe.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "base/system/net.h"

#define LOBBY_PLACES     256 /* limit of all connections that wait */
#define LOBBY_PER_CLIENT 32  /* limit of those of one client */

/* A connection that was accepted and is not served yet. */
struct arrival {
    int fd;
    struct sockaddr_storage addr;
    socklen_t size;
    struct net_address address;
    struct net_address client; /* whose connections are counted together */
    bool counted;              /* false: a proxy's, which carries many clients */
};

struct lobby {
    struct arrival waiting[LOBBY_PLACES]; /* a ring buffer */
    size_t first, n;
};

/* Adds a connection. False, without taking ownership, if the lobby is full, or if this client
 * has its share of it. */
bool lobby_enter(struct lobby *lobby, const struct arrival *arrival);
/* Removes the connection that has waited longest; the caller then owns its descriptor. False:
 * the lobby is empty. */
bool lobby_leave(struct lobby *lobby, struct arrival *out);
/* Closes all connections. */
void lobby_clear(struct lobby *lobby);
