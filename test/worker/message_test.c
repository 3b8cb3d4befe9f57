#include "sandbox/protocol/message.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "tap.h"

struct sending {
    int sock;
    const char *data;
    size_t n, n_fds;
    int fds[MESSAGE_FDS];
    int sent;
};

static void *send_it(void *arg)
{
    struct sending *s = arg;
    struct err err;

    s->sent = message_send(s->sock, s->data, s->n, s->fds, s->n_fds, &err);
    return NULL;
}

/* Sends n bytes and n_fds descriptors and compares what arrives. */
static bool round_trip(size_t n, size_t n_fds)
{
    AUTO_FREE char *data = malloc(n + 1);
    AUTO_MESSAGE struct message message = { 0 };
    AUTO_CLOSE int file = memfd_create("x", 0);
    struct sending s = { .data = data, .n = n, .n_fds = n_fds };
    pthread_t thread;
    struct err err;
    int pair[2], got;
    bool same;

    for (size_t i = 0; i < n; i++)
        data[i] = (char) (i * 7 + i / 1000);
    for (size_t i = 0; i < n_fds; i++)
        s.fds[i] = file;
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
    s.sock = pair[0];
    pthread_create(&thread, NULL, send_it, &s);
    got = message_recv(pair[1], &message, &err);
    pthread_join(thread, NULL);
    same = got == 1 && s.sent == 0 && message.n == n && message.n_fds == n_fds &&
           memcmp(message.data, data, n) == 0 && message.data[n] == '\0';
    close(pair[0]);
    close(pair[1]);
    return same;
}

/* What message_recv says of one packet with these words in front, or of the end of the stream. */
static int judge(const uint32_t *words, size_t n_words, size_t n_fds, const char **said)
{
    static struct err err;
    struct message message;
    int pair[2], got, fds[4] = { 0, 0, 0, 0 };

    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
    if (n_words)
        fdio_send(pair[0], words, n_words * sizeof *words, fds, n_fds, &err);
    close(pair[0]);
    got = message_recv(pair[1], &message, &err);
    *said = err.msg;
    if (got == 1)
        message_wipe(&message);
    close(pair[1]);
    return got;
}

int main(void)
{
    const uint32_t magic = 0x504c5457;
    AUTO_CLOSE int before = dup(0);
    const char *said;
    struct err err;

    ok(round_trip(0, 0), "an empty message arrives");
    ok(round_trip(10, 3), "a short one with descriptors");
    ok(round_trip(32768 - 12, 0), "one that just fills a packet");
    ok(round_trip(32768 - 11, 250), "and one that just does not");
    ok(round_trip(MESSAGE_BYTES, 0), "the longest");
    ok(round_trip(0, MESSAGE_FDS), "the one with the most descriptors");
    ok(message_send(0, "", MESSAGE_BYTES + 1, NULL, 0, &err) < 0, "a longer one is not sent");

    is_int(judge(NULL, 0, 0, &said), 0, "the end of the stream is 0");
    is_int(judge((uint32_t[]){ magic, 0 }, 2, 0, &said), -1, "half a header is refused");
    is_int(judge((uint32_t[]){ magic + 1, 4, 0, 0 }, 4, 0, &said), -1, "and a strange one");
    is_int(judge((uint32_t[]){ magic, MESSAGE_BYTES + 1, 0, 0 }, 4, 0, &said), -1,
           "and one of too many bytes");
    is_int(judge((uint32_t[]){ magic, 4, MESSAGE_FDS + 1, 0 }, 4, 0, &said), -1,
           "and one of too many descriptors");
    is_int(judge((uint32_t[]){ magic, 3, 0, 0 }, 4, 0, &said), -1, "more bytes than said");
    is_int(judge((uint32_t[]){ magic, 4, 1, 0 }, 4, 2, &said), -1, "more descriptors than said");
    is_int(judge((uint32_t[]){ magic, 5, 0, 0 }, 4, 0, &said), -1, "an end within a message");
    is_str(said, "the stream ended within a message", "is named");

    AUTO_CLOSE int after = dup(0);
    is_int(after, before + 1, "no descriptor is left open by any of it");
    return done_testing();
}
