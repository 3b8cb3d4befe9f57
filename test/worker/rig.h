/*
 * rig: jobs for the rogue worker program, through the real worker_open and worker_run. Each test
 * program gets rogue's path as its first argument.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "sandbox/worker/worker.h"
#include "tap.h"

#define RIG_MEMORY (256LL << 20)
#define RIG_OUTPUT (64LL << 20)

/* A staging file as the blob store makes them: without a name, to be opened again by anybody who
 * was handed it. */
static inline int rig_file(const char *text)
{
    int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0 || fchmod(fd, 0666) < 0 || write(fd, text, strlen(text)) != (ssize_t) strlen(text))
        abort();
    return fd;
}

/* One job and what came of it. */
struct rig {
    struct worker *worker;
    struct worker_job job;
    struct param_input params[2];
    char number[24];
    int input, output, scratch;
    const char *input_name;
    struct worker_result result;
    struct err err;
    enum worker_end end;
};

static inline void rig_done(struct rig *rig)
{
    worker_result_free(&rig->result);
    scope_close(&rig->input);
    scope_close(&rig->output);
    scope_close(&rig->scratch);
}
#define AUTO_RIG __attribute__((cleanup(rig_done)))

/* Must not be copied: the job points into it. */
static inline void rig_job(struct rig *rig, struct worker *worker, const char *tool,
                           const char *text, int64_t number)
{
    *rig = (struct rig){ .worker = worker, .input_name = "in.pdf" };
    rig->input = rig_file("%PDF-in");
    rig->output = rig_file("");
    rig->scratch = rig_file("");
    snprintf(rig->number, sizeof rig->number, "%lld", (long long) number);
    rig->params[0] = (struct param_input){ "text", text };
    rig->params[1] = (struct param_input){ "number", rig->number };
    rig->job = (struct worker_job){
        .id = "0190a1b2-0000-7000-8000-000000000000",
        .tool = tool,
        .stem = "stem",
        .params = rig->params,
        .n_params = 2,
        .inputs = &rig->input,
        .input_names = &rig->input_name,
        .n_inputs = 1,
        .output = rig->output,
        .scratch = rig->scratch,
        .limits = { 600000, RIG_MEMORY, RIG_OUTPUT },
        .cancel = -1,
    };
}

static inline enum worker_end rig_run(struct rig *rig)
{
    worker_result_free(&rig->result);
    memset(&rig->err, 0, sizeof rig->err);
    return rig->end = worker_run(rig->worker, &rig->job, &rig->result, &rig->err);
}

/* What is in the output, after "%PDF-". */
static inline const char *rig_text(const struct rig *rig)
{
    static _Thread_local char text[4096];
    ssize_t got = pread(rig->output, text, sizeof text - 1, 5);

    text[got < 0 ? 0 : got] = '\0';
    return text;
}

#define RIG(var, worker, ...)                                                                      \
    AUTO_RIG struct rig var;                                                                       \
    rig_job(&var, worker, __VA_ARGS__)

static const char *const rig_ends[] = { "done", "failed", "lost", "cancelled" };

/* The end, the error's code and message in one text. */
static inline const char *rig_outcome(const struct rig *rig)
{
    static _Thread_local char text[512];

    if (rig->end == WORKER_DONE)
        snprintf(text, sizeof text, "done %s", rig->result.kind);
    else
        snprintf(text, sizeof text, "%s %s: %s", rig_ends[rig->end], err_name(rig->err.code),
                 rig->err.msg);
    return text;
}

/* Opens rogue under another name, in a folder of our own. */
static inline struct worker *rig_variant(const char *rogue, const char *name, bool allow,
                                         struct err *err)
{
    char folder[] = "/tmp/platen-rig-XXXXXX", path[64];
    AUTO_FREE char *target = realpath(rogue, NULL);
    struct worker *worker;

    if (!target || !mkdtemp(folder))
        return NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (symlink(target, path) < 0)
        return NULL;
    worker = worker_open(name, path, allow, err);
    unlink(path);
    rmdir(folder);
    return worker;
}
