/*
 * lingering: the lingering close of sockets whose client has got its last response and may still be
 * sending. Closing such a socket at once would reset the connection, and the client might never
 * read the response. Data that arrives is dropped until the client ends, within limits of time and
 * bytes. Not thread-safe.
 */
#pragma once

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#define LINGERING_SOCKETS 32         /* limit of the sockets in the list */
#define LINGERING_MS      5000       /* limit of the time for one socket */
#define LINGERING_BYTES   (32 << 20) /* limit of the data that is dropped from one socket */

struct lingering {
    struct {
        int fd;
        int64_t until; /* when its time ends, in ms by the clock of now_ms */
        int64_t bytes; /* number of bytes dropped so far */
    } of[LINGERING_SOCKETS];
    size_t n;
};

/* Takes ownership of fd, whose sending side has been shut down; closes fd if the list is full.
 * now_ms: the time in milliseconds, by the same clock in all calls. */
void lingering_add(struct lingering *lingering, int fd, int64_t now_ms);
/* Fills `out`, which has LINGERING_SOCKETS entries, for poll(2). Returns the number of sockets. */
size_t lingering_polls(const struct lingering *lingering, struct pollfd *out);
/* Reads data that has arrived, and closes sockets that have ended or exceeded their limits. */
void lingering_step(struct lingering *lingering, int64_t now_ms);
/* Closes all sockets. */
void lingering_clear(struct lingering *lingering);
