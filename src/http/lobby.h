/*
 * lobby: connections that were accepted while the server was full and wait for a place, first come,
 * first served. They are accepted only so that the server sees whose they are: one of the loopback
 * need not wait (http/watch.c). Not safe between threads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "base/net.h"

#define LOBBY_PLACES     256
#define LOBBY_PER_CLIENT 32

/* A connection that was accepted and is not served yet. */
struct arrival {
    int fd;
    struct sockaddr_storage addr;
    socklen_t size;
    struct net_address client; /* whose connections are counted together */
    bool counted;              /* false: a proxy's, which carries many clients */
};

struct lobby {
    struct arrival of[LOBBY_PLACES]; /* a ring */
    size_t first, n;
};

/* False, and nothing is taken, if the lobby is full, or if this client has its share of it. */
bool lobby_enter(struct lobby *lobby, const struct arrival *arrival);
/* The one that has waited longest, whose descriptor becomes the caller's. False: the lobby is
 * empty. */
bool lobby_leave(struct lobby *lobby, struct arrival *out);
/* Closes all. */
void lobby_clear(struct lobby *lobby);
