#include "sandbox/zygote/zygote.h"
#include "sandbox/process/program.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "sandbox/confinement/rlimits.h"
#include "sandbox/process/started.h"
#include "sandbox/protocol/request.h"
#include "sandbox/zygote/announce.h"
#include "sandbox/zygote/child.h"
#include "sandbox/zygote/folder.h"
#include "sandbox/zygote/kept_companions.h"
#include "sandbox/zygote/running.h"
#include "sandbox/zygote/trial.h"

#define HUGE_PAGE         (2 << 20)
#define HUGE_ROOM         (24 << 20) /* twice as much is less than what free() would trim */
#define OWN_MAPPING_BYTES (1 << 20)  /* an allocation as large as this is a mapping of its own */

#define FIRST_MS 50   /* how long to wait for a first job before warming up libraries */
#define LOOK_MS  1000 /* how often `stale` is called and trials are checked */
/* twice the CPU time of a trial (sandbox/zygote/trial.c), as it may share the machine */
#define TRIAL_MS    120000
#define WEIGH_MS    250         /* how often the memory of companions is measured */
#define SIZE_MS     100         /* how often folders are measured */
#define IDLE_FOLDER (100 << 20) /* bytes of the folder of a companion that is kept */
#define HOLD_MS     5000 /* a stale program continues if a job has run for longer than that */
/* argument after a restart by itself: the server has received its hello */
#define AGAIN "--again"

struct zygote {
    const char *name;
    const struct zygote_setup *setup;
    struct child_place place;
    struct kept_files kept;
    struct folder folder;
    int children; /* a signalfd for SIGCHLD */
    struct running_list running;
    unsigned next_number;
    struct companion spare; /* of the next job */
    struct kept_companions kept_companions;
    unsigned started; /* companions that were started */
    int64_t weighed_ms;
    bool warm;

    struct trial trial;
    size_t next_trial;
    int64_t looked_ms;
    bool stale;
};

/* Starts the companion of the next job, unless it is there. */
static int make_spare(struct zygote *zygote, struct err *err)
{
    struct companion *spare = &zygote->spare;

    if (spare->pid > 0)
        return 0;
    *spare = (struct companion){ .number = zygote->next_number++ };
    if (folder_make(&zygote->folder, spare->number, spare->folder, err) == 0) {
        if (companion_start(zygote->setup->companion, zygote->place.sandbox, spare, err) == 0) {
            zygote->started++;
            return 0;
        }
        folder_sweep(&zygote->folder, spare->number);
    }
    *spare = (struct companion){ 0 };
    return -1;
}

/* The companion of the next job is started while no request waits. Before the first job there is
 * none: a browser has 100 MB, and many servers never need one. The first job has the machine to
 * itself. */
static void make_spare_between_jobs(struct zygote *zygote)
{
    struct pollfd request = { .fd = ZYGOTE_CONTROL, .events = POLLIN };
    struct err err;

    if (zygote->setup->companion &&
        (zygote->started > 1 || (zygote->started > 0 && zygote->running.n == 0)) &&
        poll(&request, 1, 0) == 0 && make_spare(zygote, &err) < 0)
        fprintf(stderr, "%s: %s\n", zygote->name, err.msg);
}

/* Ends a companion, if there is one, and removes what it has written. */
static void end_companion(const struct zygote *zygote, struct companion *companion)
{
    if (companion->number == 0)
        return;
    companion_close(companion);
    if (companion->pid > 0)
        companion_end(companion->pid);
    folder_sweep(&zygote->folder, companion->number);
    *companion = (struct companion){ 0 };
}

/* Keeps the companion of a job that has ended for another one of the same account, or ends it. */
static void leave_companion(struct zygote *zygote, struct running *job, bool clean)
{
    const struct companion *companion = &job->companion;
    struct companion ended;

    if (!clean || companion->pid <= 0 ||
        folder_bytes(&zygote->folder, companion->number, IDLE_FOLDER) > IDLE_FOLDER ||
        !kept_companions_put(&zygote->kept_companions, companion, job->account, &ended)) {
        end_companion(zygote, &job->companion);
        return;
    }
    end_companion(zygote, &ended);
}

static int choose_companion(struct zygote *zygote, struct running *job, struct err *err)
{
    if (!zygote->setup->companion)
        return 0;
    if (!kept_companions_pop(&zygote->kept_companions, job->account, &job->companion)) {
        if (make_spare(zygote, err) < 0)
            return -1;
        job->companion = zygote->spare;
        zygote->spare = (struct companion){ 0 };
    }
    return 0;
}

/*
 * fork, not clone3(CLONE_PIDFD): libraries get to run their fork handlers (OpenSSL's random
 * numbers, malloc's locks), and it works where a container forbids clone3. The pidfd cannot refer
 * to another process: only this process reaps its children.
 */
static int fork_job(struct zygote *zygote, struct message *request, struct running *job)
{
    char folder[FOLDER_PATH];
    struct err err;
    int pidfd = -1;

    if (!running_make_room(&zygote->running) || choose_companion(zygote, job, &err) < 0)
        return -1;
    if (zygote->setup->folder_bytes > 0) {
        if (folder_make(&zygote->folder, job->number, folder, &err) < 0) {
            end_companion(zygote, &job->companion);
            return -1;
        }
        zygote->place.folder = folder;
    }
    zygote->place.companion = job->companion.pid > 0 ? job->companion.ends : NULL;
    zygote->place.companion_jobs = job->companion.jobs;
    job->pid = fork();
    if (job->pid == 0)
        child_run(request, &zygote->place);
    zygote->place.folder = NULL;
    zygote->place.companion = NULL;
    job->companion.jobs++;
    if (job->pid > 0)
        pidfd = (int) syscall(SYS_pidfd_open, job->pid, 0);
    if (job->pid > 0 && pidfd < 0) {
        kill(job->pid, SIGKILL);
        waitpid(job->pid, NULL, 0);
    }
    if (pidfd < 0)
        end_companion(zygote, &job->companion);
    if (pidfd < 0 && zygote->setup->folder_bytes > 0)
        folder_sweep(&zygote->folder, job->number);
    return pidfd;
}

static bool start_attempt(struct zygote *zygote, struct message *request, bool trial)
{
    struct running job = { .status = request->fds[REQUEST_STATUS],
                           .number = zygote->next_number++,
                           .trial = trial,
                           .account = request_account(request),
                           .since = clock_mono_ms() };
    AUTO_CLOSE int pidfd = fork_job(zygote, request, &job);

    if (pidfd < 0) {
        running_report(&job, REQUEST_REFUSED, errno, NULL, -1);
        return false;
    }
    running_report(&job, REQUEST_STARTED, 0, NULL, pidfd);
    request->fds[REQUEST_STATUS] = -1; /* kept open */
    zygote->running.items[zygote->running.n++] = job;
    return true;
}

static void say_ready(const struct zygote *zygote, const char *why_not)
{
    struct err err;

    if (why_not)
        fprintf(stderr, "%s: %s\n", zygote->name, why_not);
    if (announce_ready(why_not, &err) < 0)
        fprintf(stderr, "%s: %s\n", zygote->name, err.msg);
}

static void next_trial(struct zygote *zygote)
{
    const struct zygote_setup *setup = zygote->setup;
    struct message request;
    struct err err;
    bool started;

    if (zygote->next_trial == setup->n_trials) {
        if (setup->n_trials)
            say_ready(zygote, NULL);
        return;
    }
    started =
        trial_request(&setup->trials[zygote->next_trial], &zygote->trial, &request, &err) == 0 &&
        start_attempt(zygote, &request, true);
    message_wipe(&request);
    if (!started)
        say_ready(zygote, "it could not try itself out");
}

static void end_trial(struct zygote *zygote, int status)
{
    char why[120];

    if (trial_passed(&zygote->trial, status)) {
        zygote->next_trial++;
        next_trial(zygote);
        return;
    }
    snprintf(why, sizeof why, "its own %s could not be converted",
             zygote->setup->trials[zygote->next_trial].name);
    say_ready(zygote, why);
}

static void end_attempt(struct zygote *zygote, size_t i, int status, const struct rusage *usage)
{
    struct running job = zygote->running.items[i];
    bool clean = WIFEXITED(status) && WEXITSTATUS(status) == CHILD_LEFT_CLEAN;

    leave_companion(zygote, &job, clean);
    if (clean)
        status = 0;
    /* The folder is removed before the server is notified: nothing of the job is left then. */
    if (zygote->setup->folder_bytes > 0)
        folder_sweep(&zygote->folder, job.number);
    running_report(&job, REQUEST_ENDED, status, usage, -1);
    close(job.status);
    zygote->running.items[i] = zygote->running.items[--zygote->running.n];
    if (job.trial)
        end_trial(zygote, status);
}

/* A companion that waits for a job has ended. */
static void drop_waiting(struct zygote *zygote, pid_t pid)
{
    struct companion ended;

    if (pid == zygote->spare.pid) {
        ended = zygote->spare;
        zygote->spare = (struct companion){ 0 };
    } else if (!kept_companions_lose(&zygote->kept_companions, pid, &ended)) {
        return;
    }
    ended.pid = 0;
    end_companion(zygote, &ended);
}

static void reap(struct zygote *zygote)
{
    struct signalfd_siginfo info;
    struct rusage usage;
    int status;
    pid_t pid;

    if (read(zygote->children, &info, sizeof info) < 0)
        return; /* there is nothing to do */
    while ((pid = running_reap(&status, &usage)) > 0) {
        drop_waiting(zygote, pid);
        for (size_t i = 0; i < zygote->running.n; i++) {
            /* The job's process reads the end of the pipe. */
            if (zygote->running.items[i].companion.pid == pid)
                zygote->running.items[i].companion.pid = 0;
            if (zygote->running.items[i].pid == pid) {
                end_attempt(zygote, i, status, &usage);
                break;
            }
        }
    }
}

/* Ends jobs whose folder has grown too large, as for a file. */
static void check_folders(const struct zygote *zygote)
{
    int64_t most = zygote->setup->folder_bytes;

    for (size_t i = 0; most > 0 && i < zygote->running.n; i++) {
        const struct running *job = &zygote->running.items[i];
        int64_t bytes = folder_bytes(&zygote->folder, job->number, most);

        if (job->companion.number > 0)
            bytes += folder_bytes(&zygote->folder, job->companion.number, most);
        if (bytes > most)
            kill(job->pid, SIGXFSZ);
    }
}

static void check_companions(struct zygote *zygote)
{
    int64_t now = clock_mono_ms();
    struct companion ended;

    if (!zygote->setup->companion || now - zygote->weighed_ms < WEIGH_MS)
        return;
    zygote->weighed_ms = now;
    for (size_t i = 0; i < zygote->running.n; i++)
        if (zygote->running.items[i].companion.pid > 0)
            companion_bound(zygote->running.items[i].companion.pid,
                            zygote->setup->companion->memory_bytes);
    while (kept_companions_expire(&zygote->kept_companions, zygote->setup->companion, &ended))
        end_companion(zygote, &ended);
}

/* Ends a self-test that hangs, which then counts as failed: else the server would never get a
 * result. */
static void check_trial(const struct zygote *zygote)
{
    int64_t most = zygote->setup->trial_ms ? zygote->setup->trial_ms : TRIAL_MS;

    for (size_t i = 0; i < zygote->running.n; i++)
        if (zygote->running.items[i].trial &&
            clock_mono_ms() - zygote->running.items[i].since > most)
            kill(zygote->running.items[i].pid, SIGKILL);
}

/* Handles one message of the server. False: the server is gone, or sent nonsense. */
static bool serve_once(struct zygote *zygote)
{
    AUTO_MESSAGE struct message request;
    struct err err;
    int got = message_recv(ZYGOTE_CONTROL, &request, &err);

    if (got <= 0)
        return false;
    if (request.n_fds >= REQUEST_FIRST_INPUT)
        start_attempt(zygote, &request, false);
    return true;
}

static void block_children(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, set, NULL);
}

static int confine(const struct zygote *zygote, struct err *err)
{
    AUTO_CLOSE int parent = -1;

    if (zygote->setup->folder_bytes > 0 &&
        (parent = open(FOLDER_PARENT, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        return err_sys(err, "open %s", FOLDER_PARENT);
    return sandbox_enter_zygote(zygote->place.sandbox, parent,
                                zygote->setup->companion ? SYSCALLS_EXEC_COMPANION
                                : zygote->setup->stale   ? SYSCALLS_EXEC_ITSELF
                                                         : SYSCALLS_EXEC_NONE,
                                err);
}

/* For children that live a few milliseconds: the heap grows in large steps, each page of it is
 * touched once, and nothing is returned before the end. */
static void set_heap(void)
{
    /* Huge pages (glibc.malloc.hugetlb in starter.c) are for jobs: this process would only have
     * memory that it does not need. */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    mallopt(M_TOP_PAD, 1 << 20);
    mallopt(M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

/* Makes huge pages of what the heap grows by next, where the kernel has them: a small job would
 * otherwise spend a fifth of its time on page faults. Nothing of it is touched here. */
static void grow_by_huge_pages(void)
{
    char *rooms[2];

    mallopt(M_MMAP_THRESHOLD, 2 * HUGE_ROOM); /* they are taken from the heap */
    for (int i = 0; i < 2; i++) {
        rooms[i] = malloc(HUGE_ROOM);
        if (rooms[i]) {
            size_t over = (uintptr_t) rooms[i] % HUGE_PAGE;

            /* A hint: it may fail. */
            madvise(rooms[i] + (HUGE_PAGE - over), HUGE_ROOM - HUGE_PAGE, MADV_HUGEPAGE);
        }
    }
    free(rooms[0]);
    free(rooms[1]);
    mallopt(M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
}

/* What is mapped is measured without the room, which then counts as memory of the job. */
static void note_mapped(struct zygote *zygote)
{
    zygote->place.mapped_bytes = rlimits_mapped();
    grow_by_huge_pages();
}

static int prepare_zygote(struct zygote *zygote, bool again, struct err *err)
{
    const struct zygote_setup *setup = zygote->setup;
    struct rlimit files;
    sigset_t set;

    /* A job has up to a thousand descriptors. */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    zygote->place.sandbox = sandbox_open(&setup->needs, err);
    if (!zygote->place.sandbox || (!again && confine(zygote, err) < 0))
        return -1;
    if (setup->folder_bytes > 0 && folder_open(&zygote->folder, zygote->name, err) < 0)
        return -1;
    if (setup->companion)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    zygote->place.parent = getpid();
    note_mapped(zygote);
    zygote->place.kept = &zygote->kept;
    zygote->place.n_files = setup->needs.n_files;
    block_children(&set);
    zygote->children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (zygote->children < 0)
        return err_sys(err, "signalfd");
    return fcntl(ZYGOTE_CONTROL, F_SETFD, FD_CLOEXEC) < 0 ? err_sys(err, "control socket") : 0;
}

static int warm_up(struct zygote *zygote, struct err *err)
{
    const struct zygote_setup *setup = zygote->setup;
    struct kept_files before;
    sigset_t set;

    zygote->warm = true;
    if (!setup->warm)
        return 0;
    kept_files_note(&before);
    if (setup->warm(setup->folder_bytes > 0 ? zygote->folder.path : NULL, err) < 0)
        return -1;
    kept_files_since(&zygote->kept, &before);
    block_children(&set); /* libraries may have changed the mask */
    /* Otherwise every child would sort what was freed so far, in pages of its own. */
    malloc_trim(0);
    note_mapped(zygote);
    return 0;
}

/* Executes the same program again, with the same process id and socket. */
static void start_again(struct zygote *zygote)
{
    char *const argv[] = { (char *) (uintptr_t) zygote->name, (char[]){ AGAIN }, NULL };

    folder_close(&zygote->folder);
    close_range(ZYGOTE_CONTROL + 1, ~0U, 0);
    fcntl(ZYGOTE_CONTROL, F_SETFD, 0);
    execv("/proc/self/exe", argv);
    _exit(1); /* the server starts another */
}

/* Whether requests must wait for the running jobs to end, so that a stale program can restart. A
 * long job does not hold up the others. */
static bool hold(struct zygote *zygote)
{
    const struct zygote_setup *setup = zygote->setup;
    int64_t now = clock_mono_ms();

    if (!setup->stale)
        return false;
    if (!zygote->stale && now - zygote->looked_ms >= LOOK_MS) {
        zygote->looked_ms = now;
        zygote->stale = setup->stale();
    }
    if (!zygote->stale)
        return false;
    if (zygote->running.n == 0)
        start_again(zygote);
    for (size_t i = 0; i < zygote->running.n; i++)
        if (now - zygote->running.items[i].since > HOLD_MS)
            return false;
    return true;
}

/* A job that waits already, as the only one of `platen run` does, goes first: it ends sooner
 * than after a warm-up that it may not need. */
static void warm_up_between_jobs(struct zygote *zygote)
{
    struct pollfd request = { .fd = ZYGOTE_CONTROL, .events = POLLIN };
    struct err err;

    if (zygote->warm || zygote->running.n > 0 || poll(&request, 1, FIRST_MS) != 0)
        return;
    if (warm_up(zygote, &err) < 0)
        fprintf(stderr, "%s: %s\n", zygote->name, err.msg);
}

static _Noreturn void run_zygote(struct zygote *zygote)
{
    struct pollfd polls[] = { { .fd = zygote->children, .events = POLLIN }, { .events = POLLIN } };

    for (;;) {
        warm_up_between_jobs(zygote);
        make_spare_between_jobs(zygote);

        int patience =
            zygote->running.n && zygote->setup->folder_bytes > 0 ? SIZE_MS
            : zygote->setup->stale || zygote->trial.report >= 0 || zygote->kept_companions.n > 0
                ? LOOK_MS
                : -1;

        polls[1].fd = hold(zygote) ? -1 : ZYGOTE_CONTROL;
        polls[1].revents = 0;
        if (poll(polls, COUNT(polls), patience) < 0)
            continue; /* interrupted by a signal */
        if (polls[0].revents)
            reap(zygote);
        check_folders(zygote);
        check_companions(zygote);
        check_trial(zygote);
        if (polls[1].revents && !serve_once(zygote))
            break;
    }
    for (size_t i = 0; i < zygote->running.n; i++)
        end_companion(zygote, &zygote->running.items[i].companion);
    for (size_t i = 0; i < zygote->kept_companions.n; i++)
        end_companion(zygote, &zygote->kept_companions.items[i].companion);
    end_companion(zygote, &zygote->spare);
    running_stop(&zygote->running);
    folder_close(&zygote->folder);
    _exit(0);
}

int zygote_main_with(const char *name, const struct tool *const *tools, size_t n_tools,
                     const struct zygote_setup *setup, int argc, char **argv)
{
    static struct zygote zygote;
    bool again = argc == 2 && strcmp(argv[1], AGAIN) == 0;
    struct err err;

    zygote = (struct zygote){ .name = name,
                              .setup = setup,
                              .place = { .tools = tools, .n_tools = n_tools },
                              .folder = FOLDER_NONE,
                              .next_number = 1,
                              .trial = TRIAL_NONE };
    if (argc == 2 && strcmp(argv[1], ZYGOTE_DESCRIBE) == 0)
        return announce_tools(tools, n_tools, &err) < 0;
    if (!started_by_server(name))
        return 2;
    if (setup->look && setup->look(&err) < 0)
        return announce_absent(err.msg, &err) < 0;
    set_heap();
    if (prepare_zygote(&zygote, again, &err) < 0 ||
        (!again && announce_hello(name, &zygote.place, setup->n_trials > 0, &err) < 0) ||
        (!setup->warm_late && warm_up(&zygote, &err) < 0)) {
        fprintf(stderr, "%s: %s\n", name, err.msg);
        folder_close(&zygote.folder);
        return 1;
    }
    next_trial(&zygote);
    run_zygote(&zygote);
}

static void (*warm_simply)(void);

static int call_warm(const char *folder, struct err *err)
{
    (void) folder, (void) err;
    warm_simply();
    return 0;
}

int zygote_main(const char *name, const struct tool *const *tools, size_t n_tools,
                void (*warm)(void), int argc, char **argv)
{
    const struct zygote_setup setup = { .warm = warm ? call_warm : NULL, .warm_late = true };

    warm_simply = warm;
    return zygote_main_with(name, tools, n_tools, &setup, argc, argv);
}
