#include "sandbox/zygote/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/effort.h"
#include "base/scope.h"
#include "declare/tool_run/result.h"
#include "sandbox/protocol/ask.h"
#include "sandbox/protocol/report.h"
#include "sandbox/protocol/request.h"
#include "sandbox/zygote/allocation.h"
#include "sandbox/zygote/inflate_limit.h"

#define PROGRESS_STEP  0.01
#define SPARE_FILES    64 /* descriptors that libraries need: for fonts, tables of character sets */
#define COMPANION_ENDS 2
#define HANDLER_STACK  16384
#define END_NO_REPORT  1 /* exit status: nothing could be reported */
#define END_FORSAKEN   2 /* exit status: the zygote is gone */

struct child {
    const struct message *message;
    const struct child_place *place;
    struct request request;
    struct tool_services services;
    int report;
    double reported; /* the last progress that was reported */
    bool left_clean; /* the companion is ready for another job */
};

static int report_fd = -1; /* for the signal handler */

static void on_crash(int number)
{
    (void) number;
    if (allocation_refused())
        report_out_of_memory(report_fd);
    /* Returns to the crash: the handler was reset, so that the second signal ends the process. */
}

/* A crash after an allocation failed is a limit, not a fault: it must be reported before the
 * process ends. Sanitizers have handlers of their own, and their findings must be reported. */
static void watch_crashes(int report)
{
#ifdef PLATEN_SANITIZERS
    return;
#endif
    static const int numbers[] = { SIGABRT, SIGSEGV, SIGBUS, SIGTRAP, SIGILL, SIGFPE };
    static char stack[HANDLER_STACK];
    stack_t place = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction action = { .sa_handler = on_crash,
                                .sa_flags = SA_ONSTACK | (int) SA_RESETHAND };

    report_fd = report;
    sigaltstack(&place, NULL);
    for (size_t i = 0; i < COUNT(numbers); i++)
        sigaction(numbers[i], &action, NULL);
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* Keeps standard streams (on /dev/null), the job's descriptors, those of the libraries and those to
 * the companion, and closes all others: the zygote's socket, the status sockets of other jobs. */
static void close_others(const struct message *message, const struct kept_files *kept,
                         const int *companion)
{
    int keep[MESSAGE_FDS + KEPT_FILES + COMPANION_ENDS];
    size_t n = message->n_fds + kept->n;
    unsigned from = STDERR_FILENO + 1;

    memcpy(keep, message->fds, message->n_fds * sizeof *keep);
    memcpy(keep + message->n_fds, kept->fds, kept->n * sizeof *keep);
    for (size_t i = 0; companion && i < COMPANION_ENDS; i++)
        keep[n++] = companion[i];
    qsort(keep, n, sizeof *keep, by_number);
    for (size_t i = 0; i < n; i++) {
        unsigned fd = (unsigned) keep[i];

        if (fd == (unsigned) message->fds[REQUEST_STATUS])
            continue;
        if (fd > from)
            close_range(from, fd - 1, 0);
        from = fd + 1;
    }
    close_range(from, ~0U, 0);
}

static int highest(const struct message *message)
{
    int most = 0;

    for (size_t i = 0; i < message->n_fds; i++)
        most = message->fds[i] > most ? message->fds[i] : most;
    return most;
}

static void on_progress(void *arg, double fraction)
{
    struct child *child = arg;
    struct err ignored; /* the other end is closed, and the process will be ended soon */

    if (fraction < child->reported + PROGRESS_STEP || fraction > 1)
        return;
    child->reported = fraction;
    report_progress(child->report, fraction, &ignored);
}

static void on_warning(void *arg, const char *code, const char *message)
{
    struct child *child = arg;
    struct err ignored;

    report_warning(child->report, code, message, &ignored);
}

static void on_figure(void *arg, const char *name, int64_t value)
{
    struct child *child = arg;
    struct err ignored;

    report_figure(child->report, name, value, &ignored);
}

static void on_pages(void *arg, const char *name, const char *pages)
{
    struct child *child = arg;
    struct err ignored;

    report_pages(child->report, name, pages, &ignored);
}

static void on_row(void *arg, const struct tool_page_row *row)
{
    struct child *child = arg;
    struct err ignored;

    report_row(child->report, row, &ignored);
}

static int on_output(void *arg, const struct tool_output *output, struct err *err)
{
    struct child *child = arg;

    return report_output(child->report, output, err);
}

/* The process ends at once: what the libraries would do next about damaged data is more work. */
static void on_inflated(void *arg, size_t megabytes)
{
    struct child *child = arg;
    struct err failure, ignored;

    err_set(&failure, ERR_LIMIT_EXCEEDED,
            "data in the file are compressed several times over and would become more than "
            "%zu MB: produce the document again",
            megabytes);
    _exit(report_failed(child->report, &failure, &ignored) < 0 ? END_NO_REPORT : 0);
}

/* Makes the inputs: the documents, then the files of parameters, which are the last of those. */
static int make_inputs(struct child *child, struct tool_input **out, struct err *err)
{
    struct request *request = &child->request;
    struct param_input *files = request->params + request->n_params - request->n_files;
    size_t n = request->n_inputs + request->n_files;
    struct tool_input *inputs = calloc(n + 1, sizeof *inputs);
    char(*paths)[32] = calloc(n + 1, sizeof *paths);
    uint64_t bytes = 0;

    *out = inputs;
    if (!inputs || !paths)
        return err_sys(err, "inputs");
    for (size_t i = 0; i < n; i++) {
        int fd = child->message->fds[REQUEST_FIRST_INPUT + i];
        struct stat st;

        if (fstat(fd, &st) < 0)
            return err_sys(err, "input %zu", i);
        snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", fd);
        inputs[i] = (struct tool_input){ fd, paths[i], "", st.st_size };
        effort_allow((double) st.st_size);
        bytes += (uint64_t) st.st_size;
        if (i < request->n_inputs)
            inputs[i].name = request->input_names[i];
        else
            files[i - request->n_inputs].file = &inputs[i];
    }
    inflate_limit_begin(bytes, on_inflated, child);
    return 0;
}

/* Does not free memory: the process ends with the job. */
static int run_tool(struct child *child, const struct tool *tool, const char **kind,
                    struct err *err)
{
    const struct tool_sink sink = { .arg = child,
                                    .progress = on_progress,
                                    .warning = on_warning,
                                    .output = on_output,
                                    .figure = on_figure,
                                    .pages = on_pages,
                                    .row = on_row,
                                    .no_digests = child->request.no_digests };
    const int *fds = child->message->fds;
    struct tool_input *inputs;
    struct tool_result *result;
    struct tool_run run;

    if (make_inputs(child, &inputs, err) < 0)
        return -1;
    result = tool_result_new(tool, fds[REQUEST_OUTPUT], fds[REQUEST_SCRATCH], &sink, err);
    if (!result)
        return -1;
    run = (struct tool_run){ .inputs = inputs,
                             .n_inputs = child->request.n_inputs,
                             .stem = child->request.stem,
                             .output = tool_result_path(result),
                             .folder = child->place->folder,
                             .companion = child->place->companion,
                             .companion_jobs = child->place->companion_jobs,
                             .companion_kept = child->request.reuse.account != 0,
                             .companion_kept_after_scripts = child->request.reuse.scripts,
                             .result = result,
                             .memory_refused = allocation_refused,
                             .cores = (int) child->request.limits.cores };
    if (child->request.asks && tool->fetches) {
        run.pages = &fds[child->message->n_fds - 1];
    } else if (child->request.asks) {
        child->services = ask_services(&fds[child->message->n_fds - 1]);
        run.services = &child->services;
    }
    if (tool_result_run(tool, &run, child->request.params, child->request.n_params, err) < 0)
        return -1;
    *kind = tool_result_kind(result);
    child->left_clean = run.companion_clean;
    return 0;
}

static const struct tool *find_tool(const struct child_place *place, const char *name)
{
    for (size_t i = 0; i < place->n_tools; i++)
        if (strcmp(place->tools[i]->name, name) == 0)
            return place->tools[i];
    return NULL;
}

static int do_job(struct child *child, const char **kind, struct err *err)
{
    const struct message *message = child->message;
    const struct child_place *place = child->place;
    const struct tool *tool;
    /* It is closed with the others. */
    int folder = place->folder ? open(place->folder, O_PATH | O_CLOEXEC) : 0;
    struct sandbox_scope scope = {
        .readable = message->fds + REQUEST_FIRST_INPUT,
        .writable = message->fds + REQUEST_OUTPUT,
        .n_writable = REQUEST_FIRST_INPUT - REQUEST_OUTPUT,
        .folder = folder,
        .n_files = (size_t) highest(message) + message->n_fds + SPARE_FILES + place->n_files,
    };

    if (request_unpack(message, &child->request, err) < 0)
        return -1;
    tool = find_tool(place, child->request.tool);
    if (!tool)
        return err_set(err, ERR_INTERNAL, "the worker program has no such tool");
    scope.n_readable = child->request.n_inputs + child->request.n_files;
    scope.limits = child->request.limits;
    if (scope.limits.memory_bytes > 0)
        scope.limits.memory_bytes += place->mapped_bytes;
    scope.threads = tool->threads;
    scope.processes = tool->processes;
    if (tool->prepare && tool->prepare(message->fds + REQUEST_FIRST_INPUT, child->request.n_inputs))
        scope.threads = true;
    if (folder < 0)
        return err_sys(err, "the job's folder");
    /* A group of its own, in which all that it forks stays: it cannot leave it in the sandbox. */
    if (tool->processes && setpgid(0, 0) < 0)
        return err_sys(err, "setpgid");
    kept_files_renew(place->kept);
    if (sandbox_enter(place->sandbox, &scope, err) < 0)
        return -1;
    /* after the sandbox, because Landlock's folders are among them */
    close_others(message, place->kept, place->companion);
    return run_tool(child, tool, kind, err);
}

/* Asks to be killed when the parent dies, and ends now if it has died already. */
static void die_with(pid_t parent)
{
    sigset_t none;

    prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0); /* see the zygote; it may fail */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
        _exit(END_FORSAKEN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn void child_run(const struct message *message, const struct child_place *place)
{
    struct child child = { .message = message,
                           .place = place,
                           .report = message->fds[REQUEST_REPORT] };
    const char *kind = NULL;
    struct err err, ignored;
    int reported;

    die_with(place->parent);
#ifndef PLATEN_SANITIZERS
    /* The zygote's standard error is the server's log. */
    if (dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(END_NO_REPORT);
#endif
    watch_crashes(child.report);
    if (do_job(&child, &kind, &err) == 0) {
        reported = report_done(child.report, kind, &ignored);
    } else {
        if (allocation_refused() && err.code == ERR_INTERNAL)
            report_out_of_memory(child.report);
        reported = report_failed(child.report, &err, &ignored);
    }
    _exit(reported < 0 ? END_NO_REPORT : child.left_clean ? CHILD_LEFT_CLEAN : 0);
}
