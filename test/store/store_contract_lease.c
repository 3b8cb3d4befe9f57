/* The contract of store_claim, store_heartbeat, store_finish, store_release, store_reclaim. */
#include "store_contract.h"
#include "tap.h"

static void put_at(struct store *store, int64_t account, int64_t run_at, char id[static ID_TEXT])
{
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    job.run_at = run_at;
    memcpy(id, job.id, ID_TEXT);
    store_put(store, &job, &terms, &receipt, &err);
}

static void test_claim(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char late[ID_TEXT], a[ID_TEXT], b[ID_TEXT], early[ID_TEXT], id[ID_TEXT] = "";
    struct err err;

    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 0,
           "an empty store has nothing to claim");
    put_at(store, account, NOW + 1, late);
    put_at(store, account, NOW, a);
    put_at(store, account, NOW, b);
    put_at(store, account, NOW - 1, early);
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 1, "a pending job can be claimed");
    is_str(job.id, early, "the job that waited longest is claimed first");
    ok(job.state == JOB_RUNNING && job.attempt == 1, "a claimed job runs for the first time");
    ok(job.lease_until == NOW + LEASE && job.started_at == NOW,
       "a claimed job has its lease and its start");
    ok(job.key_id == account && strcmp(job.params_json, "{\"angle\":\"90\"}") == 0 &&
           strcmp(job.stem, "report") == 0 && job.n_inputs == 1,
       "a claimed job has its texts and figures");
    is_int(contract_state(store, early), JOB_RUNNING, "a claimed job is found as running");
    contract_claim(store, id);
    is_str(id, strcmp(a, b) < 0 ? a : b, "of jobs with one time the lower id is claimed first");
    contract_claim(store, id);
    is_str(id, strcmp(a, b) < 0 ? b : a, "of jobs with one time the higher id is claimed next");
    is_int(contract_claim(store, id), 0, "a job whose time has not come is not claimed");
    is_str(contract_depth(store), "1/3", "a job whose time has not come is pending");
    job_free(&job);
    is_int(store_claim(store, NOW + 1, LEASE, NULL, &job, &err), 1,
           "a job whose time has come is claimed");
}

static void test_heartbeat(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, account, id);
    is_int(store_heartbeat(store, id, 0, NOW, 0.5, &err), 0, "a pending job has no lease to renew");
    contract_claim(store, id);
    is_int(store_heartbeat(store, id, 1, NOW + 90000, 0.5, &err), 1, "a claimer renews its lease");
    store_find(store, id, &job, &err);
    ok(job.lease_until == NOW + 90000 && job.progress == 0.5,
       "a renewed lease has its end and the progress");
    is_int(store_reclaim(store, NOW + LEASE + 1, &err), 0,
           "a job with a renewed lease is not reclaimed");
    is_int(store_heartbeat(store, id, 2, NOW, 0.5, &err), 0,
           "another attempt cannot renew the lease");
    is_int(store_heartbeat(store, "no such id", 1, NOW, 0, &err), 0,
           "an unknown job has no lease to renew");
    job_free(&job);
    store_remove(store, id, account, &job, &err);
    is_int(store_heartbeat(store, id, 1, NOW + 90000, 0.6, &err), 0,
           "a deleted job has no lease to renew");
}

static void test_completed(void)
{
    STORE *store = contract_open();
    struct store_end end = contract_completed();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, account, id);
    is_int(store_finish(store, id, 0, &end, &err), 0, "a job that was not claimed cannot end");
    is_int(contract_state(store, id), JOB_PENDING, "a job that was not claimed stays pending");
    contract_claim(store, id);
    is_int(store_finish(store, id, 1, &end, &err), 1, "a running job can be completed");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_COMPLETED && job.progress == 1 && job.lease_until == 0,
       "a completed job has no lease and its full progress");
    ok(job.finished_at == NOW + 1000 && job.expires_at == NOW + 5000 && job.duration_ms == 900 &&
           job.started_at == NOW,
       "a completed job has its times");
    is_str(job.output_name, "report-rotate.pdf", "a completed job has its result's name");
    is_str(job.outputs_json, "[{\"pages\":3}]", "a completed job has its outputs");
    is_str(job.warnings_json, "[]", "a completed job has its warnings");
    is_int(job.output_bytes, 77, "a completed job has its result's size");
    ok(!job.error && !job.message && !job.error_field, "a completed job has no error");
    is_str(job.stem, "report", "a completed job keeps its stem");
    is_str(contract_depth(store), "0/0", "a completed job is not in the queue");
    end = contract_failed(ERR_INTERNAL);
    is_int(store_finish(store, id, 1, &end, &err), 0, "a completed job cannot fail");
    is_int(contract_state(store, id), JOB_COMPLETED, "a completed job stays completed");
    is_int(contract_usage(store, account, MONTH).requests, 1,
           "a completed job's quota is not given back");
    is_int(store_finish(store, "no such id", 1, &end, &err), 0, "an unknown job cannot end");
    contract_put(store, account, id);
    contract_claim(store, id);
    end.state = JOB_EXPIRED;
    is_int(store_finish(store, id, 1, &end, &err), -1, "a running job can only complete or fail");
    is_int(contract_state(store, id), JOB_RUNNING, "a job that cannot end so stays running");
    is_str(contract_depth(store), "0/1", "a job that cannot end so stays in the queue");
}

static void test_failed(void)
{
    STORE *store = contract_open();
    struct store_end end = contract_failed(ERR_CORRUPT_FILE);
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, contract_account(store), id);
    contract_claim(store, id);
    store_heartbeat(store, id, 1, NOW, 0.25, &err);
    is_int(store_finish(store, id, 1, &end, &err), 1, "a running job can fail");
    store_find(store, id, &job, &err);
    is_int(job.state, JOB_FAILED, "a failed job has its state");
    is_str(job.error, "corrupt_file", "a failed job has its error code");
    is_str(job.message, "It did not work.", "a failed job has its message");
    is_str(job.error_field, "pages", "a failed job has the field of its error");
    ok(job.finished_at == NOW + 1000 && job.expires_at == NOW + 5000 && job.duration_ms == 900 &&
           job.progress == 0.25,
       "a failed job has its times and its progress");
    ok(!job.output_name && !job.outputs_json && !job.warnings_json && !job.output_bytes,
       "a failed job has no result");
}

static void test_refunds(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_end end;
    struct err err;
    char id[ID_TEXT];
    int64_t expected = 0;
    int wrong = 0;

    for (enum err_code code = 0; code <= ERR_LIMIT_EXCEEDED; code++) {
        contract_put(store, account, id);
        contract_claim(store, id);
        end = contract_failed(code);
        store_finish(store, id, 1, &end, &err);
        expected += !job_is_refunded(code);
        wrong += contract_usage(store, account, MONTH).requests != expected ||
                 contract_usage(store, account, MONTH).bytes != 100 * expected;
    }
    contract_put(store, account, id);
    contract_claim(store, id);
    end = contract_failed(ERR_LIMIT_EXCEEDED);
    end.charged = true;
    store_finish(store, id, 1, &end, &err);
    is_int(contract_usage(store, account, MONTH).requests, ++expected,
           "nothing is given back for a job that is charged");
    is_int(wrong, 0, "quota is given back for those codes of job_is_refunded and no others");
    terms.month = NEXT;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "a job of the next month can be put");
    contract_claim(store, id);
    end = contract_failed(ERR_INTERNAL);
    store_finish(store, id, 1, &end, &err);
    is_int(contract_usage(store, account, NEXT).requests, 0, "a refund goes to the job's month");
    is_int(contract_usage(store, account, MONTH).requests, expected,
           "a refund does not go to the month before");
    store_remove(store, id, account, &job, &err);
    job_free(&job);
    is_int(contract_usage(store, account, NEXT).requests, 0,
           "a removed job that had a refund gives nothing back");
}

static void test_fencing(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct store_end old = contract_failed(ERR_INTERNAL), new = contract_completed();
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT], again[ID_TEXT] = "";
    struct err err;

    contract_put(store, account, id);
    is_int(contract_claim(store, again), 1, "a worker claims a job");
    is_int(store_reclaim(store, NOW + LEASE + 1, &err), 1, "a job whose lease ended is reclaimed");
    is_int(store_finish(store, id, 1, &new, &err), 0,
           "the first worker cannot complete a reclaimed job");
    is_int(contract_claim(store, again), 2, "another worker claims the job");
    is_str(again, id, "another worker claims the same job");
    is_int(store_heartbeat(store, id, 1, NOW + 99 * LEASE, 0.9, &err), 0,
           "the first worker cannot renew its lease");
    is_int(store_release(store, id, 1, NOW, false, &err), 0,
           "the first worker cannot put the job back");
    is_int(store_finish(store, id, 1, &old, &err), 0, "the first worker cannot end the job");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_RUNNING && job.attempt == 2 && job.lease_until == NOW + LEASE &&
           job.progress == 0 && !job.error && !job.finished_at,
       "the first worker changes nothing of the job");
    is_int(contract_usage(store, account, MONTH).requests, 1,
           "the first worker does not change the quota");
    is_str(contract_depth(store), "0/1", "the first worker does not change the depth of the queue");
    is_int(store_finish(store, id, 2, &new, &err), 1, "the second worker completes the job");
    is_int(store_finish(store, id, 1, &old, &err), 0,
           "the first worker cannot end a completed job");
    is_int(contract_state(store, id), JOB_COMPLETED,
           "a job that the second worker completed stays completed");
}

/* The clock was an hour ahead when the job came. */
static void test_clock_turned_back(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char ahead[ID_TEXT], soon[ID_TEXT], id[ID_TEXT] = "";
    struct err err;

    put_at(store, account, NOW + 3600000, ahead);
    put_at(store, account, NOW + STORE_AHEAD_MS, soon);
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 0,
           "jobs of a later time are not claimed");
    is_int(store_reclaim(store, INT64_MAX, &err), 0,
           "pending jobs are not reclaimed, whatever the time");
    is_int(store_reclaim(store, NOW, &err), 0,
           "pending jobs are not put back when the clock was set back");
    is_int(contract_claim(store, id), 1, "a job that would wait for too long can then be claimed");
    is_str(id, ahead, "the job of the latest time is claimed");
    is_int(store_claim(store, NOW, LEASE, NULL, &job, &err), 0,
           "a job that waits for less than STORE_AHEAD_MS is not claimed");
}

static void test_reclaim(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct store_end end = contract_completed();
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT], other[ID_TEXT];
    struct err err;

    put_at(store, account, NOW - 3, id);
    contract_put(store, account, other);
    contract_claim(store, id);
    contract_claim(store, other);
    store_heartbeat(store, id, 1, NOW + LEASE, 0.5, &err);
    store_heartbeat(store, other, 1, NOW + LEASE + 1, 0.5, &err);
    is_int(store_reclaim(store, NOW + LEASE, &err), 0, "a lease holds to its last millisecond");
    is_int(store_reclaim(store, NOW + LEASE + 1, &err), 1,
           "a lease ends after its last millisecond");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_PENDING && job.progress == 0 && job.lease_until == 0 && job.attempt == 1,
       "a reclaimed job is pending, and its attempt counts");
    is_int(job.run_at, NOW - 3, "a reclaimed job has the same place in the queue");
    is_int(job.started_at, NOW, "a reclaimed job keeps the start of its first attempt");
    is_str(contract_depth(store), "1/1", "the queue counts a reclaimed job as pending");
    is_int(store_finish(store, other, 1, &end, &err), 1,
           "a job with another lease is not reclaimed");
    contract_put(store, account, other);
    contract_claim(store, id);
    contract_claim(store, id);
    is_int(store_reclaim(store, NOW + 2 * LEASE, &err), 2,
           "all jobs whose leases ended are reclaimed");
    is_int(store_reclaim(store, NOW + 2 * LEASE, &err), 0, "jobs are reclaimed once");
    job_free(&job);
    store_claim(store, NOW + 5, LEASE, NULL, &job, &err);
    is_int(job.started_at, NOW, "a job's start is that of its first attempt");
    is_int(store_finish(store, job.id, job.attempt, &end, &err), 1,
           "a worker whose lease ended can end the job until it is reclaimed");
}

static void test_release(void)
{
    STORE *store = contract_open();
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, contract_account(store), id);
    is_int(store_release(store, id, 0, NOW, false, &err), 0, "a pending job cannot be put back");
    contract_claim(store, id);
    store_heartbeat(store, id, 1, NOW + LEASE, 0.5, &err);
    is_int(store_release(store, id, 1, NOW + 60, false, &err), 1, "a running job can be put back");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_PENDING && job.progress == 0 && job.lease_until == 0,
       "a job that was put back is pending");
    is_int(store_reclaim(store, NOW + 99 * LEASE, &err), 0,
           "a job that was put back is not reclaimed");
    is_int(store_claim(store, NOW + 59, LEASE, NULL, &job, &err), 0,
           "a job that was put back is not claimed before its new time");
    job_free(&job);
    is_int(store_claim(store, NOW + 60, LEASE, NULL, &job, &err), 1,
           "a job that was put back is claimed at its new time");
    is_int(job.attempt, 2, "a job that was put back has its next attempt");
    is_int(job.spared, 0, "an attempt counts if the job was not spared");
    is_int(store_release(store, id, 1, NOW, false, &err), 0,
           "the old attempt cannot put the job back");
    is_int(store_release(store, "no such id", 1, NOW, false, &err), 0,
           "an unknown job cannot be put back");
    job_free(&job);
    is_int(store_release(store, id, 2, NOW, true, &err), 1,
           "a running job can be put back with its attempt spared");
    is_int(store_claim(store, NOW + 60, LEASE, NULL, &job, &err), 1,
           "a spared job is claimed again");
    ok(job.attempt == 3 && job.spared == 1, "a spared attempt does not count");
}

static void test_fetched(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    struct usage before, after;
    char id[ID_TEXT];
    int64_t bytes;
    struct err err;

    contract_put(store, account, id);
    is_int(store_fetched(store, id, 0, NOW, 5, "[]", &err), 0,
           "no file is added to a job that nobody has claimed");
    contract_claim(store, id);
    store_usage(store, account, MONTH, &before, &err);
    store_find(store, id, &job, &err);
    bytes = job.input_bytes;
    job_free(&job);
    is_int(store_fetched(store, id, 1, NOW + 60, 5, "[{\"name\":\"a\",\"bytes\":5}]", &err), 1,
           "files that were fetched are added to their job");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_PENDING && job.input_bytes == bytes + 5 &&
           strcmp(job.inputs_json, "[{\"name\":\"a\",\"bytes\":5}]") == 0,
       "the job then waits, with their bytes and its new inputs");
    job_free(&job);
    store_usage(store, account, MONTH, &after, &err);
    ok(after.bytes == before.bytes + 5 && after.requests == before.requests,
       "fetched bytes count in the month of the job, and it is no further request");
    is_int(store_fetched(store, id, 1, NOW, 5, "[]", &err), 0,
           "an attempt that is over adds no file");
    is_int(store_claim(store, NOW + 60, LEASE, NULL, &job, &err), 1,
           "the job is claimed again at its time");
    ok(job.attempt == 2 && job.spared == 1,
       "the attempt in which files were fetched does not count");
}

void store_contract_lease(void)
{
    test_claim();
    test_heartbeat();
    test_completed();
    test_failed();
    test_refunds();
    test_fencing();
    test_reclaim();
    test_clock_turned_back();
    test_release();
    test_fetched();
}
