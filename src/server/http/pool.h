/*
 * pool: gives back memory of the pool (FRAMING_MEMORY) that libmicrohttpd keeps for each
 * connection. Long headers need much of it for a moment; an idle connection would keep all of it,
 * because libmicrohttpd fills it with zeros after each request.
 *
 * Only pages that contain nothing but zeros are given back, and only on the thread that serves the
 * connection, so that no difference can be seen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The pool of one connection, for the thread that serves it. */
struct pool {
    char *start; /* NULL: its address is not known, and nothing is given back */
    int fd;
    bool settled; /* `start` is not searched any more */
    bool warm;    /* one of the last few connections of its thread, whose memory is kept */
};

/* To be called when a connection begins. With TLS (`secure`) memory is never given back: the bytes
 * received are not those of the request. */
void pool_open(struct pool *pool, int fd, bool secure);
/*
 * Finds the pool's address from where a connection's first request begins: both are the same unless
 * blank lines came before. They did not if the bytes received are hardly more than `read`, those
 * that are known to belong to the request. Later requests cannot be used for it.
 */
void pool_find(struct pool *pool, const char *request, size_t read);
/* Gives back what is not used; to be called in a callback of this connection. */
void pool_trim(const struct pool *pool);
/* To be called when a request has ended: gives back memory, but not that of the last few
 * connections, which may be busy. */
void pool_rest(struct pool *pool);
/* To be called when the connection has ended. */
void pool_forget(struct pool *pool);
