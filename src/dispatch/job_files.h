/*
 * job_files: the files of a job, wherever they are kept: those of a small job with it in the store,
 * all others as blobs ("in.0", "in.1", ..., "out.<attempt>").
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "blob/blob.h"
#include "job/job.h"
#include "store/store.h"

/* Opens the result of a completed job for reading; the caller closes it. ERR_NOT_FOUND if it went
 * meanwhile. */
int job_files_result(struct store *store, struct blob_store *blobs, const struct job *job,
                     int64_t *bytes, struct err *err);

/* The inputs of a job that is to run, opened one after the other. */
struct job_inputs {
    struct blob_store *blobs;
    const struct job *job;
    struct buf small; /* when the store keeps them: all, in their order */
    size_t at;        /* how far of `small` was given out */
};

/* ERR_NOT_FOUND if they are lost. To be closed in either case. */
int job_inputs_open(struct job_inputs *inputs, struct store *store, struct blob_store *blobs,
                    const struct job *job, struct err *err);
/* Opens input i for reading; the caller closes it. Called for 0, 1, 2, ... in this order. *bytes is
 * the length that the job's description states; it becomes that of the file. */
int job_inputs_next(struct job_inputs *inputs, size_t i, int64_t *bytes, struct err *err);
void job_inputs_close(struct job_inputs *inputs);
#define AUTO_JOB_INPUTS __attribute__((cleanup(job_inputs_close)))
