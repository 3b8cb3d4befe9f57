/*
 * worker_job: a job for a worker program with its limits, and what came of it. Plain values, shared
 * by the server's side (sandbox/worker/worker.h) and the messages to and from the programs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "declare/tool/param.h"
#include "declare/tool_run/page_service.h"
#include "declare/tool_run/run.h"
#include "declare/tool_run/service.h"

/* Limits of one job; 0 is no limit. */
struct worker_limits {
    int64_t run_ms;       /* wall time from the child's start, without time in the queue */
    int64_t memory_bytes; /* address space (RLIMIT_AS) beyond that of the program itself */
    int64_t output_bytes; /* size of each file that it writes (RLIMIT_FSIZE) */
    /* number of its threads that should compute at the same time; 0 counts as 1 */
    int64_t cores;
    /* CPU time of a job of LibreOffice, whose work does not follow from the size of a document;
     * small documents get less of it (worker_run) */
    int64_t office_cpu_ms;
};

/* Whether the program next to the job's process (sandbox/zygote/companion.h) may be one that ran
 * next to others, and be kept for others afterwards. */
struct worker_reuse {
    int64_t
        account;  /* only for jobs of the same one; 0: it is new for this job, and ends with it */
    bool scripts; /* it is kept although scripts of a document ran in it */
};

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
    struct worker_reuse reuse;
    bool no_digests; /* the outputs' sha256 is not needed, which saves reading them: it stays "" */
    const struct tool_services *services; /* for a tool that declares `asks`; NULL: none */
    const struct page_service *pages;     /* for a tool that declares `fetches`; NULL: none */
    /* an eventfd that becomes readable to stop the job; -1 for none */
    int cancel;
    /* Called from worker_run with 0 to 1, and at least once a second while the job runs.
     * Returning false stops the job. May be NULL. */
    bool (*progress)(void *arg, double fraction);
    void *arg;
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

/* Pages of which a tool says what became of them, as of struct tool_page_row. */
struct worker_row {
    int64_t first, last, words;
    int confidence;
    unsigned step;
    char outcome[40], language[64];
};

struct worker_result {
    char kind[16]; /* kind of the file in the output descriptor: "pdf", "zip"
                      (declare/value/file_kind.h) */
    struct worker_output *outputs;
    size_t n_outputs;
    struct worker_warning *warnings;
    size_t n_warnings;
    struct worker_figure *figures; /* for the job's `report` */
    size_t n_figures;
    struct worker_row *rows; /* for its `pages` */
    size_t n_rows;
    int64_t run_ms, cpu_ms, peak_bytes; /* peak_bytes: peak resident memory */
    int64_t started_us; /* clock_mono_us when its first process was started; 0: none was */
};
void worker_result_free(struct worker_result *result);
#define AUTO_WORKER_RESULT __attribute__((cleanup(worker_result_free)))
