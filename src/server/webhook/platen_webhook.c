/*
 * platen-webhook: the program that sends webhooks to their receivers. The server starts it when
 * there is something to deliver. So neither responses from the network are ever in the server, nor
 * the libraries for sending. It gets requests that are ready to be sent, and no secrets.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "base/system/process.h"
#include "sandbox/confinement/landlock.h"
#include "sandbox/confinement/sandbox.h"
#include "sandbox/process/program.h"
#include "sandbox/process/started.h"
#include "server/webhook/delivery_loop.h"

/* The process cannot open files of ours: not the signing key, not documents, not the database. */
static int confine(struct err *err)
{
    struct landlock landlock;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_sys(err, "no_new_privs");
    landlock_prepare_client(&landlock);
    /* A kernel without Landlock: it is still a separate process. */
    if (landlock.abi != 0 && landlock_enter(&landlock, NULL, 0, NULL, 0, 0, err) < 0)
        return -1;
    sandbox_enter_client(true);
    process_close_to_others(); /* another user made it open again */
    return 0;
}

static int work_as_webhook(struct err *err)
{
    AUTO_MESSAGE struct message message;
    static struct transfer_rules rules;
    struct webhook_terms terms;

    if (message_recv(ZYGOTE_CONTROL, &message, err) <= 0)
        return -1;
    if (webhook_terms_unpack(&message, &terms, err) < 0 ||
        delivery_loop_rules(&terms, &rules, err) < 0 || confine(err) < 0)
        return -1;
    return delivery_loop_run(ZYGOTE_CONTROL, &rules, err);
}

int main(void)
{
    struct err err = { .msg = "the server said nothing" };

    if (!started_by_server("platen-webhook"))
        return 2;
    process_close_to_others();
    signal(SIGPIPE, SIG_IGN);
    /* A name server that does not answer is asked twice, for some seconds instead of half a
     * minute. */
    setenv("RES_OPTIONS", "timeout:3 attempts:2", 1);
    if (work_as_webhook(&err) == 0)
        _exit(0); /* does not wait for threads that resolve names */
    fprintf(stderr, "platen-webhook: %s\n", err.msg);
    _exit(1);
}
