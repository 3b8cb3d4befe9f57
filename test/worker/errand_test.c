/* errand: what a job's process may ask, seen from the server. This test is the process. */
#include "sandbox/worker/errand.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/thread.h"
#include "tap.h"

static const unsigned char digest[SERVICE_DIGEST] = "thirty-two bytes of no meaning..";
static size_t chain_bytes = 5;
static atomic_bool slow; /* a time stamp waits until it is given up */
static atomic_int given_up;

static int chain(void *arg, struct buf *out, struct err *err)
{
    static const char bytes[SERVICE_ANSWER + 1];

    (void) arg, (void) err;
    buf_put(out, bytes, chain_bytes);
    return 0;
}

static int sign(void *arg, const unsigned char asked[static SERVICE_DIGEST], struct buf *out,
                struct err *err)
{
    (void) arg, (void) err;
    buf_put(out, asked, SERVICE_DIGEST);
    return 0;
}

static int stamp(void *arg, const unsigned char asked[static SERVICE_DIGEST],
                 const atomic_bool *abandoned, struct buf *out, struct err *err)
{
    (void) arg, (void) asked;
    while (atomic_load(&slow)) {
        if (!atomic_load(abandoned))
            continue;
        atomic_fetch_add(&given_up, 1);
        return err_set(err, ERR_INTERNAL, "given up");
    }
    buf_puts(out, "never");
    return err_set(err, ERR_UNSUPPORTED_CONTENT, "the authority is closed");
}

static const struct tool_services services = { NULL, chain, sign, stamp };

struct pair {
    struct errand errand;
    int theirs;
};

static void open_pair(struct pair *pair)
{
    struct err err;

    *pair = (struct pair){ .errand = { .sock = -1 }, .theirs = -1 };
    if (errand_open(&pair->errand, &services, &pair->theirs, &err) < 0)
        abort();
}

static void close_pair(struct pair *pair)
{
    errand_close(&pair->errand);
    scope_close(&pair->theirs);
}

/* Sends these bytes and has the server look; what it says, or "taken". */
static const char *send_bytes(struct pair *pair, const void *bytes, size_t n)
{
    static struct err err;

    if (send(pair->theirs, bytes, n, 0) != (ssize_t) n)
        abort();
    return errand_receive(&pair->errand, &err) < 0 ? err.msg : "taken";
}

static const char *send_ask(struct pair *pair, uint32_t kind)
{
    struct ask ask = { .kind = kind };

    memcpy(ask.digest, digest, sizeof digest);
    return send_bytes(pair, &ask, sizeof ask);
}

/* The answer's bytes, read as the process does. */
static ssize_t answer(const struct pair *pair, char out[static SERVICE_ANSWER + 100])
{
    return recv(pair->theirs, out, SERVICE_ANSWER + 100, 0);
}

static void test_answers(void)
{
    static char text[SERVICE_ANSWER + 100];
    struct pair pair;
    struct ask_answer head;
    ssize_t n;

    open_pair(&pair);
    is_str(send_ask(&pair, ASK_SIGNATURE), "taken", "a request for a signature is accepted");
    n = answer(&pair, text);
    ok(n == sizeof head + SERVICE_DIGEST && memcmp(text + sizeof head, digest, SERVICE_DIGEST) == 0,
       "a request for a signature is answered with the signature");
    is_str(send_ask(&pair, ASK_TIMESTAMP), "taken", "a request for a time stamp is accepted");
    n = answer(&pair, text);
    memcpy(&head, text, sizeof head);
    ok(head.is_error && head.failed == ERR_UNSUPPORTED_CONTENT,
       "the answer to a failed request has the error code");
    text[n] = '\0';
    is_str(text + sizeof head, "the authority is closed",
           "the answer to a failed request has the message");
    is_str(send_ask(&pair, ASK_TIMESTAMP), "taken",
           "a second request for a time stamp is accepted");
    answer(&pair, text);
    is_str(send_ask(&pair, ASK_TIMESTAMP), "the job's process asks too often",
           "a third request for a time stamp is refused");
    is_str(send_ask(&pair, ASK_SIGNATURE), "the job's process asks too often",
           "a second request for a signature is refused");
    chain_bytes = SERVICE_ANSWER;
    is_str(send_ask(&pair, ASK_CHAIN), "taken", "a request for the certificate chain is accepted");
    is_int(answer(&pair, text), sizeof head + SERVICE_ANSWER,
           "an answer of the maximum length arrives whole");
    is_str(send_ask(&pair, ASK_CHAIN), "the job's process asks too often",
           "a second request for the certificate chain is refused");
    close_pair(&pair);
    open_pair(&pair);
    chain_bytes = SERVICE_ANSWER + 1;
    send_ask(&pair, ASK_CHAIN);
    answer(&pair, text);
    memcpy(&head, text, sizeof head);
    ok(head.is_error, "an answer longer than the maximum is an error");
    close_pair(&pair);
}

static void test_nonsense(void)
{
    struct ask ask = { .kind = ASK_SIGNATURE };
    char longer[sizeof ask + 1] = { ASK_SIGNATURE };
    struct pair pair;
    int refused = 0;

    open_pair(&pair);
    for (size_t n = 1; n < sizeof ask; n++)
        refused += strcmp(send_bytes(&pair, &ask, n), "taken") != 0;
    is_int(refused, sizeof ask - 1, "a request truncated at any length is refused");
    is_str(send_bytes(&pair, longer, sizeof longer), "the job's process sent an invalid request",
           "a request that is too long is refused");
    is_str(send_ask(&pair, 0), "the job's process asked for something that does not exist",
           "a request of kind 0 is refused");
    is_str(send_ask(&pair, ASK_KINDS), "the job's process asked for something that does not exist",
           "a request of the first unknown kind is refused");
    is_str(send_ask(&pair, UINT32_MAX), "the job's process asked for something that does not exist",
           "a request of kind UINT32_MAX is refused");
    is_str(send_ask(&pair, ASK_SIGNATURE), "taken",
           "a valid request is accepted after refused ones");
    is_str(send_bytes(&pair, "", 0), "taken", "an empty packet is accepted as the end");
    is_int(errand_socket(&pair.errand), -1, "after the end the socket is closed");
    close_pair(&pair);
}

static void test_patience(void)
{
    struct pair pair;

    atomic_store(&slow, true);
    open_pair(&pair);
    is_str(send_ask(&pair, ASK_TIMESTAMP), "taken", "a request that takes long is accepted");
    is_str(send_ask(&pair, ASK_CHAIN), "the job's process asks before it was answered",
           "a request before the previous one was answered is refused");
    close_pair(&pair);
    is_int(atomic_load(&given_up), 1, "the end of a job cancels its request");
    open_pair(&pair);
    send_ask(&pair, ASK_TIMESTAMP);
    scope_close(&pair.theirs);
    pair.theirs = -1;
    ok(errand_receive(&pair.errand, &(struct err){ 0 }) == 0 && errand_socket(&pair.errand) == -1,
       "the end of the job's process closes the errand");
    close_pair(&pair);
    is_int(atomic_load(&given_up), 2, "the end of the job's process cancels its request");
    atomic_store(&slow, false);
}

/* Nobody reads: the answers fill the socket. */
static void test_unread(void)
{
    struct pair pair;
    int small = 1;

    open_pair(&pair);
    setsockopt(pair.errand.sock, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    chain_bytes = SERVICE_ANSWER;
    send_ask(&pair, ASK_CHAIN);
    close_pair(&pair);
    ok(true, "a process that does not read its answers does not block the server");
    struct errand never = { .sock = -1 };
    errand_close(&never);
    ok(true, "an errand that was never opened can be closed");
}

int main(void)
{
    test_answers();
    test_nonsense();
    test_patience();
    test_unread();
    return done_testing();
}
