#include "image/encode/sink.h"

#include "base/fdio.h"

static int put_fd(void *to, const void *data, size_t n, struct err *err)
{
    return fdio_write(*(int *) to, data, n, err);
}

static int put_buf(void *to, const void *data, size_t n, struct err *err)
{
    struct buf *buf = to;

    buf_put(buf, data, n);
    return buf->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

struct sink sink_fd(int *fd)
{
    return (struct sink){ put_fd, fd };
}

struct sink sink_buf(struct buf *buf)
{
    return (struct sink){ put_buf, buf };
}
