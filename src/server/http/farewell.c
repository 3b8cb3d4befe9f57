#include "server/http/farewell.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_AT_ONCE (1 << 20) /* of one socket, before it is another's turn */

void farewell_add(struct farewell *farewell, int fd, int64_t now_ms)
{
    if (farewell->n == FAREWELL_SOCKETS) {
        close(fd);
        return;
    }
    farewell->of[farewell->n].fd = fd;
    farewell->of[farewell->n].until = now_ms + FAREWELL_MS;
    farewell->of[farewell->n].bytes = 0;
    farewell->n++;
}

size_t farewell_polls(const struct farewell *farewell, struct pollfd *out)
{
    for (size_t i = 0; i < farewell->n; i++)
        out[i] = (struct pollfd){ .fd = farewell->of[i].fd, .events = POLLIN };
    return farewell->n;
}

/* False at the end of the stream, or of what may come. */
static bool read_away(int fd, int64_t *bytes)
{
    char thrown[16384];

    for (int64_t stop = *bytes + READ_AT_ONCE; *bytes < stop && *bytes < FAREWELL_BYTES;) {
        ssize_t n = recv(fd, thrown, sizeof thrown, MSG_DONTWAIT);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 && errno == EAGAIN;
        *bytes += n;
    }
    return *bytes < FAREWELL_BYTES;
}

void farewell_step(struct farewell *farewell, int64_t now_ms)
{
    size_t left = 0;

    for (size_t i = 0; i < farewell->n; i++) {
        if (!read_away(farewell->of[i].fd, &farewell->of[i].bytes) ||
            now_ms > farewell->of[i].until)
            close(farewell->of[i].fd);
        else
            farewell->of[left++] = farewell->of[i];
    }
    farewell->n = left;
}

void farewell_clear(struct farewell *farewell)
{
    for (size_t i = 0; i < farewell->n; i++)
        close(farewell->of[i].fd);
    farewell->n = 0;
}
