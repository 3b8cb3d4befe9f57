/*
 * pool: what a connection keeps of the memory that libmicrohttpd gives it (FRAMING_MEMORY). Long
 * headers need much of it for a moment; an idle connection would keep all of it, as libmicrohttpd
 * fills it with zeros after each request.
 *
 * Given back are pages that hold nothing but zeros, and only on the thread that serves the
 * connection: nobody can see a difference.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Of one connection, for the thread that serves it. */
struct pool {
    char *start; /* NULL: where it is is not known, and nothing is given back */
    int fd;
    bool settled, warm;
};

/* That of a connection with TLS is never given back: what has come is not what was sent. */
void pool_open(struct pool *pool, int fd, bool secure);
/*
 * Finds the pool from where a connection's first request begins, which is where the pool does
 * unless blank lines came before. They did not if all bytes that have come are hardly more than
 * `read`, those that are known to be the request's. Later requests cannot tell.
 */
void pool_find(struct pool *pool, const char *request, size_t read);
/* Gives back what is not used; in a callback of this connection. */
void pool_trim(const struct pool *pool);
/* A request is over. What the last few connections keep is left to them, as they may be busy. */
void pool_rest(struct pool *pool);
/* The connection is. */
void pool_forget(struct pool *pool);
