/*
 * farewell: sockets whose client has its last answer and may still be sending. To close such a
 * socket at once would reset the connection, and the client might never read the answer. What comes
 * is thrown away until the client ends, within bounds of time and bytes. Not safe between threads.
 */
#pragma once

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#define FAREWELL_SOCKETS 32
#define FAREWELL_MS      5000
#define FAREWELL_BYTES   (32 << 20)

struct farewell {
    struct {
        int fd;
        int64_t until, bytes;
    } of[FAREWELL_SOCKETS];
    size_t n;
};

/* Takes fd, whose side of ours has been shut down; if the list is full it is closed. */
void farewell_add(struct farewell *farewell, int fd, int64_t now_ms);
/* Fills `out`, which has FAREWELL_SOCKETS places, with what to wait for. Returns how many. */
size_t farewell_polls(const struct farewell *farewell, struct pollfd *out);
/* Reads what has come, and closes what has ended or exceeded its bounds. */
void farewell_step(struct farewell *farewell, int64_t now_ms);
/* Closes all. */
void farewell_clear(struct farewell *farewell);
