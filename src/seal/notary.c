#include "seal/notary.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/scope.h"
#include "worker/program.h"

#define LOOK_MS  100   /* how often we look whether it is still wanted */
#define ATTEMPTS 3     /* of an order whose program ends without an answer */
#define SPARE_MS 10000 /* what it may take beside the authority's time */

/* Waits for the answer. False: it is not coming, or nobody wants it any more. */
static bool await(const struct program *program, int64_t patience_ms, const atomic_bool *abandoned)
{
    int64_t until = clock_mono_ms() + patience_ms;
    struct pollfd answer = { .fd = program->control, .events = POLLIN };

    while (clock_mono_ms() < until && !(abandoned && atomic_load(abandoned)))
        if (poll(&answer, 1, LOOK_MS) == 1)
            return true;
    kill(program->pid, SIGKILL);
    return false;
}

/* 1: it ended without one. */
static int take_answer(const struct program *program, struct buf *out, struct err *err)
{
    size_t room = sizeof(struct ask_answer) + SERVICE_ANSWER + 1; /* one more, to see too much */
    AUTO_FREE char *packet = malloc(room);
    struct ask_answer head;
    ssize_t got = packet ? recv(program->control, packet, room, MSG_DONTWAIT) : -1;

    if (got < (ssize_t) sizeof head || got == (ssize_t) room) {
        err_set(err, ERR_INTERNAL, "platen-notary ended without an answer");
        return 1;
    }
    memcpy(&head, packet, sizeof head);
    got -= (ssize_t) sizeof head;
    if (head.is_error)
        return err_set(err,
                       head.failed == ERR_INVALID_PARAMETER ? ERR_INVALID_PARAMETER : ERR_INTERNAL,
                       "%.*s", (int) got, packet + sizeof head);
    buf_put(out, packet + sizeof head, (size_t) got);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

/* 1: the program ended without an answer. */
static int order_once(const struct notary *notary, enum ask_kind kind, const unsigned char *digest,
                      const atomic_bool *abandoned, struct buf *out, struct err *err)
{
    struct notary_order order = { .ask.kind = (uint32_t) kind, .settings = notary->settings };
    int64_t patience = SPARE_MS + (kind == ASK_TIMESTAMP ? order.settings.timestamp_ms : 0);
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct program program;
    int done = 1;

    if (digest)
        memcpy(order.ask.digest, digest, sizeof order.ask.digest);
    if (program_start(notary->program, &program, err) < 0)
        return -1;
    if (notary_order_pack(&order, &text, err) < 0)
        done = -1;
    else if (message_send(program.control, text.data, text.len, NULL, 0, err) == 0)
        done = await(&program, patience, abandoned)
                   ? take_answer(&program, out, err)
                   : err_set(err, ERR_INTERNAL, "platen-notary does not answer");
    if (text.data)
        explicit_bzero(text.data, text.len);
    program_end(&program);
    return done;
}

/* One that was killed, before or after it got its order, is begun anew, as a job's process is. */
static int order(const struct notary *notary, enum ask_kind kind, const unsigned char *digest,
                 const atomic_bool *abandoned, struct buf *out, struct err *err)
{
    int done = 1;

    for (int i = 0; i < ATTEMPTS && done > 0; i++)
        done = order_once(notary, kind, digest, abandoned, out, err);
    return done == 0 ? 0 : -1;
}

static int order_chain(void *cls, struct buf *der_chain, struct err *err)
{
    return order(cls, ASK_CHAIN, NULL, NULL, der_chain, err);
}

static int order_signature(void *cls, const unsigned char digest[static SERVICE_DIGEST],
                           struct buf *signature, struct err *err)
{
    return order(cls, ASK_SIGNATURE, digest, NULL, signature, err);
}

static int order_timestamp(void *cls, const unsigned char digest[static SERVICE_DIGEST],
                           const atomic_bool *abandoned, struct buf *token, struct err *err)
{
    return order(cls, ASK_TIMESTAMP, digest, abandoned, token, err);
}

int notary_init(struct notary *notary, const char *folder, const struct notary_settings *settings,
                struct err *err)
{
    *notary =
        (struct notary){ .settings = *settings,
                         .services = { notary, order_chain, order_signature, order_timestamp } };
    return program_path(folder, "platen-notary", notary->program, sizeof notary->program, err);
}
