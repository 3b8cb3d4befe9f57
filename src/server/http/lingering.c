#include "server/http/lingering.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_AT_ONCE (1 << 20) /* of one socket, before it is another's turn */

void lingering_add(struct lingering *lingering, int fd, int64_t now_ms)
{
    if (lingering->n == LINGERING_SOCKETS) {
        close(fd);
        return;
    }
    lingering->of[lingering->n].fd = fd;
    lingering->of[lingering->n].until = now_ms + LINGERING_MS;
    lingering->of[lingering->n].bytes = 0;
    lingering->n++;
}

size_t lingering_polls(const struct lingering *lingering, struct pollfd *out)
{
    for (size_t i = 0; i < lingering->n; i++)
        out[i] = (struct pollfd){ .fd = lingering->of[i].fd, .events = POLLIN };
    return lingering->n;
}

/* False at the end of the stream, or of what may come. */
static bool read_away(int fd, int64_t *bytes)
{
    char thrown[16384];

    for (int64_t stop = *bytes + READ_AT_ONCE; *bytes < stop && *bytes < LINGERING_BYTES;) {
        ssize_t n = recv(fd, thrown, sizeof thrown, MSG_DONTWAIT);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 && errno == EAGAIN;
        *bytes += n;
    }
    return *bytes < LINGERING_BYTES;
}

void lingering_step(struct lingering *lingering, int64_t now_ms)
{
    size_t left = 0;

    for (size_t i = 0; i < lingering->n; i++) {
        if (!read_away(lingering->of[i].fd, &lingering->of[i].bytes) ||
            now_ms > lingering->of[i].until)
            close(lingering->of[i].fd);
        else
            lingering->of[left++] = lingering->of[i];
    }
    lingering->n = left;
}

void lingering_clear(struct lingering *lingering)
{
    for (size_t i = 0; i < lingering->n; i++)
        close(lingering->of[i].fd);
    lingering->n = 0;
}
