#include "sandbox/worker/worker.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/log.h"
#include "declare/tool/describe.h"
#include "sandbox/process/starter.h"
#include "sandbox/worker/attempt.h"
#include "sandbox/worker/connection.h"

#define OFFICE_FIRST_MS     20000 /* processor time for the smallest document */
#define OFFICE_BYTES_PER_MS 50    /* how much larger one is that gets a millisecond more */

struct worker {
    char *name;
    struct connection *connection;
    struct tool **tools;
    size_t n_tools;
};

static int recall_tools(struct worker *worker, struct err *err)
{
    const json_t *list = json_object_get(connection_hello(worker->connection), "tools");
    size_t n = json_array_size(list);

    worker->tools = calloc(n + 1, sizeof(struct tool *));
    if (!worker->tools)
        return err_sys(err, "worker");
    for (; worker->n_tools < n; worker->n_tools++) {
        struct tool *tool = tool_recall(json_array_get(list, worker->n_tools), err);

        if (!tool)
            return -1;
        worker->tools[worker->n_tools] = tool;
    }
    return 0;
}

/*
 * The layers without which the sandbox has a hole. seccomp cannot check paths, so without Landlock
 * a job may open whatever its user may: the database, other jobs' files, the memory of processes of
 * the same user. Without seccomp it can use the whole kernel.
 */
static const struct {
    const char *name, *shown, *prevents;
} needed[] = {
    { "landlock", "Landlock", "files that are not its own" },
    { "seccomp", "seccomp", "the kernel's other system calls" },
};

/* The other layers exist on every kernel; a missing one is reported, as a container may be the
 * cause. */
static const char *const expected[] = { "capabilities", "no_new_privs", "rlimits" };

static void warn_missing(const struct worker *worker, const char *layer)
{
    log_warn("worker.layer_missing", KV("worker", worker->name), KV("layer", layer),
             KV("layers", worker_layers(worker)));
}

static int check_layers(const struct worker *worker, bool allow_unsandboxed, struct err *err)
{
    const char *layers = worker_layers(worker);

    for (size_t i = 0; i < COUNT(needed); i++) {
        if (strstr(layers, needed[i].name))
            continue;
        if (!allow_unsandboxed)
            return err_set(
                err, ERR_INTERNAL,
                "%s has no %s here, which keeps a hostile document from %s: use a kernel or "
                "container that allows it (`platen doctor` says how), or set "
                "allow_unsandboxed",
                worker->name, needed[i].shown, needed[i].prevents);
        warn_missing(worker, needed[i].name);
    }
    for (size_t i = 0; i < COUNT(expected); i++)
        if (!strstr(layers, expected[i]))
            warn_missing(worker, expected[i]);
    if ((geteuid() == 0 || starter_runs()) && !strstr(layers, "user"))
        warn_missing(worker, "user");
    return 0;
}

struct worker *worker_open(const char *name, const char *program, bool allow_unsandboxed,
                           struct err *err)
{
    struct worker *worker = calloc(1, sizeof *worker);

    if (!worker) {
        err_sys(err, "worker");
        return NULL;
    }
    worker->name = strdup(name);
    if (!worker->name)
        err_sys(err, "worker");
    else
        worker->connection = connection_open(name, program, err);
    if (!worker->connection || recall_tools(worker, err) < 0 ||
        check_layers(worker, allow_unsandboxed, err) < 0) {
        worker_close(worker);
        return NULL;
    }
    return worker;
}

void worker_close(struct worker *worker)
{
    if (!worker)
        return;
    for (size_t i = 0; i < worker->n_tools; i++)
        tool_forget(worker->tools[i]);
    free(worker->tools);
    connection_close(worker->connection);
    free(worker->name);
    free(worker);
}

bool worker_is_absent(const struct worker *worker)
{
    return connection_given_up(worker->connection);
}

bool worker_ready(struct worker *worker, char *why, size_t cap)
{
    return connection_ready(worker->connection, why, cap);
}

const struct tool *const *worker_tools(const struct worker *worker, size_t *n)
{
    *n = worker->n_tools;
    return (const struct tool *const *) worker->tools;
}

const char *worker_layers(const struct worker *worker)
{
    const char *layers =
        json_string_value(json_object_get(connection_hello(worker->connection), "layers"));

    return layers ? layers : "";
}

/* A document of 23 bytes may ask LibreOffice for hours of work, and none needs more than a few
 * seconds for so few bytes. */
static int64_t office_cpu_ms(const struct worker *worker, const struct worker_job *job)
{
    int64_t most = strcmp(worker->name, WORKER_OFFICE) == 0 ? job->limits.office_cpu_ms : 0;
    int64_t allowed = OFFICE_FIRST_MS;
    struct stat st;

    for (size_t i = 0; i < job->n_inputs; i++)
        if (fstat(job->inputs[i], &st) == 0)
            allowed += st.st_size / OFFICE_BYTES_PER_MS;
    return allowed < most ? allowed : most;
}

enum worker_end worker_run(struct worker *worker, const struct worker_job *job,
                           struct worker_result *result, struct err *err)
{
    struct worker_job limited = *job;

    limited.limits.office_cpu_ms = office_cpu_ms(worker, job);
    *result = (struct worker_result){ 0 };
    for (size_t i = 0; i < worker->n_tools; i++)
        if (strcmp(worker->tools[i]->name, job->tool) == 0)
            return attempt_run(worker->connection, worker->name, worker->tools[i], &limited, result,
                               err);
    err_set(err, ERR_INTERNAL, "%s has no tool %s", worker->name, job->tool);
    return WORKER_FAILED;
}
