#include "base/fdio.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"

#define CHUNK ((size_t) 64 * 1024) /* bytes read at a time */

int fdio_write(int fd, const void *data, size_t n, struct err *err)
{
    const char *p = data;

    while (n) {
        ssize_t wrote = write(fd, p, n);

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return err_sys(err, "write");
        p += wrote;
        n -= (size_t) wrote;
    }
    return 0;
}

ssize_t fdio_read_at(int fd, void *data, size_t n, int64_t offset, struct err *err)
{
    size_t done = 0;

    while (done < n) {
        ssize_t got = pread(fd, (char *) data + done, n - done, offset + (int64_t) done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_sys(err, "read");
        if (got == 0)
            break;
        done += (size_t) got;
    }
    return (ssize_t) done;
}

int fdio_read_all(int fd, size_t max, struct buf *out, struct err *err)
{
    char chunk[16384];

    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_sys(err, "read");
        if (got == 0)
            break;
        if (out->len + (size_t) got > max)
            return err_set(err, ERR_LIMIT_EXCEEDED, "longer than %zu bytes", max);
        buf_put(out, chunk, (size_t) got);
    }
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int fdio_read_first(int fd, size_t n, struct buf *out, struct err *err)
{
    void *room = buf_room(out, n);
    ssize_t got;

    if (!room && n > 0)
        return err_set(err, ERR_INTERNAL, "out of memory");
    got = fdio_read_at(fd, room, n, 0, err);
    if (got < 0)
        return -1;
    if ((size_t) got < n)
        return err_set(err, ERR_INTERNAL, "a file has %zd bytes instead of %zu", got, n);
    buf_added(out, n);
    return 0;
}

/* Reads the next of n bytes, at most CHUNK of them. Returns how many, or -1: also at the end of the
 * file. */
static ssize_t next_chunk(int fd, char *chunk, int64_t offset, int64_t n, struct err *err)
{
    ssize_t got = fdio_read_at(fd, chunk, n < (int64_t) CHUNK ? (size_t) n : CHUNK, offset, err);

    return got == 0 ? err_set(err, ERR_INTERNAL, "the file ends too early") : got;
}

int fdio_digest(int fd, int64_t offset, int64_t n, char out[static DIGEST_TEXT], struct err *err)
{
    char chunk[CHUNK];
    struct digest digest;

    digest_start(&digest);
    for (ssize_t got; n > 0; offset += got, n -= got) {
        if ((got = next_chunk(fd, chunk, offset, n, err)) < 0)
            return -1;
        digest_add(&digest, chunk, (size_t) got);
    }
    digest_end(&digest, out);
    return 0;
}

int fdio_copy(int from, int64_t from_offset, int64_t n, int to, struct err *err)
{
    off_t at = (off_t) from_offset;
    char chunk[CHUNK];

    while (n > 0) {
        ssize_t moved = copy_file_range(from, &at, to, NULL, (size_t) n, 0);

        if (moved < 0 && errno == EINTR)
            continue;
        if (moved <= 0)
            /* other file systems and pipes are copied below; or this is the end of the file */
            break;
        n -= moved;
    }
    for (ssize_t got; n > 0; at += got, n -= got)
        if ((got = next_chunk(from, chunk, at, n, err)) < 0 ||
            fdio_write(to, chunk, (size_t) got, err) < 0)
            return -1;
    return 0;
}

int fdio_sync_folder(const char *folder, struct err *err)
{
    AUTO_CLOSE int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return fd < 0 || fsync(fd) < 0 ? err_sys(err, "write %s to the disk", folder) : 0;
}

int fdio_sync_parent(const char *path, struct err *err)
{
    char copy[4096];

    if ((size_t) snprintf(copy, sizeof copy, "%s", path) >= sizeof copy)
        return err_set(err, ERR_INVALID_REQUEST, "the path is too long");
    return fdio_sync_folder(dirname(copy), err);
}

/* `mode`: the permissions of other users that open the file again. */
static int memory_file(mode_t mode, struct err *err)
{
    int fd = memfd_create("platen", MFD_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "a file in memory");
    if (fchmod(fd, mode) < 0) {
        close(fd);
        return err_sys(err, "a file in memory");
    }
    return fd;
}

int fdio_memory_file(struct err *err)
{
    return memory_file(0666, err);
}

int fdio_memory_copy(const void *data, size_t n, struct err *err)
{
    AUTO_CLOSE int writable = memory_file(0444, err);
    char path[40];
    int fd;

    if (writable < 0 || fdio_write(writable, data, n, err) < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", writable);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? err_sys(err, "a file in memory") : fd;
}

union control {
    char bytes[CMSG_SPACE(sizeof(int) * FDIO_MAX_FDS)];
    struct cmsghdr align;
};

int fdio_send(int sock, const void *data, size_t n, const int *fds, size_t n_fds, struct err *err)
{
    union control control;
    struct iovec iov = { .iov_base = (void *) (uintptr_t) data, .iov_len = n };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

    if (n_fds > FDIO_MAX_FDS)
        return err_set(err, ERR_INTERNAL, "too many descriptors in one message");
    if (n_fds) {
        memset(&control, 0, sizeof control);
        msg.msg_control = control.bytes;
        msg.msg_controllen = CMSG_SPACE(sizeof(int) * n_fds);
        struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
        cmsg->cmsg_level = SOL_SOCKET;
        cmsg->cmsg_type = SCM_RIGHTS;
        cmsg->cmsg_len = CMSG_LEN(sizeof(int) * n_fds);
        memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * n_fds);
    }
    while (sendmsg(sock, &msg, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            return err_sys(err, "sendmsg");
    return 0;
}

static void receive_fds(struct msghdr *msg, int *fds, size_t cap, size_t *n, bool *lost)
{
    *n = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;

            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (*n < cap) {
                fds[(*n)++] = fd;
            } else {
                close(fd);
                *lost = true;
            }
        }
    }
}

ssize_t fdio_recv(int sock, void *data, size_t cap, int *fds, size_t *n_fds, struct err *err)
{
    union control control;
    struct iovec iov = { .iov_base = data, .iov_len = cap };
    struct msghdr msg = { .msg_iov = &iov,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes };
    bool lost = false;
    ssize_t got;

    while ((got = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC)) < 0)
        if (errno != EINTR)
            return err_sys(err, "recvmsg");
    receive_fds(&msg, fds, *n_fds, n_fds, &lost);
    if (lost || msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        for (size_t i = 0; i < *n_fds; i++)
            close(fds[i]);
        *n_fds = 0;
        return err_set(err, ERR_INTERNAL, "a message was longer than there was room");
    }
    return got;
}
