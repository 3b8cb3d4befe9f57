/* fdio: whole reads and writes on descriptors, and passing descriptors between processes. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* Writes all n bytes. */
int fdio_write(int fd, const void *data, size_t n, struct err *err);
/* Reads up to n bytes at `offset`, fewer only at the end of the file. Bytes read, or -1. */
ssize_t fdio_read_at(int fd, void *data, size_t n, int64_t offset, struct err *err);
/* Reads a whole file of at most `max` bytes into out. */
int fdio_read_all(int fd, size_t max, struct buf *out, struct err *err);
/* Puts the first n bytes of a file at the end of *out. ERR_INTERNAL if the file has fewer. */
int fdio_read_first(int fd, size_t n, struct buf *out, struct err *err);
/* Copies n bytes at `from_offset` of `from` to where `to` stands; in the kernel where it can. */
int fdio_copy(int from, int64_t from_offset, int64_t n, int to, struct err *err);

/* Makes what happened to names in a folder durable: of the folder, and of the one that `path` is
 * in. */
int fdio_sync_folder(const char *folder, struct err *err);
int fdio_sync_parent(const char *path, struct err *err);

/* A file in memory (memfd_create(2)) that any user may open again through /proc/self/fd, as a
 * process that runs as another must. */
int fdio_memory_file(struct err *err);
/* A file in memory that holds these bytes: this process, and every other user that opens the file
 * again, can only read it. */
int fdio_memory_copy(const void *data, size_t n, struct err *err);

/*
 * One message with descriptors over a Unix SOCK_SEQPACKET socket (SCM_RIGHTS, unix(7)).
 * fdio_recv returns the bytes received, 0 at the end of the stream, -1 with ERR_INTERNAL; *n_fds
 * holds the room in fds and then how many arrived (close-on-exec, the caller's). A message longer
 * than `cap` or with more descriptors than room is an error, and what arrived is closed.
 */
#define FDIO_MAX_FDS 250 /* the kernel takes 253 (SCM_MAX_FD) */
int fdio_send(int sock, const void *data, size_t n, const int *fds, size_t n_fds, struct err *err);
ssize_t fdio_recv(int sock, void *data, size_t cap, int *fds, size_t *n_fds, struct err *err);
