/*
 * worker: hostile input in a box, seen from the server (and from `platen run`).
 *
 * A worker program is started once and becomes a zygote: small, single-threaded, libraries warm.
 * It forks one child per job; the child gets descriptors, enters the sandbox, runs one tool and
 * ends. A child's crash ends its job and nothing else. A zygote that dies is started anew, and
 * the jobs it had are reported as lost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tool/service.h"
#include "tool/tool.h"

struct worker;

/* What one job may use; 0 is no limit. */
struct worker_limits {
    int64_t run_ms;       /* wall time from the child's start, never time in the queue */
    int64_t memory_bytes; /* address space (RLIMIT_AS) beyond that of the program itself */
    int64_t output_bytes; /* size of any file it writes (RLIMIT_FSIZE) */
    int64_t cores;        /* how many of its threads should compute at a time; 0 counts as 1 */
};

/*
 * Starts `program` (an executable) and waits until its zygote has said what it can do. `name` is
 * for logs and metrics: "platen-worker". `allow_unsandboxed`: start even when the kernel gives
 * neither Landlock nor seccomp.
 */
struct worker *worker_open(const char *name, const char *program, bool allow_unsandboxed,
                           struct err *err);
void worker_close(struct worker *worker);

/* Whether its program has tried itself out (worker/zygote.h) and done well. Else why not, for
 * people.
 */
bool worker_ready(struct worker *worker, char *why, size_t cap);

/* Whether its own trials failed time and again: it will not be ready any more. */
bool worker_is_absent(const struct worker *worker);

/* The tools it has, borrowed; they live as long as the worker. */
const struct tool *const *worker_tools(const struct worker *worker, size_t *n);
/* The layers of the sandbox that are active, of "user,capabilities,no_new_privs,rlimits,landlock-7,
 * seccomp". */
const char *worker_layers(const struct worker *worker);

/*
 * A scratch file is written anew for every part of a result. On a disk each of those times can cost
 * milliseconds (ext4 gives the blocks back, and discards them); up to this many bytes of input it
 * is better in memory (fdio_memory_file). There it may be as large as memory_bytes; a job whose
 * file grows beyond is ended as one that needs too much memory.
 */
#define WORKER_SCRATCH_IN_MEMORY (64LL * 1000 * 1000)

struct worker_job {
    const char *id; /* for logs */
    const char *tool;
    const char *stem;
    const struct param_input *params; /* secrets and files (their fd only) too */
    size_t n_params;
    /* The process opens its files again by /proc/self/fd. If the server is root it is another user:
     * then inputs need mode 0444 and staging files 0666. */
    const int *inputs; /* at most 1000 read-only descriptors; stay the caller's */
    const char *const *input_names;
    size_t n_inputs;
    int output, scratch; /* staging files, open for reading and writing; stay the caller's */
    struct worker_limits limits;
    bool no_digests; /* the outputs' sha256 is not needed, which saves reading them: it stays "" */
    const struct tool_services *services; /* for a tool that asks; NULL: none */
    int cancel;                           /* an eventfd: readable means stop; -1 for none */
    /* Called from worker_run with 0 to 1, and at least once a second while the job runs. Returning
     * false stops the job. May be NULL. */
    bool (*progress)(void *cls, double fraction);
    void *cls;
};

enum worker_end {
    WORKER_DONE, /* the result is in the output descriptor */
    /* The tool said why, or a limit was hit: err has the code. With err.shortage the machine lacked
     * what a job's process needs, and none was begun. */
    WORKER_FAILED,
    WORKER_LOST,      /* the child crashed or the zygote died: worth another try */
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
    unsigned step; /* of a pipeline, from 1; else 0 */
};

struct worker_figure {
    char name[40];
    int64_t value;
    unsigned step;
};

struct worker_result {
    char kind[16]; /* of the file in the output descriptor: "pdf", "zip" (tool/file_kind.h) */
    struct worker_output *outputs;
    size_t n_outputs;
    struct worker_warning *warnings;
    size_t n_warnings;
    struct worker_figure *figures; /* of its report */
    size_t n_figures;
    int64_t run_ms, cpu_ms, peak_bytes; /* peak resident memory */
    int64_t started_us; /* clock_mono_us when its first process was there; 0: there was none */
};
void worker_result_free(struct worker_result *result);
#define AUTO_WORKER_RESULT __attribute__((cleanup(worker_result_free)))

/*
 * Runs one job and returns when its process is gone. Any number of threads may call it at a time.
 * *result needs no preparation, and is to be freed whatever the end: warnings, time and memory are
 * known of failed jobs too.
 * WORKER_DONE means the result was judged: it is not empty, begins as its kind does, lies within
 * the limits, and its outputs lie within it. For the other ends err is filled.
 */
enum worker_end worker_run(struct worker *worker, const struct worker_job *job,
                           struct worker_result *result, struct err *err);
