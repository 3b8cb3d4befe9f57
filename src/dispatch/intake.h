/*
 * intake: from an upload that was judged to a job that survives. After intake_submit returned 0
 * the job, its files and its quota are on the disk: the promise of 202.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "blob/blob.h"
#include "dispatch/pace.h"
#include "store/store.h"
#include "tool/param.h"

struct intake_file {
    int fd; /* a staging file, or one in memory; stays the caller's */
    int64_t bytes;
    char name[256]; /* cleaned (text_file_name) */
};

struct intake_order {
    const char *job_id; /* made by the caller */
    int64_t key_id;
    const char *tool;
    const char *stem;
    const struct param_input *params; /* canonical values; staging files, which stay the caller's */
    const bool *secret;               /* which of them are secrets */
    size_t n_params;
    const struct intake_file *files;
    size_t n_files;
    int64_t reused_bytes; /* of the files: earlier results, which are not counted again */
    int64_t retention_ms; /* how long the result is kept */
    const char *client_ref, *callback_url, *callback_base; /* as in job/job.h; NULL: none */
    struct pace *pace; /* tells how long it will run; NULL: nobody asks */
};

/* Publishes the files and, apart from them, the secrets, then inserts the job. On failure, and on
 * a replay, nothing of it is left. Blocks on the disk. */
int intake_submit(struct store *store, struct blob_store *blobs, const struct intake_order *order,
                  const struct store_terms *terms, struct store_receipt *receipt, struct err *err);

/* Removes a job's blobs: its inputs, its secrets, the results of earlier attempts, and that of the
 * newest too unless `keep_result`. */
void intake_discard(struct blob_store *blobs, const struct job *job, bool keep_result);
