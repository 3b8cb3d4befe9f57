/*
 * platen-signer: the program that holds the signing key and contacts time stamp authorities. The
 * server starts it for each request. So neither the key nor data from the network is ever in the
 * server, nor the libraries for either.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/scope.h"
#include "base/system/process.h"
#include "sandbox/confinement/landlock.h"
#include "sandbox/confinement/sandbox.h"
#include "sandbox/process/program.h"
#include "sandbox/process/started.h"
#include "sandbox/signer/request.h"
#include "sandbox/signer/seal.h"
#include "sandbox/signer/timestamp.h"

static int use_seal(const struct signer_request *request, struct buf *out, struct err *err)
{
    const struct signer_settings *s = &request->settings;
    AUTO_SEAL struct seal *seal = *s->certificate ? seal_open_file(s->certificate, s->password, err)
                                                  : seal_open(s->data, s->name, err);

    if (!seal)
        return -1;
    return request->ask.kind == ASK_CHAIN ? seal_chain(seal, out, err)
                                          : seal_sign(seal, request->ask.digest, out, err);
}

/* The process that reads data from the network cannot open files of ours: not the key, not
 * documents, not the database. */
static int confine(const char *authorities, struct err *err)
{
    AUTO_CLOSE int readable = *authorities ? open(authorities, O_PATH | O_CLOEXEC) : -1;
    struct landlock landlock;

    landlock_prepare_client(&landlock);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_sys(err, "no_new_privs");
    /* A kernel without Landlock: it is still a separate process. */
    if (landlock.abi != 0 &&
        landlock_enter(&landlock, &readable, readable >= 0, NULL, 0, 0, err) < 0)
        return -1;
    sandbox_enter_client(false); /* timestamp_ca may be readable for its user alone */
    return 0;
}

static int get_stamp(const struct signer_request *request, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf query = BUF_EMPTY, reply = BUF_EMPTY;

    if (!*request->settings.timestamp_url)
        return err_set(err, ERR_INVALID_PARAMETER, "this server has no time stamp authority");
    if (timestamp_request(request->ask.digest, &query, err) < 0 ||
        confine(request->settings.timestamp_ca, err) < 0)
        return -1;
    if (timestamp_fetch(request->settings.timestamp_url, request->settings.timestamp_ms, &query,
                        &reply, err) < 0)
        return err_wrap(err, "the time stamp authority");
    return timestamp_verify(&query, &reply, request->settings.timestamp_ca, out, err);
}

static int serve_message(const struct message *message, struct buf *out, struct err *err)
{
    struct signer_request request;

    if (signer_request_unpack(message, &request, err) < 0)
        return -1;
    switch (request.ask.kind) {
    case ASK_CHAIN:
    case ASK_SIGNATURE:
        return use_seal(&request, out, err);
    case ASK_TIMESTAMP:
        return get_stamp(&request, out, err);
    default:
        return err_set(err, ERR_INTERNAL, "a request for something that does not exist");
    }
}

int main(int argc, char **argv)
{
    AUTO_MESSAGE struct message message;
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct ask_answer head = { 0 };
    struct iovec parts[2] = { { &head, sizeof head }, { NULL, 0 } };
    struct msghdr packet = { .msg_iov = parts, .msg_iovlen = 2 };
    struct err err;

    (void) argc, (void) argv;
    if (!started_by_server("platen-signer"))
        return 2;
    process_close_to_others(); /* it will hold the key */
    if (message_recv(ZYGOTE_CONTROL, &message, &err) <= 0)
        return 1;
    if (serve_message(&message, &out, &err) < 0) {
        head = (struct ask_answer){ (uint32_t) err.code, 1 };
        parts[1] = (struct iovec){ err.msg, strlen(err.msg) };
    } else {
        parts[1] = (struct iovec){ out.data, out.len };
    }
    return sendmsg(ZYGOTE_CONTROL, &packet, MSG_NOSIGNAL) < 0;
}
