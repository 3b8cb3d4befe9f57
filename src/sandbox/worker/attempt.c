#include "sandbox/worker/attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "declare/tool_run/run.h"
#include "sandbox/protocol/report.h"
#include "sandbox/protocol/request.h"
#include "sandbox/worker/errand.h"
#include "sandbox/worker/page_errand.h"
#include "sandbox/worker/verdict.h"

#define START_MS       30000 /* a zygote that makes no process for this long is stuck */
#define REPORT_MS      500   /* progress is reported at least this often */
#define REPORT_MIN_MS  50    /* and at most this often */
#define REPORT_CHUNK   16384
#define CPU_SPARE_MS   500 /* times of processes are not exact */
#define NEARLY(amount) ((amount) / 4 * 3)
#define MEGABYTE       1000000
#define PAGES_POLL     4   /* place of a page's descriptors among those that are polled */
#define SCRATCH_MS     100 /* how often a scratch file in memory is measured */

enum stop { GO_ON, STOP_CANCELLED, STOP_DEADLINE, STOP_NONSENSE, STOP_SCRATCH };

struct attempt {
    const struct worker_job *job;
    struct worker_result *result;
    struct report report;
    struct errand errand;
    struct page_errand pages;
    struct err nonsense;          /* for STOP_NONSENSE */
    int status, reports, process; /* socket, pipe, pidfd; -1: not open, or closed */
    int64_t asked_ms, started_ms, reported_ms;
    double reported;
    enum stop stop;
    bool ended, refused;
    bool scratch_in_memory;
    struct request_status last; /* valid if ended */
};

/* Stops the job; the first reason counts. If the process is not known yet, it is ended when it
 * is. */
static void stop(struct attempt *attempt, enum stop why)
{
    if (attempt->stop == GO_ON)
        attempt->stop = why;
    if (attempt->process >= 0 && attempt->stop != GO_ON)
        syscall(SYS_pidfd_send_signal, attempt->process, SIGKILL, NULL, 0);
}

static void notify_progress(struct attempt *attempt, int64_t now)
{
    const struct worker_job *job = attempt->job;
    int64_t since = now - attempt->reported_ms;

    if (since < REPORT_MIN_MS ||
        (since < REPORT_MS && attempt->report.fraction <= attempt->reported))
        return;
    attempt->reported_ms = now;
    attempt->reported = attempt->report.fraction;
    if (job->progress && !job->progress(job->arg, attempt->report.fraction))
        stop(attempt, STOP_CANCELLED);
}

/* Used while there is no process yet. */
static bool stopped(void *arg)
{
    struct attempt *attempt = arg;
    struct pollfd cancel = { .fd = attempt->job->cancel, .events = POLLIN };

    notify_progress(attempt, clock_mono_ms());
    if (poll(&cancel, 1, 0) == 1)
        stop(attempt, STOP_CANCELLED);
    return attempt->stop != GO_ON;
}

static void read_report(struct attempt *attempt)
{
    char chunk[REPORT_CHUNK];
    ssize_t got;

    while ((got = read(attempt->reports, chunk, sizeof chunk)) > 0) {
        if (attempt->stop == STOP_NONSENSE)
            continue; /* its output is read and dropped so that it does not block in a write */
        if (report_feed(&attempt->report, chunk, (size_t) got, &attempt->nonsense) < 0)
            stop(attempt, STOP_NONSENSE);
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    close(attempt->reports);
    attempt->reports = -1;
}

/* Reads a status message. False: the zygote is gone. */
static bool read_status(struct attempt *attempt)
{
    struct request_status status;
    struct err ignored;
    size_t n_fds = 1;
    int pidfd = -1;
    ssize_t got = fdio_recv(attempt->status, &status, sizeof status, &pidfd, &n_fds, &ignored);

    if (got != sizeof status)
        return false;
    if (status.event == REQUEST_STARTED && n_fds == 1 && attempt->process < 0) {
        attempt->process = pidfd;
        attempt->result->started_us = clock_mono_us();
        attempt->started_ms = clock_mono_ms();
        stop(attempt, GO_ON);
        return true;
    }
    attempt->last = status;
    attempt->ended = true;
    attempt->refused = status.event != REQUEST_ENDED;
    return true;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* RLIMIT_AS does not count a scratch file in memory: it may use the job's memory limit once
 * more. */
static bool scratch_too_large(const struct attempt *attempt)
{
    int64_t most = attempt->job->limits.memory_bytes;
    struct stat st;

    return attempt->scratch_in_memory && most > 0 && fstat(attempt->job->scratch, &st) == 0 &&
           (int64_t) st.st_blocks * 512 > most;
}

/* How long to wait: until progress must be reported again, or a limit expires. */
static int patience(const struct attempt *attempt, int64_t now)
{
    bool news = attempt->report.fraction > attempt->reported;
    int64_t until = attempt->reported_ms + (news ? REPORT_MIN_MS : REPORT_MS);

    if (attempt->process < 0)
        until = least(until, attempt->asked_ms + START_MS);
    else if (attempt->stop == GO_ON && attempt->job->limits.run_ms > 0)
        until = least(until, attempt->started_ms + attempt->job->limits.run_ms);
    if (attempt->process >= 0 && attempt->stop == GO_ON && attempt->scratch_in_memory)
        until = least(until, now + SCRATCH_MS);
    return until <= now ? 0 : (int) (until - now);
}

/* Handles all descriptors once. False: the zygote is gone or stuck. */
static bool step(struct attempt *attempt)
{
    const struct worker_job *job = attempt->job;
    struct pollfd polls[] = {
        { .fd = attempt->status, .events = POLLIN },
        { .fd = attempt->reports, .events = POLLIN },
        { .fd = attempt->stop == GO_ON ? job->cancel : -1, .events = POLLIN },
        { .fd = attempt->stop == GO_ON ? errand_socket(&attempt->errand) : -1, .events = POLLIN },
        { .fd = -1 },
        { .fd = -1 },
    };
    int64_t now = clock_mono_ms();

    _Static_assert(COUNT(polls) == PAGES_POLL + PAGE_ERRAND_POLLS, "places for the page's");
    if (attempt->stop == GO_ON)
        page_errand_polls(&attempt->pages, polls + PAGES_POLL);
    if (poll(polls, COUNT(polls), patience(attempt, now)) < 0 && errno != EINTR)
        return false;
    if (polls[1].revents)
        read_report(attempt);
    if (polls[0].revents && !read_status(attempt))
        return false;
    if (attempt->ended)
        return true;
    if (polls[2].revents)
        stop(attempt, STOP_CANCELLED);
    if ((polls[3].revents && errand_receive(&attempt->errand, &attempt->nonsense) < 0) ||
        page_errand_step(&attempt->pages, polls + PAGES_POLL, &attempt->nonsense) < 0)
        stop(attempt, STOP_NONSENSE);
    now = clock_mono_ms();
    if (attempt->process < 0 && now - attempt->asked_ms >= START_MS)
        return false;
    if (attempt->process >= 0 && job->limits.run_ms > 0 &&
        now - attempt->started_ms >= job->limits.run_ms)
        stop(attempt, STOP_DEADLINE);
    if (attempt->process >= 0 && attempt->stop == GO_ON && scratch_too_large(attempt))
        stop(attempt, STOP_SCRATCH);
    notify_progress(attempt, now);
    return true;
}

static enum worker_end lost(const struct attempt *attempt, const char *name, struct err *err)
{
    log_warn("worker.lost", KV("worker", name), KV("job", attempt->job->id),
             KV("tool", attempt->job->tool), KV("reason", err->msg));
    return WORKER_LOST;
}

static bool out_of_memory(const struct attempt *attempt, int signal)
{
    int64_t limit = attempt->job->limits.memory_bytes;

    if (attempt->report.out_of_memory)
        return true;
    /* The process crashed, or the kernel killed it, with its memory nearly used up. */
    return limit > 0 && attempt->last.peak_bytes >= NEARLY(limit) &&
           (signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS || signal == SIGKILL);
}

/* LibreOffice makes SIGABRT of SIGXCPU, and the kernel ends by SIGKILL what goes on. The time that
 * the kernel measures for the limit is up to an eighth more than what it reports. */
static bool out_of_cpu(const struct attempt *attempt, int signal)
{
    int64_t limit = attempt->job->limits.office_cpu_ms;

    return signal == SIGXCPU || (signal != 0 && limit > 0 && attempt->last.cpu_ms >= NEARLY(limit));
}

static enum worker_end too_much(const char *what, int64_t amount, const char *unit, struct err *err)
{
    err_set(err, ERR_LIMIT_EXCEEDED, "the job %s %lld %s", what, (long long) amount, unit);
    return WORKER_FAILED;
}

/* The reason why a process was killed, for the metrics. */
static const char *kill_reason(const struct attempt *attempt, int number)
{
    if (attempt->stop == STOP_NONSENSE)
        return "nonsense";
    if (attempt->stop == STOP_DEADLINE)
        return "timeout";
    if (out_of_cpu(attempt, number))
        return "cpu";
    if (number == SIGXFSZ)
        return "output";
    if (attempt->stop == STOP_SCRATCH)
        return "memory";
    if (out_of_memory(attempt, number))
        return "memory";
    return number == SIGSYS ? "sandbox" : "crash";
}

void attempt_count_from_zero(const char *tool)
{
    /* All texts that kill_reason returns, and "cancelled". */
    static const char *const reasons[] = { "nonsense", "timeout", "cpu",   "output",
                                           "memory",   "sandbox", "crash", "cancelled" };
    char labels[64];

    for (size_t i = 0; i < COUNT(reasons); i++) {
        snprintf(labels, sizeof labels, "%s,%s", tool, reasons[i]);
        metric_add(METRIC_WORKER_KILLS, labels, 0);
    }
}

static void count_kill(const struct attempt *attempt, const char *reason)
{
    char labels[64];

    snprintf(labels, sizeof labels, "%s,%s", attempt->job->tool, reason);
    metric_add(METRIC_WORKER_KILLS, labels, 1);
}

/* LibreOffice crashes of documents that are damaged in some ways. It also gets SIGBUS and SIGKILL,
 * but of what the machine lacks. */
static bool is_fault_of_office(const struct worker_limits *limits, int signal)
{
    return limits->office_cpu_ms > 0 &&
           (signal == SIGSEGV || signal == SIGABRT || signal == SIGFPE || signal == SIGILL);
}

static enum worker_end check_signal(struct attempt *attempt, const char *name, int number,
                                    struct err *err)
{
    const struct worker_limits *limits = &attempt->job->limits;

    count_kill(attempt, kill_reason(attempt, number));
    if (attempt->stop == STOP_NONSENSE) {
        *err = attempt->nonsense;
        log_error("worker.nonsense", KV("worker", name), KV("job", attempt->job->id),
                  KV("tool", attempt->job->tool), KV("reason", err->msg));
        return WORKER_FAILED;
    }
    if (attempt->stop != STOP_DEADLINE && limits->office_cpu_ms > 0 && out_of_cpu(attempt, number))
        return too_much("took more processor time than", limits->office_cpu_ms / 1000, "s", err);
    if (attempt->stop == STOP_DEADLINE || number == SIGXCPU)
        return limits->run_ms % 1000
                   ? too_much("took longer than", limits->run_ms, "ms", err)
                   : too_much("took longer than", limits->run_ms / 1000, "s", err);
    if (number == SIGXFSZ)
        return too_much("wrote a file larger than", limits->output_bytes, "bytes", err);
    if (attempt->stop == STOP_SCRATCH || out_of_memory(attempt, number))
        return too_much("needed more memory than", limits->memory_bytes / MEGABYTE, "MB", err);
    if (is_fault_of_office(limits, number))
        err_set(err, ERR_CORRUPT_FILE,
                "LibreOffice crashed while it read the document (signal %d): the document is "
                "damaged, or has what LibreOffice cannot read; save it again in the program that "
                "made it",
                number);
    else if (number == SIGSYS)
        err_set(err, ERR_INTERNAL, "the job's process did what the sandbox forbids");
    else
        err_set(err, ERR_INTERNAL, "the job's process crashed (signal %d)", number);
    return lost(attempt, name, err);
}

static enum worker_end check_end(struct attempt *attempt, const char *name, const struct tool *tool,
                                 struct err *err)
{
    int status = attempt->last.wait;

    if (attempt->stop == STOP_CANCELLED) {
        count_kill(attempt, "cancelled");
        err_set(err, ERR_INTERNAL, "the job was stopped");
        return WORKER_CANCELLED;
    }
    if (!attempt->ended || attempt->refused) {
        count_kill(attempt, "crash");
        err_set(err, ERR_INTERNAL,
                attempt->ended ? "no process could be made for the job"
                               : "the worker program ended");
        err->shortage = attempt->refused;
        return attempt->refused ? WORKER_FAILED : lost(attempt, name, err);
    }
    if (WIFSIGNALED(status) || attempt->stop == STOP_NONSENSE)
        return check_signal(attempt, name, WIFSIGNALED(status) ? WTERMSIG(status) : 0, err);
    if (WEXITSTATUS(status) != 0 || attempt->report.end == REPORT_OPEN) {
        err_set(err, ERR_INTERNAL, "the job's process ended without a report (status %d)",
                WEXITSTATUS(status));
        return lost(attempt, name, err);
    }
    if (attempt->report.end == REPORT_FAILED) {
        if (attempt->report.out_of_memory && attempt->report.failure.code == ERR_INTERNAL)
            return too_much("needed more memory than", attempt->job->limits.memory_bytes / MEGABYTE,
                            "MB", err);
        *err = attempt->report.failure;
        return WORKER_FAILED;
    }
    return verdict_on(attempt->job->output, attempt->result, tool,
                      attempt->job->limits.output_bytes, err) < 0
               ? WORKER_FAILED
               : WORKER_DONE;
}

/* Puts the descriptors of the documents and of parameters' files into fds, and returns their
 * number. */
static size_t put_files(const struct worker_job *job, int fds[static MESSAGE_FDS])
{
    size_t n = REQUEST_FIRST_INPUT;

    for (size_t i = 0; i < job->n_inputs; i++)
        fds[n++] = job->inputs[i];
    for (size_t i = 0; i < job->n_params; i++)
        if (job->params[i].file)
            fds[n++] = job->params[i].file->fd;
    return n;
}

static int pack_request(const struct worker_job *job, const struct tool *tool, bool asks,
                        struct buf *text, struct err *err)
{
    AUTO_FREE struct param_input *params = calloc(job->n_params + 1, sizeof *params);
    struct worker_job known = *job;

    if (!params)
        return err_sys(err, "parameters");
    if (tool->fetches) {
        known.params = params;
        known.n_params = page_errand_params(job, params);
    }
    return request_pack(&known, asks, text, err);
}

/* Makes the job's two channels and sends the job. */
static int submit(struct attempt *attempt, struct connection *connection, const struct tool *tool,
                  unsigned *life, struct err *err)
{
    const struct worker_job *job = attempt->job;
    bool shows = tool->fetches && job->pages, asks = (tool->asks && job->services) || shows;
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int theirs_status = -1;
    AUTO_CLOSE int theirs_report = -1;
    AUTO_CLOSE int theirs_ask = -1;
    int fds[MESSAGE_FDS], pair[2];
    size_t n_fds;
    int sent;

    if (job->n_inputs + request_files(job) > REQUEST_INPUTS)
        return err_set(err, ERR_TOO_MANY_FILES, "a job has at most %u files", REQUEST_INPUTS);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, "socketpair");
    attempt->status = pair[0];
    theirs_status = pair[1];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return err_sys(err, "pipe");
    attempt->reports = pair[0];
    theirs_report = pair[1];
    if (fcntl(attempt->reports, F_SETFL, O_NONBLOCK) < 0)
        return err_sys(err, "pipe");
    fds[REQUEST_STATUS] = theirs_status;
    fds[REQUEST_REPORT] = theirs_report;
    fds[REQUEST_OUTPUT] = job->output;
    fds[REQUEST_SCRATCH] = job->scratch;
    n_fds = put_files(job, fds);
    if (shows ? page_errand_open(&attempt->pages, job, &theirs_ask, err) < 0
              : asks && errand_open(&attempt->errand, job->services, &theirs_ask, err) < 0)
        return -1;
    if (asks)
        fds[n_fds++] = theirs_ask;
    sent = pack_request(job, tool, asks, &text, err);
    if (sent == 0)
        sent = connection_send(connection, &text, fds, n_fds, stopped, attempt, life, err);
    if (text.data)
        explicit_bzero(text.data, text.len);
    return sent;
}

/* Waits for the process, which dies with its zygote, but a little later. */
static void await_death(const struct attempt *attempt)
{
    struct pollfd process = { .fd = attempt->process, .events = POLLIN };

    if (attempt->process >= 0)
        while (poll(&process, 1, START_MS) < 0 && errno == EINTR)
            continue;
}

static void clean_up(struct attempt *attempt)
{
    errand_close(&attempt->errand);
    page_errand_close(&attempt->pages);
    scope_close(&attempt->status);
    scope_close(&attempt->reports);
    scope_close(&attempt->process);
    report_free(&attempt->report);
}

enum worker_end attempt_run(struct connection *connection, const char *name,
                            const struct tool *tool, const struct worker_job *job,
                            struct worker_result *result, struct err *err)
{
    int64_t now = clock_mono_ms();
    __attribute__((cleanup(clean_up))) struct attempt attempt = {
        .job = job,
        .result = result,
        .report = { .result = result },
        .errand = { .sock = -1 },
        .pages = { .sock = -1 },
        .status = -1,
        .reports = -1,
        .process = -1,
        .asked_ms = now,
        .reported_ms = now,
        .scratch_in_memory = fcntl(job->scratch, F_GET_SEALS) >= 0,
    };
    unsigned life = 0;

    if (submit(&attempt, connection, tool, &life, err) < 0) {
        if (attempt.stop == STOP_CANCELLED)
            return WORKER_CANCELLED;
        return err->code != ERR_INTERNAL || err->shortage ? WORKER_FAILED
                                                          : lost(&attempt, name, err);
    }
    attempt.asked_ms = clock_mono_ms();
    while (!attempt.ended) {
        if (!step(&attempt)) {
            connection_lost(connection, life);
            await_death(&attempt);
            break;
        }
    }
    /* All that the process wrote is in the pipe now; reading must not block if something else
     * holds it open. */
    if (attempt.reports >= 0)
        read_report(&attempt);
    if (attempt.process >= 0)
        result->run_ms = clock_mono_ms() - attempt.started_ms;
    result->cpu_ms = attempt.last.cpu_ms;
    result->peak_bytes = attempt.last.peak_bytes;
    return check_end(&attempt, name, tool, err);
}
