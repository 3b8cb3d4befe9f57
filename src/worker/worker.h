/*
 * worker: runs jobs with hostile input in sandboxed processes; the view of the server (and of
 * `platen run`).
 *
 * A worker program is started once and becomes a zygote: small, single-threaded, with warmed-up
 * libraries. It forks one child for each job; the child gets descriptors, enters the sandbox, runs
 * one tool and exits. A child's crash ends its job and nothing else. A zygote that dies is
 * restarted, and the jobs that it had are reported as lost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tool/run.h"
#include "tool/service.h"
#include "tool/tool.h"

struct worker;

/* Limits of one job; 0 is no limit. */
struct worker_limits {
    int64_t run_ms;       /* wall time from the child's start, without time in the queue */
    int64_t memory_bytes; /* address space (RLIMIT_AS) beyond that of the program itself */
    int64_t output_bytes; /* size of each file that it writes (RLIMIT_FSIZE) */
    /* number of its threads that should compute at the same time; 0 counts as 1 */
    int64_t cores;
};

/*
 * Starts `program` (an executable) and waits until its zygote has sent its tools. `name` is for
 * logs and metrics: "platen-worker". `allow_unsandboxed`: start even if the kernel supports neither
 * Landlock nor seccomp.
 */
struct worker *worker_open(const char *name, const char *program, bool allow_unsandboxed,
                           struct err *err);
void worker_close(struct worker *worker);

/* Whether the program's self-tests have succeeded (worker/zygote.h). Else *why is the reason,
 * for people. */
bool worker_ready(struct worker *worker, char *why, size_t cap);

/* Whether the program's self-tests have failed repeatedly: it will not become ready. */
bool worker_is_absent(const struct worker *worker);

/* The program's *n tools, borrowed; they live as long as the worker. */
const struct tool *const *worker_tools(const struct worker *worker, size_t *n);
/* The active layers of the sandbox, of
 * "user,capabilities,no_new_privs,rlimits,landlock-7,seccomp". */
const char *worker_layers(const struct worker *worker);

/*
 * A scratch file is rewritten for every part of a result. On a disk each time can cost milliseconds
 * (ext4 frees the blocks, and discards them); with up to this many bytes of input it is better in
 * memory (fdio_memory_file). There it may be as large as memory_bytes; a job whose file grows
 * beyond that is ended for lack of memory.
 */
#define WORKER_SCRATCH_IN_MEMORY (64LL * 1000 * 1000)

struct worker_job {
    const char *id; /* for logs */
    const char *tool;
    const char *stem;
    const struct param_input *params; /* includes secrets and files (only their fd) */
    size_t n_params;
    /* The process opens its files again through /proc/self/fd. If the server is root, the
     * process has another user: inputs then need mode 0444, and staging files 0666. */
    const int *inputs; /* at most 1000 read-only descriptors, owned by the caller */
    const char *const *input_names;
    size_t n_inputs;
    int output, scratch; /* staging files, open for reading and writing, owned by the caller */
    struct worker_limits limits;
    bool no_digests; /* the outputs' sha256 is not needed, which saves reading them: it stays "" */
    const struct tool_services *services; /* for a tool that declares `asks`; NULL: none */
    /* an eventfd that becomes readable to stop the job; -1 for none */
    int cancel;
    /* Called from worker_run with 0 to 1, and at least once a second while the job runs.
     * Returning false stops the job. May be NULL. */
    bool (*progress)(void *cls, double fraction);
    void *cls;
};

enum worker_end {
    WORKER_DONE, /* the result is in the output descriptor */
    /* The tool reported an error, or a limit was exceeded: err has the code. With err.shortage
     * the machine lacked what a job's process needs, and none was started. */
    WORKER_FAILED,
    WORKER_LOST,      /* the child crashed or the zygote died: worth another attempt */
    WORKER_CANCELLED, /* cancel became readable, or progress returned false */
};

struct worker_output {
    char *name; /* of a part; "" for a result that is one file */
    int64_t offset, bytes;
    int64_t pages; /* 0: does not apply */
    char sha256[65];
};

struct worker_warning {
    char *code, *message;
    unsigned step; /* number of the step in a pipeline, from 1; else 0 */
};

struct worker_figure {
    char name[40];
    int64_t value;
    unsigned step;
    char pages[TOOL_PAGES_LISTED]; /* "": it is a number, else a list of pages */
};

struct worker_result {
    char kind[16]; /* kind of the file in the output descriptor: "pdf", "zip" (tool/file_kind.h) */
    struct worker_output *outputs;
    size_t n_outputs;
    struct worker_warning *warnings;
    size_t n_warnings;
    struct worker_figure *figures; /* for the job's `report` */
    size_t n_figures;
    int64_t run_ms, cpu_ms, peak_bytes; /* peak_bytes: peak resident memory */
    int64_t started_us; /* clock_mono_us when its first process was started; 0: none was */
};
void worker_result_free(struct worker_result *result);
#define AUTO_WORKER_RESULT __attribute__((cleanup(worker_result_free)))

/*
 * Runs one job and returns when its process has ended. May be called by any number of threads at
 * the same time. *result needs no preparation, and must be freed in any case: warnings, time and
 * memory are known of failed jobs too. WORKER_DONE means that the result was checked: it is not
 * empty, begins like its kind, is within the limits, and its outputs are within it. For the other
 * ends err is filled.
 */
enum worker_end worker_run(struct worker *worker, const struct worker_job *job,
                           struct worker_result *result, struct err *err);
