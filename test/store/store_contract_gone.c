/* The contract of store_list, store_remove, store_expire, store_forget. */
#include "store_contract.h"
#include "tap.h"

/* Puts a job and leads it to the state. */
static void put_in(struct store *store, int64_t account, enum job_state state,
                   char id[static ID_TEXT])
{
    struct store_end end =
        state == JOB_FAILED ? contract_failed(ERR_CORRUPT_FILE) : contract_completed();
    AUTO_STORE_JOBS struct store_jobs expired = { 0 };
    struct err err;

    contract_put(store, account, id);
    if (state == JOB_PENDING)
        return;
    contract_claim(store, id);
    if (state == JOB_RUNNING)
        return;
    store_finish(store, id, 1, &end, &err);
    if (state == JOB_EXPIRED)
        store_expire(store, NOW + 5000, 1, &expired, &err);
}

static void test_list(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    char ids[7][ID_TEXT], id[ID_TEXT];
    const char *before = NULL;
    struct err err;
    size_t pages = 0;
    int seen = 0, wrong = 0;

    for (size_t i = 0; i < 7; i++) {
        char next[ID_TEXT];

        /* Ids of one millisecond are in no order: sort them as they come. */
        contract_put(store, account, next);
        size_t at = i;
        for (; at > 0 && strcmp(ids[at - 1], next) > 0; at--)
            memcpy(ids[at], ids[at - 1], ID_TEXT);
        memcpy(ids[at], next, ID_TEXT);
    }
    contract_put(store, other, id);
    for (;;) {
        AUTO_STORE_JOBS struct store_jobs page = { 0 };

        wrong += store_list(store, account,
                            &(struct store_page){ .before = before, .status = -1, .limit = 3 },
                            &page, &err) != 0;
        if (page.n == 0 || wrong)
            break;
        pages++;
        for (size_t i = 0; i < page.n; i++, seen++)
            wrong += seen >= 7 || strcmp(page.list[i].id, ids[6 - seen]) != 0 ||
                     strcmp(page.list[i].stem, "report") != 0;
        before = ids[7 - seen];
    }
    ok(wrong == 0 && seen == 7, "a key's jobs are listed newest first, page after page");
    is_int(pages, 3, "each page has the length that was asked for");

    AUTO_STORE_JOBS struct store_jobs none = { 0 };
    is_int(
        store_list(store, account, &(struct store_page){ .status = -1, .limit = 0 }, &none, &err),
        0, "a page of length 0 can be listed");
    is_int(none.n, 0, "a page of length 0 has no jobs");
    is_int(store_list(store, account + 9, &(struct store_page){ .status = -1, .limit = 9 }, &none,
                      &err),
           0, "the jobs of an unknown account can be listed");
    is_int(none.n, 0, "an unknown account has no jobs");
}

static void test_list_status(void)
{
    static const struct {
        int status;
        size_t n;
        const char *what;
    } cases[] = {
        { -1, 5, "all" },
        { JOB_PENDING, 3, "pending" },
        { JOB_RUNNING, 3, "running: clients see it as pending" },
        { JOB_COMPLETED, 1, "completed" },
        { JOB_FAILED, 1, "failed" },
        { JOB_EXPIRED, 0, "expired: none is listed" },
    };
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    char id[ID_TEXT];
    struct err err;

    put_in(store, account, JOB_EXPIRED, id);
    put_in(store, account, JOB_COMPLETED, id);
    put_in(store, account, JOB_FAILED, id);
    put_in(store, account, JOB_RUNNING, id);
    put_in(store, account, JOB_PENDING, id);
    put_in(store, account, JOB_PENDING, id);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AUTO_STORE_JOBS struct store_jobs jobs = { 0 };

        store_list(store, account, &(struct store_page){ .status = cases[i].status, .limit = 100 },
                   &jobs, &err);
        is_int(jobs.n, cases[i].n, "jobs can be listed by status: %s", cases[i].what);
    }
}

static void test_list_filters(void)
{
    static const struct {
        struct store_page page;
        size_t n;
        const char *what;
    } cases[] = {
        { { .tool = "rotate" }, 3, "of a tool" },
        { { .tool = "merge" }, 0, "of a tool that no job has" },
        { { .after = NOW }, 3, "from a time that all have" },
        { { .after = NOW + 1 }, 0, "from a time after all" },
        { { .until = NOW + 1 }, 3, "up to a time after all" },
        { { .until = NOW }, 0, "up to a time, which is not meant itself" },
        { { .after = NOW, .until = NOW + 1, .tool = "rotate" }, 3, "all of it" },
        { { .client_ref = "no such", .tool = "rotate" }, 0, "with another's name" },
    };
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    char id[ID_TEXT];
    struct err err;

    for (int i = 0; i < 3; i++)
        contract_put(store, account, id);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AUTO_STORE_JOBS struct store_jobs jobs = { 0 };
        struct store_page page = cases[i].page;

        page.status = -1;
        page.limit = 9;
        is_int(store_list(store, account, &page, &jobs, &err), 0, "jobs are listed");
        is_int(jobs.n, cases[i].n, "%s", cases[i].what);
    }
}

static void test_remove(void)
{
    static const struct {
        enum job_state state;
        int removed, requests;
        const char *what, *depth;
    } cases[] = {
        { JOB_PENDING, 1, 0, "pending", "0/0" },     { JOB_RUNNING, 1, 1, "running", "0/0" },
        { JOB_COMPLETED, 1, 1, "completed", "0/0" }, { JOB_FAILED, 1, 1, "failed", "0/0" },
        { JOB_EXPIRED, 0, 1, "expired", "0/0" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        STORE *store = contract_open();
        int64_t account = contract_account(store), other = contract_account(store);
        AUTO_JOB struct job job = { 0 };
        char id[ID_TEXT];
        struct err err;

        put_in(store, account, cases[i].state, id);
        is_int(store_remove(store, id, other, &job, &err), 0,
               "an account cannot remove another's job");
        is_int(contract_state(store, id), (int) cases[i].state,
               "a job that was not removed stays %s", cases[i].what);
        is_int(store_remove(store, id, account, &job, &err), cases[i].removed,
               "a job that is %s %s be removed", cases[i].what,
               cases[i].removed ? "can" : "cannot");
        is_str(contract_depth(store), cases[i].depth,
               "the queue counts only jobs that were not removed");
        is_int(contract_usage(store, account, MONTH).requests, cases[i].requests,
               "the request of the job is %s", cases[i].requests ? "spent" : "given back");
        is_int(contract_usage(store, account, MONTH).bytes, 100 * cases[i].requests,
               "the data of the job is %s", cases[i].requests ? "spent" : "given back");
        if (!cases[i].removed)
            continue;
        ok(strcmp(job.id, id) == 0 && job.state == cases[i].state && job.n_inputs == 1 &&
               strcmp(job.stem, "report") == 0,
           "a removed job is returned as it was");
        is_int(contract_state(store, id), -1, "a removed job is not found");
        is_int(store_remove(store, id, account, &job, &err), 0, "a job cannot be removed twice");
    }
}

static void test_remove_begun(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, account, id);
    contract_claim(store, id);
    store_release(store, id, 1, NOW, false, &err);
    is_int(store_remove(store, id, account, &job, &err), 1,
           "a job that was put back can be removed");
    is_int(contract_usage(store, account, MONTH).requests, 1,
           "a job that was begun once gives nothing back");
    is_str(contract_depth(store), "0/0", "a removed job is not pending");
}

static void test_expire(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_STORE_JOBS struct store_jobs jobs = { 0 };
    AUTO_JOB struct job job = { 0 };
    char ended[ID_TEXT], id[ID_TEXT];
    struct err err;

    put_in(store, account, JOB_COMPLETED, ended);
    put_in(store, account, JOB_RUNNING, id);
    put_in(store, account, JOB_PENDING, id);
    store_expire(store, NOW + 4999, 10, &jobs, &err);
    is_int(jobs.n, 0, "no job expires before its time");
    is_int(store_expire(store, NOW + 5000, 10, &jobs, &err), 0, "jobs expire at their time");
    is_int(jobs.n, 1, "a job that has not ended does not expire");
    ok(jobs.n == 1 && strcmp(jobs.list[0].id, ended) == 0 && jobs.list[0].n_inputs == 1 &&
           jobs.list[0].attempt == 1 && !jobs.list[0].has_secret,
       "an expired job is returned with what is needed to remove its blobs");
    ok(jobs.n == 1 && jobs.list[0].state == JOB_EXPIRED && !jobs.list[0].stem &&
           !jobs.list[0].params_json && !jobs.list[0].outputs_json,
       "an expired job is returned without texts");
    is_int(store_find(store, ended, &job, &err), 1, "an expired job is still known");
    ok(job.state == JOB_EXPIRED && job.key_id == account && strcmp(job.id, ended) == 0,
       "an expired job has its state and its account");
    ok(!job.stem && !job.params_json && !job.inputs_json && !job.output_name && !job.outputs_json &&
           !job.warnings_json && !job.error && !job.message && !job.error_field,
       "an expired job has no texts");
    store_jobs_free(&jobs);
    store_expire(store, NOW + 9000, 10, &jobs, &err);
    is_int(jobs.n, 0, "no job expires twice");
    is_str(contract_depth(store), "1/1", "expiring does not change the queue");
}

static void test_expire_some(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    char id[ID_TEXT], failed[ID_TEXT];
    struct err err;

    for (int i = 0; i < 4; i++)
        put_in(store, account, JOB_COMPLETED, id);
    put_in(store, account, JOB_FAILED, failed);
    for (int want = 3, left = 5; left; left -= want, want = want > left ? left : want) {
        AUTO_STORE_JOBS struct store_jobs jobs = { 0 };

        store_expire(store, NOW + 5000, 3, &jobs, &err);
        is_int(jobs.n, want, "at most as many jobs expire at a time as asked for");
        if (jobs.n == 0)
            break;
    }
    is_int(contract_state(store, failed), JOB_EXPIRED, "failed jobs expire too");
    is_int(contract_usage(store, account, MONTH).requests, 5, "expiring gives nothing back");
}

static void test_forget(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    char expired[ID_TEXT], ended[ID_TEXT], waiting[ID_TEXT];
    struct err err;

    put_in(store, account, JOB_EXPIRED, expired);
    put_in(store, account, JOB_COMPLETED, ended);
    put_in(store, account, JOB_PENDING, waiting);
    is_int(store_forget(store, NOW, NOW + 5000, &err), 0,
           "jobs that expired before a time can be forgotten");
    is_int(contract_state(store, expired), JOB_EXPIRED, "a job that expired at that time is kept");
    is_int(store_forget(store, NOW, NOW + 5001, &err), 0,
           "jobs that expired earlier can be forgotten");
    is_int(contract_state(store, expired), -1, "a job that expired before that time is erased");
    is_int(contract_state(store, ended), JOB_COMPLETED, "a completed job is not forgotten");
    is_int(contract_state(store, waiting), JOB_PENDING, "a pending job is not forgotten");
}

void store_contract_gone(void)
{
    test_list();
    test_list_status();
    test_list_filters();
    test_remove();
    test_remove_begun();
    test_expire();
    test_expire_some();
    test_forget();
}
