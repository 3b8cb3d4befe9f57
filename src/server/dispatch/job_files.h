/*
 * job_files: the files of a job, wherever they are kept: in the store for a small job, else as
 * blobs ("in.0", "in.1", ..., "out.<attempt>").
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/blob/blob.h"
#include "data/job/job.h"
#include "data/store/store.h"

/* Opens the result of a completed job for reading; the caller closes it. ERR_NOT_FOUND if it was
 * removed meanwhile. */
int job_files_result(struct store *store, struct blob_store *blobs, const struct job *job,
                     int64_t *bytes, struct err *err);

/* The inputs of a job that is about to run, opened one after the other. */
struct job_inputs {
    struct blob_store *blobs;
    const struct job *job;
    struct buf small; /* if the store keeps them: all inputs, in their order */
    size_t at;        /* how much of `small` was returned */
};

/* Prepares to open the inputs of a job. ERR_NOT_FOUND if they are lost. job_inputs_close must be
 * called in any case. */
int job_inputs_open(struct job_inputs *inputs, struct store *store, struct blob_store *blobs,
                    const struct job *job, struct err *err);
/* Opens input i for reading; the caller closes it. To be called for 0, 1, 2, ... in this order.
 * *bytes is the length in the job's description, which the file must have. */
int job_inputs_next(struct job_inputs *inputs, size_t i, int64_t *bytes, struct err *err);
void job_inputs_close(struct job_inputs *inputs);
#define AUTO_JOB_INPUTS __attribute__((cleanup(job_inputs_close)))
