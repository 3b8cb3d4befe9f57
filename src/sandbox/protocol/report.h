/*
 * report: the messages of a job's process about its job, one JSON object in each line:
 *     {"progress": 0.25}
 *     {"warning": "code", "message": "..."}
 *     {"figure": "pagesLost", "value": 2}
 *     {"figure": "partialPages", "pages": "1-3,7"}
 *     {"row": "recognised", "first": 1, "last": 20, "language": "eng", "words": 99, "confidence":
 * 91}
 *     {"output": "name", "offset": 0, "bytes": 10, "pages": 1, "sha256": "..."}
 *     {"done": "pdf"} or {"failed": "code", "message": "...", "field": "..."}: the last line
 *     {"outOfMemory": true}: an allocation failed, and the job will fail
 * The writer shares the sandbox with a hostile document; the reader trusts nothing. The zygote, not
 * this, reports how the process ended (sandbox/protocol/request.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "declare/tool_run/result.h"
#include "sandbox/protocol/worker_job.h"

#define REPORT_BYTES    (8U << 20)        /* limit of one job's report */
#define REPORT_LINE     4096U             /* limit of a line */
#define REPORT_OUTPUTS  (TOOL_PARTS + 1U) /* limit of the outputs of one job */
#define REPORT_WARNINGS 100U              /* limits of the warnings and figures of one job */
#define REPORT_FIGURES  50U

/* The writer: each function writes one line to the descriptor. */
int report_progress(int fd, double fraction, struct err *err);
int report_warning(int fd, const char *code, const char *message, struct err *err);
int report_figure(int fd, const char *name, int64_t value, struct err *err);
int report_pages(int fd, const char *name, const char *pages, struct err *err);
int report_row(int fd, const struct tool_page_row *row, struct err *err);
int report_output(int fd, const struct tool_output *output, struct err *err);
int report_done(int fd, const char *kind, struct err *err);
int report_failed(int fd, const struct err *failure, struct err *err);
/* Writes {"outOfMemory": true}. May be called in a signal handler. */
void report_out_of_memory(int fd);

/* The reader. */
enum report_end { REPORT_OPEN, REPORT_DONE, REPORT_FAILED };

struct report {
    /* owned by the caller: kind, outputs and warnings are added to it */
    struct worker_result *result;
    enum report_end end;
    /* for REPORT_FAILED: a code that a job may fail with, a sanitised message */
    struct err failure;
    double fraction; /* never decreases */
    bool out_of_memory;
    struct buf line; /* the line that is being read */
    size_t bytes;    /* bytes read so far, up to REPORT_BYTES */
    size_t room;     /* number of outputs that result->outputs has room for */
};

/* Reads the next bytes, split in any way. -1: they are not a report. */
int report_feed(struct report *report, const void *data, size_t n, struct err *err);
void report_free(struct report *report);
