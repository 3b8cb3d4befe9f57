/* What dies with what: jobs with their zygote, everything with the server. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "rig.h"

#define DEADLINE_MS 60000

/* What "sleep" writes into its output: its pid and its zygote's. */
static void read_pids(int output, int pids[2])
{
    if (pread(output, pids, 2 * sizeof *pids, 0) != (ssize_t) (2 * sizeof *pids))
        pids[0] = pids[1] = -1;
}

static int pidfd(int pid)
{
    return (int) syscall(SYS_pidfd_open, pid, 0);
}

static bool ends(int fd)
{
    struct pollfd end = { .fd = fd, .events = POLLIN };

    return poll(&end, 1, DEADLINE_MS) == 1;
}

/* It may be a zombie yet: the zygote cannot reap it any more. */
static bool is_dead(int pid)
{
    AUTO_CLOSE int fd = pidfd(pid);
    struct pollfd end = { .fd = fd, .events = POLLIN };

    return pid > 0 && (fd < 0 || poll(&end, 1, 0) == 1);
}

/* Kills the zygote of a job that is half done. */
static bool kill_zygote(void *arg, double fraction)
{
    struct rig *rig = arg;
    int pids[2];

    if (fraction < 0.5)
        return true;
    read_pids(rig->output, pids);
    kill(pids[1], SIGKILL);
    return true;
}

static void test_zygote_killed(const char *rogue)
{
    struct err err;
    struct worker *worker = worker_open("rogue", rogue, false, &err);
    RIG(rig, worker, "sleep", "", 0);
    int pids[2];

    rig.job.progress = kill_zygote;
    rig.job.arg = &rig;
    rig_run(&rig);
    is_str(rig_outcome(&rig), "lost internal_error: the worker program ended",
           "the job of a killed zygote is lost");
    read_pids(rig.output, pids);
    ok(is_dead(pids[0]), "the process of a killed zygote's job has ended");
    RIG(next, worker, "echo", "", 0);
    is_int(rig_run(&next), WORKER_DONE, "the next job has a new one (%s)", next.err.msg);
    worker_close(worker);
}

/* A zygote that dies while it has nothing to do is not noticed by anybody. */
static void test_zygote_killed_idle(const char *rogue)
{
    struct err err;
    struct worker *worker = worker_open("rogue", rogue, false, &err);
    RIG(rig, worker, "pids", "", 0);
    RIG(next, worker, "pids", "", 0);
    int pid = 0, zygote = 0, another = 0;

    rig_run(&rig);
    if (sscanf(rig_text(&rig), "%d %d", &pid, &zygote) == 2) {
        AUTO_CLOSE int fd = pidfd(zygote);

        kill(zygote, SIGKILL);
        ends(fd);
    }
    is_int(rig_run(&next), WORKER_DONE, "an idle zygote's death costs no job (%s)", next.err.msg);
    ok(sscanf(rig_text(&next), "%d %d", &pid, &another) == 2 && another != zygote,
       "a new zygote runs the next job");
    worker_close(worker);
}

struct many {
    pthread_t thread;
    struct worker *worker;
    int reached; /* an eventfd */
    enum worker_end end, next;
    int zygote;
};

static bool reach(void *arg, double fraction)
{
    struct many *many = arg;

    if (fraction >= 0.5 && many->reached >= 0) {
        eventfd_write(many->reached, 1);
        many->reached = -1;
    }
    return true;
}

static void *run_many(void *arg)
{
    struct many *many = arg;
    RIG(rig, many->worker, "sleep", "", 0);
    RIG(next, many->worker, "pids", "", 0);
    int pid;

    rig.job.progress = reach;
    rig.job.arg = many;
    many->end = rig_run(&rig);
    many->next = rig_run(&next);
    if (sscanf(rig_text(&next), "%d %d", &pid, &many->zygote) != 2)
        many->zygote = -1;
    return NULL;
}

static void test_zygote_killed_busy(const char *rogue)
{
    enum { N = 8 };
    struct err err;
    struct worker *worker = worker_open("rogue", rogue, false, &err);
    AUTO_CLOSE int reached = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
    struct many many[N];
    int pid, zygote = -1, lost = 0, done = 0, same = 0;
    eventfd_t one;
    RIG(rig, worker, "pids", "", 0);

    rig_run(&rig);
    if (sscanf(rig_text(&rig), "%d %d", &pid, &zygote) != 2)
        abort();
    for (int i = 0; i < N; i++) {
        many[i] = (struct many){ .worker = worker, .reached = reached };
        pthread_create(&many[i].thread, NULL, run_many, &many[i]);
    }
    for (int i = 0; i < N; i++)
        eventfd_read(reached, &one);
    kill(zygote, SIGKILL);
    for (int i = 0; i < N; i++) {
        pthread_join(many[i].thread, NULL);
        lost += many[i].end == WORKER_LOST;
        done += many[i].next == WORKER_DONE;
        same += many[i].zygote == many[0].zygote;
    }
    is_int(lost, N, "all jobs of a killed zygote are lost");
    is_int(done, N, "the next job of each thread is done");
    is_int(same, N, "one new zygote runs the next jobs of all threads");
    worker_close(worker);
}

/* What a job has forked does not outlive it, whether it ends at its deadline or is cancelled. */
static void test_forked(const char *rogue)
{
    struct err err;
    struct worker *worker = worker_open("rogue", rogue, false, &err);
    RIG(rig, worker, "fork", "", 0);
    int pids[2];

    rig.job.limits.run_ms = 500;
    rig_run(&rig);
    is_str(rig_outcome(&rig), "failed limit_exceeded: the job took longer than 500 ms",
           "a job with a process of its own is killed at its deadline");
    read_pids(rig.output, pids);
    ok(pids[0] > 0 && pids[1] > 0, "it had forked one");
    AUTO_CLOSE int forked = pidfd(pids[1]);
    ok(forked < 0 || ends(forked), "which has ended, too");
    worker_close(worker);
}

/* In the process that plays the server: tells the test when its job is on. */
static bool tell(void *arg, double fraction)
{
    if (fraction >= 0.5 && write(*(int *) arg, "x", 1) < 0)
        return false;
    return true;
}

static void test_server_killed(const char *rogue)
{
    AUTO_CLOSE int output = rig_file("");
    int ready[2], pids[2] = { -1, -1 };
    char byte;
    pid_t server;

    if (pipe(ready) < 0)
        abort();
    server = fork();
    if (server == 0) {
        struct err err;
        struct worker *worker = worker_open("rogue", rogue, false, &err);
        RIG(rig, worker, "sleep", "", 0);

        rig.job.output = output;
        rig.job.progress = tell;
        rig.job.arg = &ready[1];
        rig_run(&rig);
        _exit(0);
    }
    close(ready[1]);
    ok(read(ready[0], &byte, 1) == 1, "a server runs a job");
    close(ready[0]);
    read_pids(output, pids);
    AUTO_CLOSE int child = pidfd(pids[0]);
    AUTO_CLOSE int zygote = pidfd(pids[1]);
    ok(child >= 0 && zygote >= 0, "the server's job runs in a process of a zygote");
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    ok(ends(zygote), "the zygote ends when its server is killed");
    ok(ends(child), "the job's process ends when its server is killed");
}

static void test_closing(const char *rogue)
{
    struct err err;
    struct worker *worker = worker_open("rogue", rogue, false, &err);
    RIG(rig, worker, "pids", "", 0);
    int pid, zygote = -1;

    rig_run(&rig);
    if (sscanf(rig_text(&rig), "%d %d", &pid, &zygote) != 2)
        abort();
    worker_close(worker);
    ok(kill(zygote, 0) < 0 && errno == ESRCH, "closing a worker ends its zygote and reaps it");
}

/* A program that cannot be started again: callers wait longer and longer, but not for ever if
 * they are told to stop. */
static bool stop_soon(void *arg, double fraction)
{
    (void) fraction;
    return clock_mono_ms() < *(int64_t *) arg;
}

static void test_not_again(const char *rogue)
{
    struct err err;
    struct worker *worker = rig_variant(rogue, "only-ordinary", true, &err); /* its name is gone */
    RIG(first, worker, "pids", "", 0);
    int pid, zygote = -1, lost = 0;
    int64_t start, until;

    rig_run(&first);
    if (sscanf(rig_text(&first), "%d %d", &pid, &zygote) != 2)
        abort();
    AUTO_CLOSE int fd = pidfd(zygote);
    kill(zygote, SIGKILL);
    ends(fd);
    start = clock_mono_ms();
    for (int i = 0; i < 4; i++) {
        RIG(rig, worker, "pids", "", 0);

        lost += rig_run(&rig) == WORKER_LOST;
    }
    is_int(lost, 4, "the jobs of a program that cannot be restarted are lost");
    ok(clock_mono_ms() - start >= 100 + 200 + 400, "after pauses that grow (%lld ms)",
       (long long) (clock_mono_ms() - start));
    RIG(rig, worker, "pids", "", 0);
    until = clock_mono_ms() + 100;
    rig.job.progress = stop_soon;
    rig.job.arg = &until;
    is_int(rig_run(&rig), WORKER_CANCELLED,
           "a job can be cancelled during the pause before a restart");
    worker_close(worker);
}

static int64_t longest_question(struct worker *worker, int64_t ms)
{
    int64_t begun = clock_mono_ms(), longest = 0;
    char why[200];

    while (clock_mono_ms() - begun < ms) {
        int64_t asked = clock_mono_ms(), took;

        worker_ready(worker, why, sizeof why);
        took = clock_mono_ms() - asked;
        longest = took > longest ? took : longest;
        poll(NULL, 0, 10);
    }
    return longest;
}

/* A program that ends before it is ready, and when started again says nothing. */
static void test_silent(const char *rogue)
{
    char folder[] = "/tmp/platen-death-XXXXXX", path[64];
    AUTO_FREE char *target = realpath(rogue, NULL);
    struct worker *worker;
    int pid, zygote = -1;
    int64_t begun;
    struct err err;
    FILE *script;

    if (!target || !mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/tries", folder);
    if (symlink(target, path) < 0 || !(worker = worker_open("rogue", path, true, &err)))
        abort();
    {
        RIG(rig, worker, "pids", "", 0);

        rig_run(&rig);
        if (sscanf(rig_text(&rig), "%d %d", &pid, &zygote) != 2)
            abort();
    }
    unlink(path);
    script = fopen(path, "we");
    if (!script || fputs("#!/bin/sh\nexec sleep 60\n", script) < 0 || fclose(script) != 0 ||
        chmod(path, 0755) < 0)
        abort();
    kill(zygote, SIGKILL);
    /* Whoever waited for the program's word would do so for half a minute, and then be told. */
    begun = longest_question(worker, 1500);
    ok(begun < 10000, "whether it is ready is answered at once (%lld ms)", (long long) begun);
    begun = clock_mono_ms();
    worker_close(worker);
    ok(clock_mono_ms() - begun < 28000, "closing does not wait for a program that does not answer");
    unlink(path);
    rmdir(folder);
}

static void test_trial_hangs(const char *rogue)
{
    char folder[] = "/tmp/platen-trial-XXXXXX", path[64], why[200] = "";
    char *target = realpath(rogue, NULL);
    struct worker *worker;
    struct err err = { 0 };
    int64_t begun;

    if (!target || !mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/tries-shortly", folder);
    if (symlink(target, path) < 0 || !(worker = worker_open("tries-shortly", path, true, &err)))
        abort();
    begun = clock_mono_ms();
    while (!strstr(why, "could not") && clock_mono_ms() - begun < DEADLINE_MS) {
        worker_ready(worker, why, sizeof why);
        poll(NULL, 0, 10);
    }
    is_str(why, "tries-shortly: its own in.pdf could not be converted",
           "a self-test that hangs fails with a reason");
    begun = clock_mono_ms();
    while (!worker_is_absent(worker) && clock_mono_ms() - begun < 3 * DEADLINE_MS)
        poll(NULL, 0, 10);
    ok(worker_is_absent(worker), "a program whose self-tests fail repeatedly is absent");
    RIG(rig, worker, "echo", "", 0);
    is_int(rig_run(&rig), WORKER_DONE, "and jobs run all the same (%s)", rig.err.msg);
    worker_close(worker);
    unlink(path);
    rmdir(folder);
    free(target);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    test_server_killed(argv[1]); /* first: it forks */
    test_zygote_killed(argv[1]);
    test_zygote_killed_idle(argv[1]);
    test_zygote_killed_busy(argv[1]);
    test_forked(argv[1]);
    test_closing(argv[1]);
    test_not_again(argv[1]);
    test_silent(argv[1]);
    test_trial_hangs(argv[1]);
    return done_testing();
}
