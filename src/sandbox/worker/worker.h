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

#include "base/err.h"
#include "declare/tool/tool.h"
#include "sandbox/protocol/worker_job.h"

struct worker;

#define WORKER_OFFICE "platen-office" /* the program with LibreOffice */

/*
 * Starts `program` (an executable) and waits until its zygote has sent its tools. `name` is for
 * logs and metrics: "platen-worker". `allow_unsandboxed`: start even if the kernel supports neither
 * Landlock nor seccomp.
 */
struct worker *worker_open(const char *name, const char *program, bool allow_unsandboxed,
                           struct err *err);
void worker_close(struct worker *worker);

/* Whether the program's self-tests have succeeded (sandbox/zygote/zygote.h). Else *why is the
 * reason, for people. */
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

/*
 * Runs one job and returns when its process has ended. May be called by any number of threads at
 * the same time. *result needs no preparation, and must be freed in any case: warnings, time and
 * memory are known of failed jobs too. WORKER_DONE means that the result was checked: it is not
 * empty, begins like its kind and is within the limits; the byte ranges of all outputs lie inside
 * the file. For the other ends err is filled.
 */
enum worker_end worker_run(struct worker *worker, const struct worker_job *job,
                           struct worker_result *result, struct err *err);
