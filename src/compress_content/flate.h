/* flate: the names of inflate/flate.h by which compress knows it. */
#pragma once

#include "inflate/flate.h"

static inline int compress_content_flate_level(size_t n)
{
    return flate_level(n);
}

static inline bool compress_content_flate_pack(const void *data, size_t n, int level,
                                               struct buf *out)
{
    return flate_pack(data, n, level, out);
}
