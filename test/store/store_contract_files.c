/* The contract of store_files: the files of a small job live and go with it. */
#include <string.h>

#include "store_contract.h"
#include "tap.h"

#define BYTES 5000 /* more than a page of a database */

static struct err err;

/* Puts a job whose inputs are `fill` repeated. */
static void put_small(struct store *store, int64_t account, char fill, char id[static ID_TEXT])
{
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    char inputs[BYTES];

    memset(inputs, fill, sizeof inputs);
    job.input_bytes = BYTES;
    terms.inputs = inputs;
    is_int(store_put(store, &job, &terms, &receipt, &err), 0, "a job is put with its inputs");
    memcpy(id, job.id, ID_TEXT);
}

/* "none", or how many bytes of which letter. */
static const char *kept(struct store *store, const char *id, int which)
{
    static char text[40];
    AUTO_BUF struct buf files = BUF_EMPTY;
    int found = store_files(store, id, which, &files, &err);

    if (found < 1 || files.len == 0)
        return found < 0 ? err.msg : "none";
    for (size_t i = 0; i < files.len; i++)
        if (files.data[i] != files.data[0])
            return "a mixture";
    snprintf(text, sizeof text, "%zu %c", files.len, files.data[0]);
    return text;
}

static int finish_small(struct store *store, const char *id, int32_t attempt, const char *result)
{
    struct store_end end = contract_completed();

    end.result = result;
    end.output_bytes = result ? (int64_t) strlen(result) : 77;
    return store_finish(store, id, attempt, &end, &err);
}

static void test_way(void)
{
    AUTO_JOB struct job job = { 0 };
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    char first[ID_TEXT], second[ID_TEXT];

    put_small(store, account, 'a', first);
    is_str(kept(store, first, JOB_HAS_INPUTS), "5000 a", "the inputs of a job are kept");
    is_str(kept(store, first, JOB_HAS_RESULT), "none", "a new job has no result");
    ok(store_claim(store, NOW, LEASE, NULL, &job, &err) == 1 && job.in_store == JOB_HAS_INPUTS,
       "who claims the job is told that the store has its inputs");
    is_int(store_release(store, job.id, job.attempt, NOW, false, &err), 1,
           "a claimed job can be put back");
    is_str(kept(store, first, JOB_HAS_INPUTS), "5000 a",
           "a job that was put back keeps its inputs");
    job_free(&job);
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 1,
           "a job that was put back is claimed again");
    put_small(store, account, 'b', second);
    is_str(kept(store, second, JOB_HAS_INPUTS), "5000 b", "each job has its own inputs");
    is_int(finish_small(store, first, 1, "zz"), 0, "an old attempt cannot store a result");
    is_str(kept(store, first, JOB_HAS_INPUTS), "5000 a",
           "an old attempt does not change the inputs");
    is_int(finish_small(store, first, job.attempt, "rrr"), 1, "the newest attempt ends the job");
    is_str(kept(store, first, JOB_HAS_INPUTS), "none", "a completed job has no inputs");
    is_str(kept(store, first, JOB_HAS_RESULT), "3 r", "a completed job's result is kept");
    is_str(kept(store, second, JOB_HAS_INPUTS), "5000 b",
           "a completed job does not change another job's inputs");
    job_free(&job);
    ok(store_find(store, first, &job, &err) == 1 && job.in_store == JOB_HAS_RESULT,
       "who finds the job is told that the store has its result");
}

static void test_end(void)
{
    AUTO_JOB struct job job = { 0 }, large = { 0 };
    AUTO_STORE_JOBS struct store_jobs gone = { 0 };
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct store_end failed = contract_failed(ERR_CORRUPT_FILE);
    char id[ID_TEXT], other[ID_TEXT];

    put_small(store, account, 'a', id);
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 1, "a job with inputs is claimed");
    is_int(store_finish(store, id, job.attempt, &failed, &err), 1, "a job fails");
    is_str(kept(store, id, JOB_HAS_INPUTS), "none", "a failed job has no inputs");
    is_str(kept(store, id, JOB_HAS_RESULT), "none", "a failed job has no result");
    put_small(store, account, 'b', id);
    job_free(&job);
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 1,
           "a second job with inputs is claimed");
    is_int(finish_small(store, id, job.attempt, "rrr"), 1, "another job is completed");
    is_int((int) store_expire(store, NOW + 6000, 9, &gone, &err), 0, "the result of a job expires");
    is_str(kept(store, id, JOB_HAS_RESULT), "none", "an expired job has no result");
    put_small(store, account, 'c', other);
    is_int(store_remove(store, other, account, &large, &err), 1, "a pending job can be removed");
    is_int(large.in_store, JOB_HAS_INPUTS, "a removed job is returned with where its inputs are");
    is_str(kept(store, other, JOB_HAS_INPUTS), "none", "a removed job has no inputs");
}

static void test_large_result(void)
{
    AUTO_JOB struct job job = { 0 };
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    char id[ID_TEXT];

    put_small(store, account, 'a', id);
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 1,
           "a job with inputs in the store is claimed");
    is_int(finish_small(store, id, job.attempt, NULL), 1, "a job can be completed with a blob");
    job_free(&job);
    ok(store_find(store, id, &job, &err) == 1 && job.in_store == 0,
       "the store keeps no result of a job with a blob");
    is_str(kept(store, id, JOB_HAS_INPUTS), "none",
           "a job that was completed with a blob has no inputs");
}

void store_contract_files(void)
{
    test_way();
    test_end();
    test_large_result();
}
