#include "sandbox/signer/client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/scope.h"
#include "sandbox/process/program.h"

#define LOOK_MS  100   /* how often to check whether the answer is still needed */
#define ATTEMPTS 3     /* attempts of a request whose program ends without an answer */
#define SPARE_MS 10000 /* time that is allowed in addition to the authority's */

/* Waits for the answer. False: there will be none, or it is not needed any more. */
static bool await(const struct program *program, int64_t timeout_ms, const atomic_bool *abandoned)
{
    int64_t until = clock_mono_ms() + timeout_ms;
    struct pollfd answer = { .fd = program->control, .events = POLLIN };

    while (clock_mono_ms() < until && !(abandoned && atomic_load(abandoned)))
        if (poll(&answer, 1, LOOK_MS) == 1)
            return true;
    kill(program->pid, SIGKILL);
    return false;
}

/* Reads the answer. Returns 1 if the program ended without one. */
static int receive_response(const struct program *program, struct buf *out, struct err *err)
{
    /* one byte more, to detect answers that are too long */
    size_t room = sizeof(struct ask_answer) + SERVICE_ANSWER + 1;
    AUTO_FREE char *packet = malloc(room);
    struct ask_answer head;
    ssize_t got = packet ? recv(program->control, packet, room, MSG_DONTWAIT) : -1;

    if (got < (ssize_t) sizeof head || got == (ssize_t) room) {
        err_set(err, ERR_INTERNAL, "platen-signer ended without an answer");
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

/* Asks once. Returns 1 if the program ended without an answer. */
static int ask_once(const struct signer_client *signer, enum ask_kind kind,
                    const unsigned char *digest, const atomic_bool *abandoned, struct buf *out,
                    struct err *err)
{
    struct signer_request request = { .ask.kind = (uint32_t) kind, .settings = signer->settings };
    int64_t patience = SPARE_MS + (kind == ASK_TIMESTAMP ? request.settings.timestamp_ms : 0);
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct program program;
    int done = 1;

    if (digest)
        memcpy(request.ask.digest, digest, sizeof request.ask.digest);
    if (program_start(signer->program, PROGRAM_SELF, &program, err) < 0)
        return -1;
    if (signer_request_pack(&request, &text, err) < 0)
        done = -1;
    else if (message_send(program.control, text.data, text.len, NULL, 0, err) == 0)
        done = await(&program, patience, abandoned)
                   ? receive_response(&program, out, err)
                   : err_set(err, ERR_INTERNAL, "platen-signer does not answer");
    if (text.data)
        explicit_bzero(text.data, text.len);
    program_end(&program);
    return done;
}

/* Asks again if the program was killed, before or after it got its request, as for a job's
 * process. */
static int ask(const struct signer_client *signer, enum ask_kind kind, const unsigned char *digest,
               const atomic_bool *abandoned, struct buf *out, struct err *err)
{
    int done = 1;

    for (int i = 0; i < ATTEMPTS && done > 0; i++)
        done = ask_once(signer, kind, digest, abandoned, out, err);
    return done == 0 ? 0 : -1;
}

static int ask_chain(void *arg, struct buf *der_chain, struct err *err)
{
    return ask(arg, ASK_CHAIN, NULL, NULL, der_chain, err);
}

static int ask_signature(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                         struct buf *signature, struct err *err)
{
    return ask(arg, ASK_SIGNATURE, digest, NULL, signature, err);
}

static int ask_timestamp(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                         const atomic_bool *abandoned, struct buf *token, struct err *err)
{
    return ask(arg, ASK_TIMESTAMP, digest, abandoned, token, err);
}

int signer_client_init(struct signer_client *signer, const char *folder,
                       const struct signer_settings *settings, struct err *err)
{
    *signer =
        (struct signer_client){ .settings = *settings,
                                .services = { signer, ask_chain, ask_signature, ask_timestamp } };
    return program_path(folder, "platen-signer", signer->program, sizeof signer->program, err);
}
