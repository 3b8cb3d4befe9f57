#include "sandbox/zygote/trial.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "sandbox/protocol/report.h"
#include "sandbox/protocol/request.h"

#define RUN_MS       60000
#define MEMORY_BYTES 2000000000
#define OUTPUT_BYTES 100000000

static int open_files(const struct zygote_trial *job, int *fds, struct err *err)
{
    for (int i = REQUEST_OUTPUT; i <= REQUEST_FIRST_INPUT; i++) {
        fds[i] = fdio_memory_file(err);
        if (fds[i] < 0)
            return -1;
    }
    return fdio_write(fds[REQUEST_FIRST_INPUT], job->data, job->n, err);
}

static int open_channels(struct trial *trial, int *fds, struct err *err)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, "socketpair");
    trial->status = pair[0];
    fds[REQUEST_STATUS] = pair[1];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return err_sys(err, "pipe");
    trial->report = pair[0];
    fds[REQUEST_REPORT] = pair[1];
    return fcntl(trial->report, F_SETFL, O_NONBLOCK) < 0 ? err_sys(err, "pipe") : 0;
}

int trial_request(const struct zygote_trial *job, struct trial *trial, struct message *request,
                  struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct worker_job work = {
        .id = "trial",
        .tool = job->tool,
        .stem = "trial",
        .input_names = &job->name,
        .n_inputs = 1,
        .limits = { RUN_MS, MEMORY_BYTES, OUTPUT_BYTES },
    };

    *trial = TRIAL_NONE;
    *request = (struct message){ .n_fds = REQUEST_FIRST_INPUT + 1 };
    memset(request->fds, -1, sizeof request->fds);
    if (open_files(job, request->fds, err) < 0 || open_channels(trial, request->fds, err) < 0 ||
        request_pack(&work, false, &text, err) < 0)
        return -1;
    request->n = text.len;
    request->data = buf_take(&text);
    return request->data ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

bool trial_passed(struct trial *trial, int wait)
{
    struct worker_result result = { 0 };
    struct report report = { .result = &result };
    char chunk[4096];
    struct err ignored;
    ssize_t got;
    bool passed = WIFEXITED(wait) && WEXITSTATUS(wait) == 0;

    while (passed && (got = read(trial->report, chunk, sizeof chunk)) > 0)
        passed = report_feed(&report, chunk, (size_t) got, &ignored) == 0;
    passed = passed && report.end == REPORT_DONE;
    report_free(&report);
    worker_result_free(&result);
    scope_close(&trial->status);
    scope_close(&trial->report);
    *trial = TRIAL_NONE;
    return passed;
}
