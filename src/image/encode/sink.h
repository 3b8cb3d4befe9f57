/* sink: the destination of an encoder's bytes, which arrive piece by piece, in order. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct sink {
    /* Takes the next n bytes; 0, or -1 with err filled. */
    int (*put)(void *to, const void *data, size_t n, struct err *err);
    void *to; /* passed to put */
};

/* Writes to a descriptor; *fd is borrowed as long as the sink is used. */
struct sink sink_fd(int *fd);
/* Appends to a buffer. */
struct sink sink_buf(struct buf *buf);
