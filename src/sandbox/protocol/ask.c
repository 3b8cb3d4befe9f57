#include "sandbox/protocol/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

/* Uses read and write, the only calls for sockets that the sandbox allows: each is one packet. */
static int ask(int sock, enum ask_kind kind, const unsigned char *digest, struct buf *out,
               struct err *err)
{
    size_t room = sizeof(struct ask_answer) + SERVICE_ANSWER;
    AUTO_FREE char *packet = malloc(room);
    struct ask question = { .kind = (uint32_t) kind };
    struct ask_answer answer;
    ssize_t got;

    if (!packet)
        return err_sys(err, "service");
    if (digest)
        memcpy(question.digest, digest, sizeof question.digest);
    if (write(sock, &question, sizeof question) != sizeof question)
        return err_sys(err, "ask the server");
    do
        got = read(sock, packet, room);
    while (got < 0 && errno == EINTR);
    if (got < (ssize_t) sizeof answer)
        return err_set(err, ERR_INTERNAL, "the server does not answer");
    memcpy(&answer, packet, sizeof answer);
    got -= (ssize_t) sizeof answer;
    if (answer.is_error)
        return err_set(err, (enum err_code) answer.failed, "%.*s", (int) got,
                       packet + sizeof answer);
    buf_put(out, packet + sizeof answer, (size_t) got);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

static int ask_chain(void *arg, struct buf *der_chain, struct err *err)
{
    return ask(*(const int *) arg, ASK_CHAIN, NULL, der_chain, err);
}

static int ask_signature(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                         struct buf *signature, struct err *err)
{
    return ask(*(const int *) arg, ASK_SIGNATURE, digest, signature, err);
}

static int ask_timestamp(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                         const atomic_bool *abandoned, struct buf *token, struct err *err)
{
    (void) abandoned; /* unused, because the server ends this process */
    return ask(*(const int *) arg, ASK_TIMESTAMP, digest, token, err);
}

struct tool_services ask_services(const int *sock)
{
    return (struct tool_services){ (void *) (uintptr_t) sock, ask_chain, ask_signature,
                                   ask_timestamp };
}
