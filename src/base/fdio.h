/* fdio: reads and writes that continue until all bytes are done, and passing descriptors between
 * processes. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/err.h"

/* Writes all n bytes. */
int fdio_write(int fd, const void *data, size_t n, struct err *err);
/* Reads up to n bytes at `offset`; fewer only at the end of the file. Returns the bytes read, or
 * -1. */
ssize_t fdio_read_at(int fd, void *data, size_t n, int64_t offset, struct err *err);
/* The SHA-256 digest of n bytes of a file from `offset` on. ERR_INTERNAL if the file has fewer. */
int fdio_digest(int fd, int64_t offset, int64_t n, char out[static DIGEST_TEXT], struct err *err);
/* Reads a whole file of at most `max` bytes into out. */
int fdio_read_all(int fd, size_t max, struct buf *out, struct err *err);
/* Appends the first n bytes of a file to *out. ERR_INTERNAL if the file has fewer. */
int fdio_read_first(int fd, size_t n, struct buf *out, struct err *err);
/* Copies n bytes at `from_offset` of `from` to the current position of `to`, inside the kernel
 * where possible. */
int fdio_copy(int from, int64_t from_offset, int64_t n, int to, struct err *err);

/* Makes changes of names in a folder durable: syncs the folder and the one that contains it. */
int fdio_sync_folder(const char *folder, struct err *err);
int fdio_sync_parent(const char *path, struct err *err);

/* Makes a file in memory (memfd_create(2)) that any user may open again through /proc/self/fd,
 * as a process that runs as another user must. */
int fdio_memory_file(struct err *err);
/* Makes a file in memory with these bytes. Every user can open it again, and no process can write
 * to it, this process included. */
int fdio_memory_copy(const void *data, size_t n, struct err *err);

/*
 * Send and receive one message with descriptors over a Unix SOCK_SEQPACKET socket (SCM_RIGHTS,
 * unix(7)). fdio_recv returns the bytes received, 0 at the end of the stream, or -1 with
 * ERR_INTERNAL. *n_fds is the room in fds and afterwards the number that arrived (close-on-exec,
 * owned by the caller). A message longer than `cap` or with more descriptors than room is an error;
 * its descriptors are closed.
 */
#define FDIO_MAX_FDS 250 /* the kernel's limit is 253 (SCM_MAX_FD) */
int fdio_send(int sock, const void *data, size_t n, const int *fds, size_t n_fds, struct err *err);
ssize_t fdio_recv(int sock, void *data, size_t cap, int *fds, size_t *n_fds, struct err *err);
