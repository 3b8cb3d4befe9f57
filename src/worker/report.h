/*
 * report: what a job's process says of its job, one JSON object a line:
 *
 *     {"progress": 0.25}
 *     {"warning": "code", "message": "..."}
 *     {"figure": "pagesLost", "value": 2}
 *     {"output": "name", "offset": 0, "bytes": 10, "pages": 1, "sha256": "..."}
 *     {"done": "pdf"} or {"failed": "code", "message": "...", "field": "..."}: the last line
 *     {"outOfMemory": true}: it was refused memory and will not come to a good end
 *
 * The writer is in the sandbox with a hostile document; the reader believes nothing. How the
 * process ended is not told here but by the zygote (worker/request.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "tool/result.h"
#include "worker/worker.h"

#define REPORT_BYTES    (8U << 20)        /* of one job's report */
#define REPORT_LINE     4096U             /* its longest line */
#define REPORT_OUTPUTS  (TOOL_PARTS + 1U) /* outputs of one job */
#define REPORT_WARNINGS 100U
#define REPORT_FIGURES  50U

/* The writer: each puts one line into the descriptor. */
int report_progress(int fd, double fraction, struct err *err);
int report_warning(int fd, const char *code, const char *message, struct err *err);
int report_figure(int fd, const char *name, int64_t value, struct err *err);
int report_output(int fd, const struct tool_output *output, struct err *err);
int report_done(int fd, const char *kind, struct err *err);
int report_failed(int fd, const struct err *failure, struct err *err);
/* Safe in a signal handler. */
void report_out_of_memory(int fd);

/* The reader. */
enum report_end { REPORT_OPEN, REPORT_DONE, REPORT_FAILED };

struct report {
    struct worker_result *result; /* the caller's: kind, outputs and warnings go there */
    enum report_end end;
    struct err failure; /* of REPORT_FAILED: a code a job may fail with, a clean message */
    double fraction;    /* never goes back */
    bool out_of_memory;
    struct buf line;
    size_t bytes, room;
};

/* Takes the next bytes, however they were cut. -1: they are no report. */
int report_feed(struct report *report, const void *data, size_t n, struct err *err);
void report_free(struct report *report);
