/*
 * message: bytes and descriptors between the server and a zygote, over one SOCK_SEQPACKET socket.
 *
 * A message is cut into packets. Each begins with a header that says how many bytes and how many
 * descriptors the whole message has; nothing is allocated before that was found to be within
 * bounds. The packets of one message must follow each other: whoever shares a socket holds a lock.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define MESSAGE_BYTES (4U << 20)
#define MESSAGE_FDS   1024U

struct message {
    char *data; /* n bytes and a NUL that does not count */
    size_t n;
    int fds[MESSAGE_FDS];
    size_t n_fds;
};

/* Sends all or fails; what failed half-way makes the socket useless. The descriptors stay the
 * caller's. ERR_INTERNAL, also when the socket's send timeout passed. */
int message_send(int sock, const void *data, size_t n, const int *fds, size_t n_fds,
                 struct err *err);
/* Waits for one whole message. 1, 0 at the end of the stream, -1 for anything else. *message needs
 * no preparation; unless 1 is returned it holds nothing. */
int message_recv(int sock, struct message *message, struct err *err);
/* Closes the descriptors that are still there (>= 0), overwrites the bytes, frees them. */
void message_wipe(struct message *message);
#define AUTO_MESSAGE __attribute__((cleanup(message_wipe)))
