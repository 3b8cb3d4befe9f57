/* A job's process asks for services, through the whole way. */
#include <pthread.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "declare/tool_run/service.h"
#include "rig.h"

static atomic_bool slow;
static int event = -1;

static int chain(void *arg, struct buf *out, struct err *err)
{
    (void) err;
    buf_puts(out, arg);
    return 0;
}

static int sign(void *arg, const unsigned char digest[static SERVICE_DIGEST], struct buf *out,
                struct err *err)
{
    (void) arg, (void) err;
    buf_printf(out, "signed(%.6s)", (const char *) digest);
    return 0;
}

/* One that takes long has the job cancelled meanwhile, if there is something to do it with. */
static int stamp(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                 const atomic_bool *abandoned, struct buf *out, struct err *err)
{
    (void) arg, (void) digest;
    if (atomic_load(&slow) && event >= 0)
        eventfd_write(event, 1);
    while (atomic_load(&slow))
        if (atomic_load(abandoned))
            return err_set(err, ERR_INTERNAL, "given up");
    buf_puts(out, "stamped");
    return 0;
}

static const struct tool_services services = { (void *) (uintptr_t) "chain ", chain, sign, stamp };

static const char *outcome(struct worker *worker, const char *tool, const char *text, int number)
{
    static char told[600];
    RIG(rig, worker, tool, text, number);

    rig.job.services = &services;
    rig_run(&rig);
    snprintf(told, sizeof told, "%s%s%s", rig_outcome(&rig), rig.end == WORKER_DONE ? ": " : "",
             rig.end == WORKER_DONE ? rig_text(&rig) : "");
    return told;
}

static void test_honest(struct worker *worker)
{
    RIG(rig, worker, "ask", "c", 0);

    is_str(
        outcome(worker, "ask", "cstt", 0), "done pdf: chain signed(thirty)stampedstamped",
        "a tool that declares `asks` gets the certificate chain, a signature and two time stamps");
    is_str(outcome(worker, "ask", "", 0),
           "done pdf: ", "a tool that declares `asks` need not use it");
    is_str(outcome(worker, "presume", "c", 0),
           "failed internal_error: the tool asked for a service that it did not declare",
           "a request of a tool that does not declare `asks` fails the job");
    is_str(outcome(worker, "presume", "u", 0), "failed unsupported_content: no socket",
           "a tool that does not declare `asks` has no socket for requests");
    rig_run(&rig);
    is_str(rig_outcome(&rig),
           "failed internal_error: the tool asked for a service that it did not declare",
           "a request fails the job if the server offers no services");
}

static void test_hostile(struct worker *worker)
{
    static const char *const cases[][3] = {
        { "j", "an invalid request", "junk" },
        { "l", "an invalid request", "a question that is too long" },
        { "u", "something that does not exist", "an unknown one" },
        { "cc", "too often", "asking for two chains" },
        { "ss", "too often", "asking for two signatures" },
        { "ttt", "too often", "asking for three time stamps" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *told = outcome(worker, "ask", cases[i][0], 1);

        ok(strncmp(told, "failed internal_error", 21) == 0 && strstr(told, cases[i][1]),
           "%s ends the job (%s)", cases[i][2], told);
    }
    atomic_store(&slow, true);
    ok(strstr(outcome(worker, "ask", "h", 1), "before it was answered"),
       "a request before the answer to the previous one fails the job");
    atomic_store(&slow, false);
    is_str(outcome(worker, "ask", "c", 0), "done pdf: chain ",
           "the next job's requests are answered");
}

static void test_watched(struct worker *worker)
{
    RIG(late, worker, "ask", "t", 0);
    RIG(cancelled, worker, "ask", "t", 0);
    AUTO_CLOSE int cancel = eventfd(0, EFD_CLOEXEC);
    int64_t start = clock_mono_ms();

    atomic_store(&slow, true);
    late.job.services = cancelled.job.services = &services;
    late.job.limits.run_ms = 300;
    is_str((rig_run(&late), rig_outcome(&late)),
           "failed limit_exceeded: the job took longer than 300 ms",
           "waiting for a time stamp counts towards the time limit");
    event = cancelled.job.cancel = cancel;
    is_int(rig_run(&cancelled), WORKER_CANCELLED,
           "a job that waits for a time stamp can be cancelled");
    ok(clock_mono_ms() - start < 300000, "a cancelled job does not wait for its time stamp");
    atomic_store(&slow, false);
}

int main(int argc, char **argv)
{
    struct err err = { 0 };
    struct worker *worker = argc == 2 ? worker_open("rogue", argv[1], false, &err) : NULL;

    if (!ok(worker, "a worker program starts (%s)", err.msg))
        return done_testing();
    test_honest(worker);
    test_hostile(worker);
    test_watched(worker);
    worker_close(worker);
    return done_testing();
}
