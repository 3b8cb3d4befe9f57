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

    is_int(store_claim(store, NOW, LEASE, &job, &err), 0, "an empty store has nothing to claim");
    put_at(store, account, NOW + 1, late);
    put_at(store, account, NOW, a);
    put_at(store, account, NOW, b);
    put_at(store, account, NOW - 1, early);
    is_int(store_claim(store, NOW, LEASE, &job, &err), 1, "a pending job can be claimed");
    is_str(job.id, early, "the one that waited longest first");
    ok(job.state == JOB_RUNNING && job.attempt == 1, "it runs, for the first time");
    ok(job.lease_until == NOW + LEASE && job.started_at == NOW, "until its lease ends");
    ok(job.key_id == account && strcmp(job.params_json, "{\"angle\":\"90\"}") == 0 &&
           strcmp(job.stem, "report") == 0 && job.n_inputs == 1,
       "the claimer has all it needs");
    is_int(contract_state(store, early), JOB_RUNNING, "all others see it run");
    contract_claim(store, id);
    is_str(id, strcmp(a, b) < 0 ? a : b, "then by id");
    contract_claim(store, id);
    is_str(id, strcmp(a, b) < 0 ? b : a, "one after the other");
    is_int(contract_claim(store, id), 0, "a job whose time has not come is not claimed");
    is_str(contract_depth(store), "1/3", "it waits while the others run");
    job_free(&job);
    is_int(store_claim(store, NOW + 1, LEASE, &job, &err), 1, "once its time has come it is");
}

static void test_heartbeat(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, account, id);
    is_int(store_heartbeat(store, id, 0, NOW, 0.5, &err), 0, "nobody has a lease of a pending job");
    contract_claim(store, id);
    is_int(store_heartbeat(store, id, 1, NOW + 90000, 0.5, &err), 1, "a claimer renews its lease");
    store_find(store, id, &job, &err);
    ok(job.lease_until == NOW + 90000 && job.progress == 0.5, "and notes its progress");
    is_int(store_reclaim(store, NOW + LEASE + 1, &err), 0, "so that it is not taken from it");
    is_int(store_heartbeat(store, id, 2, NOW, 0.5, &err), 0, "another attempt has none");
    is_int(store_heartbeat(store, "no such id", 1, NOW, 0, &err), 0, "nor has an unknown job");
    job_free(&job);
    store_remove(store, id, account, &job, &err);
    is_int(store_heartbeat(store, id, 1, NOW + 90000, 0.6, &err), 0, "a deleted job is lost");
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
    is_int(contract_state(store, id), JOB_PENDING, "it goes on waiting");
    contract_claim(store, id);
    is_int(store_finish(store, id, 1, &end, &err), 1, "a running job can be completed");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_COMPLETED && job.progress == 1 && job.lease_until == 0, "it is completed");
    ok(job.finished_at == NOW + 1000 && job.expires_at == NOW + 5000 && job.duration_ms == 900 &&
           job.started_at == NOW,
       "with its times");
    is_str(job.output_name, "report-rotate.pdf", "with its result's name");
    is_str(job.outputs_json, "[{\"pages\":3}]", "and what it holds");
    is_str(job.warnings_json, "[]", "with its warnings");
    is_int(job.output_bytes, 77, "and its size");
    ok(!job.error && !job.message && !job.error_field, "and no error");
    is_str(job.stem, "report", "what was known of it before is kept");
    is_str(contract_depth(store), "0/0", "it is no longer in the queue");
    end = contract_failed(ERR_INTERNAL);
    is_int(store_finish(store, id, 1, &end, &err), 0, "a job ends once");
    is_int(contract_state(store, id), JOB_COMPLETED, "and stays as it ended");
    is_int(contract_usage(store, account, MONTH).requests, 1, "nor is its quota given back then");
    is_int(store_finish(store, "no such id", 1, &end, &err), 0, "an unknown job cannot end");
    contract_put(store, account, id);
    contract_claim(store, id);
    end.state = JOB_EXPIRED;
    is_int(store_finish(store, id, 1, &end, &err), -1, "a running job can only complete or fail");
    is_int(contract_state(store, id), JOB_RUNNING, "and keeps running otherwise");
    is_str(contract_depth(store), "0/1", "and being counted");
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
    is_int(job.state, JOB_FAILED, "it is failed");
    is_str(job.error, "corrupt_file", "with its code");
    is_str(job.message, "It did not work.", "and message");
    is_str(job.error_field, "pages", "and what was at fault");
    ok(job.finished_at == NOW + 1000 && job.expires_at == NOW + 5000 && job.duration_ms == 900 &&
           job.progress == 0.25,
       "with its times, as far as it got");
    ok(!job.output_name && !job.outputs_json && !job.warnings_json && !job.output_bytes,
       "and no result");
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
    is_int(wrong, 0, "quota is given back for those codes of job_is_refunded and no others");
    terms.month = NEXT;
    is_int(contract_refusal(store, &job, &terms, &err), -1, "a job of the next month");
    contract_claim(store, id);
    end = contract_failed(ERR_INTERNAL);
    store_finish(store, id, 1, &end, &err);
    is_int(contract_usage(store, account, NEXT).requests, 0, "gives back to the next month");
    is_int(contract_usage(store, account, MONTH).requests, expected, "and not to the one before");
    store_remove(store, id, account, &job, &err);
    job_free(&job);
    is_int(contract_usage(store, account, NEXT).requests, 0, "nor twice, when it is removed");
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
    is_int(contract_claim(store, again), 1, "a worker claims a job and is not heard of");
    is_int(store_reclaim(store, NOW + LEASE + 1, &err), 1, "its lease ends");
    is_int(store_finish(store, id, 1, &new, &err), 0, "it cannot complete what waits again");
    is_int(contract_claim(store, again), 2, "another worker claims the job");
    is_str(again, id, "the same one");
    is_int(store_heartbeat(store, id, 1, NOW + 99 * LEASE, 0.9, &err), 0,
           "the first one, back to life, cannot renew its lease");
    is_int(store_release(store, id, 1, NOW, false, &err), 0, "nor put the job back");
    is_int(store_finish(store, id, 1, &old, &err), 0, "nor end it");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_RUNNING && job.attempt == 2 && job.lease_until == NOW + LEASE &&
           job.progress == 0 && !job.error && !job.finished_at,
       "and nothing was changed by its trying");
    is_int(contract_usage(store, account, MONTH).requests, 1, "not even the quota");
    is_str(contract_depth(store), "0/1", "nor the depth");
    is_int(store_finish(store, id, 2, &new, &err), 1, "the second one completes it");
    is_int(store_finish(store, id, 1, &old, &err), 0, "after which the first one cannot either");
    is_int(contract_state(store, id), JOB_COMPLETED, "it is completed");
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
    is_int(store_claim(store, NOW, LEASE, &job, &err), 0, "jobs of a time to come wait");
    is_int(store_reclaim(store, INT64_MAX, &err), 0, "at the end of time there is none");
    is_int(store_reclaim(store, NOW, &err), 0, "when the clock was turned back none is put back");
    is_int(contract_claim(store, id), 1, "but one that would wait for long need not");
    is_str(id, ahead, "the one that came while the clock stood later");
    is_int(store_claim(store, NOW, LEASE, &job, &err), 0,
           "what waits for a little goes on waiting");
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
    is_int(store_reclaim(store, NOW + LEASE + 1, &err), 1, "and no longer");
    store_find(store, id, &job, &err);
    ok(job.state == JOB_PENDING && job.progress == 0 && job.lease_until == 0 && job.attempt == 1,
       "the job waits again, its attempt used up");
    is_int(job.run_at, NOW - 3, "where it waited before");
    is_int(job.started_at, NOW, "it was begun once");
    is_str(contract_depth(store), "1/1", "the queue counts it");
    is_int(store_finish(store, other, 1, &end, &err), 1, "others are left alone");
    contract_put(store, account, other);
    contract_claim(store, id);
    contract_claim(store, id);
    is_int(store_reclaim(store, NOW + 2 * LEASE, &err), 2, "all that are lost are put back");
    is_int(store_reclaim(store, NOW + 2 * LEASE, &err), 0, "once");
    job_free(&job);
    store_claim(store, NOW + 5, LEASE, &job, &err);
    is_int(job.started_at, NOW, "a job's start is that of its first attempt");
    is_int(store_finish(store, job.id, job.attempt, &end, &err), 1,
           "a lapsed lease alone takes nothing away: who comes back in time ends the job");
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
    ok(job.state == JOB_PENDING && job.progress == 0 && job.lease_until == 0, "it waits again");
    is_int(store_reclaim(store, NOW + 99 * LEASE, &err), 0, "and has no lease to lose");
    is_int(store_claim(store, NOW + 59, LEASE, &job, &err), 0, "not before the time it was given");
    job_free(&job);
    is_int(store_claim(store, NOW + 60, LEASE, &job, &err), 1, "then it is claimed again");
    is_int(job.attempt, 2, "as the next attempt");
    is_int(job.spared, 0, "that counts");
    is_int(store_release(store, id, 1, NOW, false, &err), 0, "the old one has no say any more");
    is_int(store_release(store, "no such id", 1, NOW, false, &err), 0, "an unknown job is lost");
    job_free(&job);
    is_int(store_release(store, id, 2, NOW, true, &err), 1, "put back, an attempt spared");
    is_int(store_claim(store, NOW + 60, LEASE, &job, &err), 1, "it is claimed again");
    ok(job.attempt == 3 && job.spared == 1, "and of two attempts before one counts");
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
}
