#include "sandbox/worker/errand.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/system/log.h"
#include "base/system/thread.h"

static const unsigned most[ASK_KINDS] = {
    [ASK_CHAIN] = SERVICE_CHAINS,
    [ASK_SIGNATURE] = SERVICE_SIGNATURES,
    [ASK_TIMESTAMP] = SERVICE_STAMPS,
};

int errand_open(struct errand *errand, const struct tool_services *services, int *theirs,
                struct err *err)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, "socketpair");
    errand->services = services;
    errand->sock = pair[0];
    *theirs = pair[1];
    return 0;
}

int errand_socket(const struct errand *errand)
{
    return errand->over ? -1 : errand->sock;
}

static int serve_errand(struct errand *errand, struct buf *out, struct err *err)
{
    const struct tool_services *services = errand->services;
    const struct ask *question = &errand->question;
    int done = -1;

    if (question->kind == ASK_CHAIN)
        done = services->seal_chain(services->arg, out, err);
    else if (question->kind == ASK_SIGNATURE)
        done = services->seal_sign(services->arg, question->digest, out, err);
    else
        done = services->timestamp(services->arg, question->digest, &errand->abandoned, out, err);
    if (done == 0 && (out->failed || out->len > SERVICE_ANSWER))
        return err_set(err, ERR_INTERNAL, "a service's answer is too long");
    return done;
}

static void *answer_errand(void *arg)
{
    struct errand *errand = arg;
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct err err;
    struct ask_answer head = { 0 };
    struct iovec parts[2] = { { &head, sizeof head }, { NULL, 0 } };
    struct msghdr packet = { .msg_iov = parts, .msg_iovlen = 2 };

    if (serve_errand(errand, &out, &err) < 0) {
        head = (struct ask_answer){ (uint32_t) err.code, 1 };
        parts[1] = (struct iovec){ err.msg, strlen(err.msg) };
    } else {
        parts[1] = (struct iovec){ out.data, out.len };
    }
    /* A correct process asks again only when it has the answer: by then this must be set. */
    atomic_store(&errand->answered, true);
    /* A process that does not read its answers gets none: a full socket must not block us. */
    if (sendmsg(errand->sock, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        log_debug("errand.unheard", KV("errno", errno));
    return NULL;
}

static void join_errand(struct errand *errand)
{
    if (errand->begun)
        pthread_join(errand->thread, NULL);
    errand->begun = false;
}

int errand_receive(struct errand *errand, struct err *err)
{
    char packet[sizeof(struct ask) + 1]; /* one byte more, to detect packets that are too long */
    ssize_t got = recv(errand->sock, packet, sizeof packet, MSG_DONTWAIT);
    uint32_t kind;

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0) { /* the process has ended, which the zygote reports */
        atomic_store(&errand->abandoned, true);
        errand->over = true;
        return 0;
    }
    if (got != sizeof(struct ask))
        return err_set(err, ERR_INTERNAL, "the job's process sent an invalid request");
    memcpy(&kind, packet, sizeof kind);
    if (kind < ASK_CHAIN || kind >= ASK_KINDS)
        return err_set(err, ERR_INTERNAL,
                       "the job's process asked for something that does not exist");
    if (errand->begun && !atomic_load(&errand->answered))
        return err_set(err, ERR_INTERNAL, "the job's process asks before it was answered");
    if (errand->asked[kind]++ == most[kind])
        return err_set(err, ERR_INTERNAL, "the job's process asks too often");
    join_errand(errand);
    memcpy(&errand->question, packet, sizeof errand->question);
    atomic_store(&errand->answered, false);
    if (thread_start(&errand->thread, "errand", answer_errand, errand, err) < 0)
        return -1;
    errand->begun = true;
    return 0;
}

void errand_close(struct errand *errand)
{
    atomic_store(&errand->abandoned, true);
    join_errand(errand);
    if (errand->sock >= 0)
        close(errand->sock);
    errand->sock = -1;
}
