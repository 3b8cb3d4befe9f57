/*
 * request: a job on its way to a zygote, and the zygote's messages about it. Texts are plain bytes,
 * each followed by a NUL (parameters need not be UTF-8), so that the job's process uses them in
 * place and no copy of a secret is made.
 *
 * Only the job's own process parses a request: the zygote, whose memory every later job inherits,
 * forks without reading it and overwrites it.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "sandbox/protocol/message.h"
#include "sandbox/protocol/worker_job.h"

#define REQUEST_INPUTS 1000U /* limit of the documents of a job */
#define REQUEST_PARAMS 1000U /* limit of its parameters */

/* The descriptors of a request, in this order. */
enum request_fd {
    REQUEST_STATUS, /* the zygote's end of a socket for this job alone: struct request_status */
    REQUEST_REPORT, /* the process's end of a pipe (sandbox/protocol/report.h) */
    REQUEST_OUTPUT,
    REQUEST_SCRATCH,
    REQUEST_FIRST_INPUT, /* the documents, then the files of parameters, then, if the tool asks,
                          * a socket of sandbox/protocol/ask.h or, if
                          * it fetches, of sandbox/protocol/page_ask.h */
};

struct request {
    const char *tool, *stem; /* these and all members below point into the message */
    const char **input_names;
    size_t n_inputs;
    struct param_input *params;
    size_t n_params, n_files; /* the last n_files parameters are files, whose `file` is not set */
    bool asks;
    struct worker_limits limits;
    struct worker_reuse reuse;
    bool no_digests;
};

/* The number of the job's parameters that are files. */
size_t request_files(const struct worker_job *job);
/* Appends the job's texts to out (which then contains secrets). */
int request_pack(const struct worker_job *job, bool asks, struct buf *out, struct err *err);
/* The account of its struct worker_reuse, which is at a fixed place: all that a zygote reads. 0: it
 * has none. */
int64_t request_account(const struct message *message);
/* Parses a message that has one descriptor for each input and file, and a socket if the tool
 * asks. The caller owns the arrays. */
int request_unpack(const struct message *message, struct request *request, struct err *err);

enum request_event {
    REQUEST_STARTED = 1, /* comes with a pidfd of the job's process */
    REQUEST_REFUSED,     /* no process could be made: `wait` is the errno */
    REQUEST_ENDED,       /* the process has ended: the other members are valid */
};

/* What a zygote sends over a job's status socket, to which the job's process has no access. */
struct request_status {
    int32_t event;
    int32_t wait; /* as returned by wait(2) */
    int64_t cpu_ms, peak_bytes;
};
