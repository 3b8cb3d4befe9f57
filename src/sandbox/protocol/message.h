/*
 * message: sends bytes and descriptors between the server and a zygote, over one SOCK_SEQPACKET
 * socket.
 *
 * A message is split into packets. Each begins with a header that has the number of bytes and of
 * descriptors of the whole message; nothing is allocated before these were found to be within
 * limits. The packets of one message must not be interleaved: threads that share a socket hold a
 * lock.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define MESSAGE_BYTES (4U << 20) /* limit of the bytes of a message */
#define MESSAGE_FDS   1024U      /* limit of its descriptors */

struct message {
    char *data; /* n bytes and a NUL that is not counted */
    size_t n;
    int fds[MESSAGE_FDS];
    size_t n_fds;
};

/* Sends everything or fails; after a partial send the socket is unusable. The caller keeps the
 * descriptors. ERR_INTERNAL, also when the socket's send timeout has passed. */
int message_send(int sock, const void *data, size_t n, const int *fds, size_t n_fds,
                 struct err *err);
/* Waits for one whole message. Returns 1, 0 at the end of the stream, -1 for anything else.
 * *message needs no preparation; unless 1 is returned there is nothing to free. */
int message_recv(int sock, struct message *message, struct err *err);
/* Closes the descriptors that are still there (>= 0), overwrites the bytes, and frees them. */
void message_wipe(struct message *message);
#define AUTO_MESSAGE __attribute__((cleanup(message_wipe)))
