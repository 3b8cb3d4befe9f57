/*
 * intake: turns a validated submission into a durable job. After intake_submit returned 0 the job,
 * its files and its quota are on disk: the promise of 202.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "data/blob/blob.h"
#include "data/store/store.h"
#include "declare/tool/param.h"
#include "server/dispatch/pace.h"

struct intake_file {
    int fd; /* a staging file, or one in memory; owned by the caller */
    int64_t bytes;
    char name[256]; /* sanitised (text_file_name) */
    bool remote;    /* it is fetched before the job runs (remote.h); there is no descriptor */
};

struct intake_order {
    const char *job_id; /* made by the caller */
    int64_t key_id;
    const char *tool;
    const char *stem;
    const struct param_input *params; /* canonical values; staging files, owned by the caller */
    const bool *secret;               /* which of them are secrets */
    size_t n_params;
    const struct intake_file *files;
    size_t n_files;
    /* bytes of earlier results among the files, which are not charged again */
    int64_t reused_bytes;
    int64_t retention_ms;                                  /* how long the result is kept */
    const char *client_ref, *callback_url, *callback_base; /* as in data/job/job.h; NULL: none */
    struct pace *pace;     /* estimates the run time; NULL: not needed */
    const char *test;      /* of a test key: INTAKE_TEST_MARKS or _FAILS; NULL: not of one */
    const char *addresses; /* that the result is sent to, as shipping_write has them; NULL: none */
    int64_t delay_ms;      /* before it may run */
    bool is_long;          /* it counts as a long job, whatever the estimate (store_claim) */
};

/* A job of a test key has its outcome among its parameters, by a name that no form field has. */
#define INTAKE_TEST       "$test"
#define INTAKE_TEST_MARKS "marked"
#define INTAKE_TEST_FAILS "failed"

/* Publishes the files and, separately, the secrets, then inserts the job. On failure, and on a
 * replay, nothing of it is left. Blocks on the disk. */
int intake_submit(struct store *store, struct blob_store *blobs, const struct intake_order *order,
                  const struct store_terms *terms, struct store_receipt *receipt, struct err *err);

/* Removes a job's blobs: its inputs, its secrets, the results of earlier attempts, and, unless
 * `keep_result`, the latest one's and the addresses that it is sent to. */
void intake_discard(struct blob_store *blobs, const struct job *job, bool keep_result);
