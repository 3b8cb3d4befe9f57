#include "sandbox/protocol/message.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"

#define PACKET 32768U /* small enough for the kernel to allocate at once */
#define MAGIC  0x504c5457U

/* The header of every packet, always the same: a packet without bytes would look like the end of
 * the stream, and one that only has descriptors needs some. */
struct header {
    uint32_t magic, bytes, fds;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The kernel limits a user's descriptors in transit; the reader receives them at its own pace,
 * so a full table only lasts for moments. */
static int send_packet(int sock, const void *data, size_t n, const int *fds, size_t n_fds,
                       struct err *err)
{
    for (int tries = 0; fdio_send(sock, data, n, fds, n_fds, err) < 0; tries++) {
        if (errno != ETOOMANYREFS || tries >= 5000)
            return -1;
        poll(NULL, 0, 1);
    }
    return 0;
}

int message_send(int sock, const void *data, size_t n, const int *fds, size_t n_fds,
                 struct err *err)
{
    char packet[PACKET];
    struct header header = { MAGIC, (uint32_t) n, (uint32_t) n_fds };
    const char *bytes = data;
    int result;

    if (n > MESSAGE_BYTES || n_fds > MESSAGE_FDS)
        return err_set(err, ERR_INTERNAL, "a message to a worker is too long");
    memcpy(packet, &header, sizeof header);
    do {
        size_t part = least(n, PACKET - sizeof header);
        size_t n_some = least(n_fds, FDIO_MAX_FDS);

        if (part) {
            memcpy(packet + sizeof header, bytes, part);
            bytes += part;
            n -= part;
        }
        result = send_packet(sock, packet, sizeof header + part, fds, n_some, err);
        if (n_some) {
            fds += n_some;
            n_fds -= n_some;
        }
    } while (result == 0 && (n || n_fds));
    explicit_bzero(packet, sizeof packet);
    return result;
}

/* Checks a packet's header before anything is allocated for it. */
static int check_header(struct message *message, const char *packet, size_t got,
                        struct header *whole, struct err *err)
{
    struct header header;

    if (got < sizeof header)
        return err_set(err, ERR_INTERNAL, "a message was cut short");
    memcpy(&header, packet, sizeof header);
    if (header.magic != MAGIC || header.bytes > MESSAGE_BYTES || header.fds > MESSAGE_FDS)
        return err_set(err, ERR_INTERNAL, "a message has an invalid header");
    if (message->data)
        return memcmp(&header, whole, sizeof header) == 0
                   ? 0
                   : err_set(err, ERR_INTERNAL, "a message contradicts itself");
    *whole = header;
    message->data = calloc(1, (size_t) header.bytes + 1);
    return message->data ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

/* Receives one more packet. Returns its bytes, 0 at the end of the stream, or -1. */
static ssize_t receive_packet(int sock, struct message *message, struct header *whole,
                              struct err *err)
{
    char packet[PACKET];
    size_t n_fds = MESSAGE_FDS - message->n_fds, n;
    ssize_t got =
        fdio_recv(sock, packet, sizeof packet, message->fds + message->n_fds, &n_fds, err);

    if (got <= 0)
        return got;
    message->n_fds += n_fds;
    if (check_header(message, packet, (size_t) got, whole, err) < 0)
        return -1;
    n = (size_t) got - sizeof *whole;
    if (n > whole->bytes - message->n || message->n_fds > whole->fds)
        return err_set(err, ERR_INTERNAL, "a message is longer than it said");
    memcpy(message->data + message->n, packet + sizeof *whole, n);
    message->n += n;
    explicit_bzero(packet, (size_t) got);
    return got;
}

int message_recv(int sock, struct message *message, struct err *err)
{
    struct header whole = { 0 };

    message->data = NULL;
    message->n = message->n_fds = 0;
    do {
        ssize_t got = receive_packet(sock, message, &whole, err);

        if (got == 0 && !message->data)
            return 0;
        if (got == 0)
            err_set(err, ERR_INTERNAL, "the stream ended within a message");
        if (got <= 0) {
            message_wipe(message);
            return -1;
        }
    } while (message->n < whole.bytes || message->n_fds < whole.fds);
    return 1;
}

void message_wipe(struct message *message)
{
    for (size_t i = 0; i < message->n_fds; i++)
        if (message->fds[i] >= 0)
            close(message->fds[i]);
    message->n_fds = 0;
    if (message->data)
        explicit_bzero(message->data, message->n);
    free(message->data);
    message->data = NULL;
    message->n = 0;
}
