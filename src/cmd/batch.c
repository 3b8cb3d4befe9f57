#include "cmd/batch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/thread.h"
#include "cmd/cmd.h"
#include "server/dispatch/result.h"

enum outcome { NOT_BEGUN, UNDER_WAY, DONE, FAILED };

struct entry {
    enum outcome outcome;
    enum err_code code; /* of FAILED */
    char *why;          /* of FAILED; NULL without memory */
};

struct batch {
    const struct run_order *order;
    const struct config *config;
    const struct signer_client *signer;
    const struct place *place;
    int cancel;  /* an eventfd: every job stops */
    int changed; /* an eventfd: a file is done or failed, or a thread ended */
    pthread_mutex_t lock;
    /* Under the lock. */
    struct entry *entries; /* one for each file */
    size_t next;
    size_t done, failed, running; /* running: threads */
    bool stopped;
};

static void note_change(int fd)
{
    uint64_t one = 1;
    ssize_t n = write(fd, &one, sizeof one);

    (void) n; /* the counter of an eventfd does not overflow here */
}

static int run_one(const struct batch *batch, const char *path, struct err *err)
{
    int cores = thread_cores() / batch->order->jobs;
    struct run_task task = { .order = batch->order,
                             .config = batch->config,
                             .signer = batch->signer,
                             .place = batch->place,
                             .cores = cores > 0 ? cores : 1,
                             .cancel = batch->cancel,
                             .label = path };
    int done = run_task_add_file(&task, path, err);

    if (done == 0)
        done = run_task_run(&task, err);
    run_task_free(&task);
    return done;
}

/* A signal to all processes may end a job before it is read here. */
static bool is_interrupted(const struct batch *batch)
{
    sigset_t waiting;

    sigpending(&waiting);
    return batch->stopped || sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) ||
           sigismember(&waiting, SIGHUP);
}

static void settle(struct batch *batch, struct entry *entry, bool done, const struct err *err)
{
    pthread_mutex_lock(&batch->lock);
    if (done) {
        entry->outcome = DONE;
        batch->done++;
    } else if (!is_interrupted(batch)) {
        entry->outcome = FAILED;
        entry->code = err->code;
        entry->why = strdup(err->msg);
        batch->failed++;
    }
    pthread_mutex_unlock(&batch->lock);
    note_change(batch->changed);
}

static void *run_some(void *arg)
{
    struct batch *batch = arg;
    struct err err;

    for (;;) {
        size_t i;

        pthread_mutex_lock(&batch->lock);
        i = batch->stopped ? batch->order->n_files : batch->next;
        if (i < batch->order->n_files) {
            batch->next++;
            batch->entries[i].outcome = UNDER_WAY;
        } else {
            batch->running--;
        }
        pthread_mutex_unlock(&batch->lock);
        if (i >= batch->order->n_files)
            break;
        settle(batch, &batch->entries[i], run_one(batch, batch->order->files[i], &err) == 0, &err);
    }
    note_change(batch->changed);
    return NULL;
}

static void show(const struct batch *batch, size_t done, size_t failed)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K%s: %zu of %zu files done", batch->order->tool->name, done,
            batch->order->n_files);
    if (failed)
        fprintf(stderr, ", %zu failed", failed);
}

/* Shows what happens until every thread has ended; returns the signal that came, or 0. */
static int watch(struct batch *batch, int signals)
{
    struct pollfd polled[] = { { .fd = batch->changed, .events = POLLIN },
                               { .fd = signals, .events = POLLIN } };
    size_t running = 1;
    int came = 0;

    while (running > 0) {
        struct signalfd_siginfo info;
        size_t done, failed;
        uint64_t count;

        if (poll(polled, came ? 1 : 2, -1) < 0 && errno != EINTR)
            break;
        if (polled[0].revents && read(batch->changed, &count, sizeof count) < 0)
            break;
        pthread_mutex_lock(&batch->lock);
        if (polled[1].revents && !came &&
            read(signals, &info, sizeof info) == (ssize_t) sizeof info) {
            came = (int) info.ssi_signo;
            batch->stopped = true;
            note_change(batch->cancel);
        }
        running = batch->running;
        done = batch->done;
        failed = batch->failed;
        pthread_mutex_unlock(&batch->lock);
        show(batch, done, failed);
    }
    return came;
}

static int run_threads(struct batch *batch, int signals, int *came, struct err *err)
{
    pthread_t threads[RUN_JOBS_MAX];
    size_t n = (size_t) batch->order->jobs, started = 0;
    int all = 0;

    if (n > batch->order->n_files)
        n = batch->order->n_files;
    batch->running = n;
    while (started < n && all == 0) {
        all = thread_start(&threads[started], "file", run_some, batch, err);
        started += all == 0;
    }
    if (all < 0) {
        pthread_mutex_lock(&batch->lock);
        batch->running -= n - started;
        pthread_mutex_unlock(&batch->lock);
    }
    if (started > 0)
        *came = watch(batch, signals);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started > 0 ? 0 : -1; /* fewer threads than wanted do the same work */
}

static void sum_up(const struct batch *batch, bool interrupted)
{
    const struct run_order *order = batch->order;

    run_task_clear_bar();
    for (size_t i = 0; i < order->n_files; i++)
        if (batch->entries[i].outcome == FAILED)
            fprintf(stderr, "platen: %s: %s: %s\n", order->files[i],
                    err_name(batch->entries[i].code),
                    batch->entries[i].why ? batch->entries[i].why : "");
    fprintf(stderr, "platen: %s%zu of %zu files done", interrupted ? "interrupted: " : "",
            batch->done, order->n_files);
    if (batch->failed)
        fprintf(stderr, ", %zu failed", batch->failed);
    fputc('\n', stderr);
}

struct named {
    char stem[RESULT_NAME];
    const char *path;
};

static int by_stem(const void *a, const void *b)
{
    return strcmp(((const struct named *) a)->stem, ((const struct named *) b)->stem);
}

/* One result must not replace another. */
static int check_names(const struct run_order *order, struct err *err)
{
    AUTO_FREE struct named *list = calloc(order->n_files, sizeof *list);

    if (!list)
        return err_sys(err, "files");
    for (size_t i = 0; i < order->n_files; i++) {
        list[i].path = order->files[i];
        run_task_stem(order, list[i].path, list[i].stem);
    }
    qsort(list, order->n_files, sizeof *list, by_stem);
    for (size_t i = 1; i < order->n_files; i++)
        if (strcmp(list[i - 1].stem, list[i].stem) == 0)
            return err_set(
                err, ERR_INVALID_REQUEST,
                "the results of %.80s and %.80s would have the same name: run them separately",
                list[i - 1].path, list[i].path);
    return 0;
}

static int begin(struct batch *batch, int *came, struct err *err)
{
    AUTO_CLOSE int signals = -1;
    sigset_t set;

    /* After the worker programs were started, which do not inherit this. */
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signals = signalfd(-1, &set, SFD_CLOEXEC);
    batch->entries = calloc(batch->order->n_files, sizeof *batch->entries);
    batch->cancel = eventfd(0, EFD_CLOEXEC);
    batch->changed = eventfd(0, EFD_CLOEXEC);
    if (signals < 0 || !batch->entries || batch->cancel < 0 || batch->changed < 0)
        return err_sys(err, "files");
    if (run_threads(batch, signals, came, err) < 0)
        return -1;
    sum_up(batch, *came != 0);
    return 0;
}

static void end(struct batch *batch)
{
    for (size_t i = 0; batch->entries && i < batch->order->n_files; i++)
        free(batch->entries[i].why);
    free(batch->entries);
    if (batch->cancel >= 0)
        close(batch->cancel);
    if (batch->changed >= 0)
        close(batch->changed);
}

/* Whoever waits for this process learns that a signal ended it. */
static void end_by(int signal_number)
{
    sigset_t set;

    signal(signal_number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int batch_run(const struct run_order *order, const struct config *config,
              const struct signer_client *signer, const struct place *place)
{
    struct batch batch = { .order = order,
                           .config = config,
                           .signer = signer,
                           .place = place,
                           .cancel = -1,
                           .changed = -1,
                           .lock = PTHREAD_MUTEX_INITIALIZER };
    struct err err = { 0 };
    int status, came = 0;

    if (check_names(order, &err) < 0)
        return cmd_fail(2, "%s: %s", err_name(err.code), err.msg);
    if (begin(&batch, &came, &err) < 0)
        status = cmd_fail(1, "%s: %s", err_name(err.code), err.msg);
    else
        status = batch.failed || batch.done < order->n_files ? 1 : 0;
    end(&batch);
    if (came)
        end_by(came);
    return status;
}
