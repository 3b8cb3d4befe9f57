/* The contract of store_put, store_find, store_usage. */
#include "store_contract.h"
#include "tap.h"

static void test_round_trip(void)
{
    STORE *store = contract_open();
    struct job job = contract_job(contract_account(store));
    struct store_terms terms = contract_terms();
    struct store_receipt receipt = { .replayed = true };
    AUTO_JOB struct job found = { 0 };
    struct err err;

    job.has_secret = true;
    job.run_at = NOW + 7;
    job.state = JOB_COMPLETED;
    job.attempt = 5;
    job.started_at = job.finished_at = job.expires_at = job.lease_until = NOW;
    job.output_bytes = job.duration_ms = 9;
    job.progress = 1;
    job.retention_ms = 60000;
    job.output_name = job.outputs_json = job.warnings_json = job.error = job.message = job.stem;
    is_int(store_find(store, job.id, &found, &err), 0, "a job that was not put is not found");
    is_int(store_put(store, &job, &terms, &receipt, &err), 0, "a job can be put");
    ok(!receipt.replayed && strcmp(receipt.job_id, job.id) == 0,
       "the receipt of a new job has its id");
    ok(receipt.usage.requests == 1 && receipt.usage.bytes == 100,
       "the receipt has the month's usage");
    is_int(store_find(store, job.id, &found, &err), 1, "a job that was put is found");
    ok(strcmp(found.id, job.id) == 0 && found.key_id == job.key_id &&
           strcmp(found.tool, "rotate") == 0,
       "the job has its id, account and tool");
    is_str(found.stem, job.stem, "the job has its stem");
    is_str(found.params_json, job.params_json, "the job has its parameters");
    is_str(found.inputs_json, job.inputs_json, "the job has its inputs");
    ok(found.n_inputs == 1 && found.has_secret && found.input_bytes == 100,
       "the job has the figures of its inputs");
    is_int(found.retention_ms, 60000, "the job has the time that its result is to be kept");
    ok(found.created_at == NOW && found.run_at == NOW + 7, "the job has its times");
    ok(found.state == JOB_PENDING && found.attempt == 0 && found.progress == 0 &&
           !found.started_at && !found.finished_at && !found.expires_at && !found.lease_until,
       "a new job is pending and was never begun, whatever its state was");
    ok(!found.output_name && !found.outputs_json && !found.warnings_json && !found.error &&
           !found.message && !found.output_bytes && !found.duration_ms,
       "a new job has no result");
}

/* Earlier results among its inputs are not counted again. */
static void test_reused(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    AUTO_JOB struct job found = { 0 }, removed = { 0 };
    struct err err;

    job.reused_bytes = 70;
    terms.max_bytes = 30;
    is_int(contract_refusal(store, &job, &terms, &err), -1,
           "reused bytes do not count against the quota");
    is_int(contract_usage(store, account, MONTH).bytes, 30, "reused bytes are not counted again");
    ok(store_find(store, job.id, &found, &err) == 1 && found.reused_bytes == 70 &&
           found.input_bytes == 100,
       "the job has its reused bytes and all its input bytes");
    ok(store_remove(store, job.id, account, &removed, &err) == 1 &&
           contract_usage(store, account, MONTH).bytes == 0,
       "a removed job gives back the bytes that were counted");
}

static void test_absent_texts(void)
{
    STORE *store = contract_open();
    struct job job = contract_job(contract_account(store));
    struct store_terms terms = contract_terms();
    AUTO_JOB struct job found = { 0 };
    char empty[] = "";
    struct err err;

    job.stem = job.inputs_json = NULL;
    job.params_json = empty;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "a job without texts can be put");
    store_find(store, job.id, &found, &err);
    ok(!found.stem && !found.inputs_json, "absent texts are absent when the job is found");
    is_str(found.params_json, "", "an empty text stays an empty text");
}

static void test_punctuation(void)
{
    static char stem[] = "a\\b \"c\", {d}\\", word[] = "NULL";
    STORE *store = contract_open();
    struct job job = contract_job(contract_account(store));
    struct store_terms terms = contract_terms();
    AUTO_JOB struct job found = { 0 };
    struct err err;

    job.stem = stem;
    job.client_ref = word;
    is_int(contract_refusal(store, &job, &terms, &err), -1,
           "a job with any characters in its texts can be put");
    store_find(store, job.id, &found, &err);
    is_str(found.stem, stem, "texts have the same characters when the job is found");
    is_str(found.client_ref, "NULL", "the text NULL is not an absent text");
}

static void test_quota(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct err err;

    terms.max_requests = 1;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "the last request of a month is given");
    job = contract_job(account);
    is_int(contract_refusal(store, &job, &terms, &err), ERR_QUOTA_EXCEEDED,
           "one request more is refused");
    is_str(err.field, "requests", "the error of a request quota names requests");
    is_int(contract_state(store, job.id), -1, "a refused job is not found");
    is_int(contract_usage(store, account, MONTH).requests, 1, "a refused job uses no request");
    is_int(contract_usage(store, account, MONTH).bytes, 100, "a refused job uses no data");
    is_str(contract_depth(store), "1/0", "a refused job is not pending");
    terms.month = NEXT;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "a new month has a new quota");
    is_int(contract_usage(store, account, NEXT).requests, 1,
           "a new month's requests are counted separately");
    is_int(contract_usage(store, account, MONTH).requests, 1,
           "a new month's requests do not count in the month before");
    job = contract_job(other);
    terms.month = MONTH;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "another account has its own quota");

    terms = contract_terms();
    terms.max_bytes = 250;
    job = contract_job(account);
    job.input_bytes = 150;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "the last byte of a month is given");
    job = contract_job(account);
    job.input_bytes = 1;
    is_int(contract_refusal(store, &job, &terms, &err), ERR_QUOTA_EXCEEDED,
           "one byte more is refused");
    is_str(err.field, "data", "the error of a data quota names data");
    job.input_bytes = INT64_MAX;
    terms.max_bytes = INT64_MAX;
    is_int(contract_refusal(store, &job, &terms, &err), ERR_QUOTA_EXCEEDED,
           "more bytes than can be counted exceed every quota");
    is_int(contract_usage(store, account, MONTH).bytes, 250, "what is refused is not counted");
    is_int(contract_usage(store, account + 9, MONTH).requests, 0,
           "an unknown account used nothing");
}

static void test_unfinished(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct store_terms terms = contract_terms();
    struct store_end end = contract_completed();
    char id[ID_TEXT];
    struct job job;
    struct err err;

    terms.max_unfinished = 2;
    contract_put(store, account, id);
    contract_put(store, account, id);
    job = contract_job(account);
    is_int(contract_refusal(store, &job, &terms, &err), ERR_TOO_MANY_JOBS,
           "the number of unfinished jobs is bounded");
    is_int(contract_usage(store, account, MONTH).requests, 2,
           "a job that is refused for unfinished jobs uses no quota");
    contract_claim(store, id);
    is_int(contract_refusal(store, &job, &terms, &err), ERR_TOO_MANY_JOBS,
           "a running job is unfinished");
    store_finish(store, id, 1, &end, &err);
    is_int(contract_refusal(store, &job, &terms, &err), -1, "a completed job is not unfinished");
    contract_claim(store, id);
    store_remove(store, id, account, &job, &err);
    job_free(&job);
    job = contract_job(account);
    is_int(contract_refusal(store, &job, &terms, &err), -1, "a removed job is not unfinished");
    job = contract_job(contract_account(store));
    is_int(contract_refusal(store, &job, &terms, &err), -1, "others' jobs do not count");
}

static void test_nothing_at_all(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    terms.idempotency_key = "once";
    terms.fingerprint = "f";
    job.key_id = account + 5;
    is_int(contract_refusal(store, &job, &terms, &err), ERR_NOT_FOUND,
           "a job of an unknown account is refused");
    contract_put(store, account, job.id);
    job.key_id = account;
    is_int(contract_refusal(store, &job, &terms, &err), ERR_INTERNAL,
           "a second job with the same id is refused");
    is_int(contract_usage(store, account, MONTH).requests, 1,
           "a second job with the same id uses no request");
    is_int(contract_usage(store, account, MONTH).bytes, 100,
           "a second job with the same id uses no data");
    is_str(contract_depth(store), "1/0", "a second job with the same id is not pending");
    terms.max_requests = 1;
    job = contract_job(account);
    is_int(contract_refusal(store, &job, &terms, &err), ERR_QUOTA_EXCEEDED,
           "a refused job's idempotency key is not stored");
    terms.max_requests = 2;
    is_int(store_put(store, &job, &terms, &receipt, &err), 0,
           "a refused job can be sent again with its idempotency key");
    ok(!receipt.replayed, "a job that is sent again after a refusal is no replay");
}

static void test_idempotency(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    struct job first = contract_job(account), again = contract_job(account);
    struct job gone, elsewhere = contract_job(other);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    terms.idempotency_key = "order-17";
    terms.fingerprint = "aa";
    store_put(store, &first, &terms, &receipt, &err);
    ok(!receipt.replayed, "an idempotency key seen for the first time is no replay");
    terms.max_requests = terms.max_bytes = terms.max_unfinished = 0;
    is_int(store_put(store, &again, &terms, &receipt, &err), 0,
           "the same key and content is a replay, whatever the quota");
    ok(receipt.replayed && strcmp(receipt.job_id, first.id) == 0,
       "a replay has the first job's id");
    ok(receipt.usage.requests == 1 && receipt.usage.bytes == 100, "a replay does not count");
    is_int(contract_state(store, again.id), -1, "a replay inserts no job");
    terms.fingerprint = "bb";
    is_int(contract_refusal(store, &again, &terms, &err), ERR_IDEMPOTENCY_CONFLICT,
           "the same key with other content is a conflict");
    is_int(contract_state(store, again.id), -1, "a conflict inserts no job");
    terms = contract_terms();
    terms.idempotency_key = "order-17";
    terms.fingerprint = "bb";
    is_int(store_put(store, &elsewhere, &terms, &receipt, &err), 0,
           "another account may use the same key");
    ok(!receipt.replayed, "another account's use of the key is no replay");

    terms.fingerprint = "aa";
    store_remove(store, first.id, account, &gone, &err);
    job_free(&gone);
    store_put(store, &again, &terms, &receipt, &err);
    ok(receipt.replayed && strcmp(receipt.job_id, first.id) == 0,
       "a replay has the first job's id also after that was removed");
    is_int(store_forget(store, NOW, NOW, &err), 0,
           "idempotency keys before a time can be forgotten");
    store_put(store, &again, &terms, &receipt, &err);
    ok(receipt.replayed, "an idempotency key of that very time is not forgotten");
    terms.fingerprint = "cc";
    store_put(store, &again, &terms, &receipt, &err);
    ok(receipt.replayed && strcmp(receipt.job_id, first.id) == 0,
       "the fingerprint of an old idempotency key is forgotten before the key");
    store_forget(store, NOW + 1, NOW, &err);
    store_put(store, &again, &terms, &receipt, &err);
    ok(!receipt.replayed && strcmp(receipt.job_id, again.id) == 0,
       "a forgotten idempotency key can be used again");
}

void store_contract_put(void)
{
    test_round_trip();
    test_reused();
    test_absent_texts();
    test_punctuation();
    test_quota();
    test_unfinished();
    test_nothing_at_all();
    test_idempotency();
}
