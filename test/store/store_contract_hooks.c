/* The contract of deliveries, of what they are signed with, and of client_ref. */
#include "base/clock.h"
#include "store_contract.h"
#include "tap.h"

/* A job whose end is to be told to `url`, ended at NOW + 1000. */
static void end_one(struct store *store, int64_t account, char *url, char id[static ID_TEXT])
{
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_end end = contract_completed();
    struct store_receipt receipt;
    static char base[] = "https://pdf.example", ref[] = "order 7";
    struct err err;

    job.callback_url = url;
    job.callback_base = base;
    job.client_ref = ref;
    store_put(store, &job, &terms, &receipt, &err);
    if (contract_claim(store, id) == 0 || store_finish(store, id, 1, &end, &err) != 1)
        printf("# a job could not be ended\n");
}

static size_t claim(struct store *store, int64_t now, size_t limit,
                    struct store_deliveries *deliveries)
{
    struct err err;

    store_deliveries_free(deliveries);
    return store_delivery_claim(store, now, limit, deliveries, &err) < 0 ? 9999 : deliveries->n;
}

static struct store_outcome outcome(const char *id, enum delivery_state state)
{
    struct store_outcome out = { .state = state,
                                 .at = NOW + 2000,
                                 .next_at = NOW + 7000,
                                 .duration_ms = 30,
                                 .http_status = 500,
                                 .error = "It did not work.",
                                 .excerpt = "<h1>Oh no" };

    memcpy(out.id, id, ID_TEXT);
    return out;
}

static int64_t next(struct store *store)
{
    int64_t at = -1;
    struct err err;

    store_delivery_next(store, &at, &err);
    return at;
}

static char home[] = "https://a.example/hook?x=1", other[] = "https://b.example:8443/";

static void test_delivery(void)
{
    STORE *store = contract_open();
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 };
    int64_t account = contract_account(store);
    struct store_outcome failed;
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    is_int(next(store), 0, "an empty store has no delivery that waits");
    contract_put(store, account, id);
    contract_claim(store, id);
    store_finish(store, id, 1, &(struct store_end){ .state = JOB_FAILED, .message = "No." }, &err);
    is_int(next(store), 0, "a job without a callback has no delivery");
    end_one(store, account, home, id);
    store_find(store, id, &job, &err);
    ok(strcmp(job.callback_url, home) == 0 && strcmp(job.client_ref, "order 7") == 0 &&
           strcmp(job.callback_base, "https://pdf.example") == 0,
       "a job keeps its client's name and its callback");
    is_int(next(store), NOW + 1000, "a job that ends with a callback has a delivery at once");
    is_int(claim(store, NOW + 999, 9, &got), 0, "a delivery is not claimed before its time");
    is_int(claim(store, NOW + 1000, 9, &got), 1, "a delivery is claimed at its time");
    ok(strcmp(got.list[0].url, home) == 0 && strcmp(got.list[0].job_id, id) == 0 &&
           got.list[0].key_id == account && got.list[0].state == DELIVERY_SENDING &&
           got.list[0].attempts == 0 && got.list[0].since == NOW + 1000,
       "a claimed delivery has all that is needed to send it");
    failed = outcome(got.list[0].id, DELIVERY_WAITING);
    is_int(claim(store, NOW + 9000, 9, &got), 0, "a claimed delivery is not claimed again");
    is_int(next(store), 0, "a delivery that is being sent does not wait");
    is_int(store_delivery_settle(store, &failed, 1, &err), 0, "a failed attempt can be settled");
    is_int(next(store), NOW + 7000, "a delivery waits after a failed attempt");
    store_deliveries_free(&got);
    store_delivery_list(store, id, &got, &err);
    ok(got.n == 1 && got.list[0].attempts == 1 && got.list[0].tries == 1 &&
           got.list[0].http_status == 500 && got.list[0].last_at == NOW + 2000 &&
           strcmp(got.list[0].error, "It did not work.") == 0 &&
           strcmp(got.list[0].excerpt, "<h1>Oh no") == 0,
       "a failed attempt is listed with its error");
    is_int(store_delivery_settle(store, &failed, 1, &err), 0,
           "a delivery that is not being sent cannot be settled");
    is_int(claim(store, NOW + 7000, 9, &got), 1, "a delivery is claimed at its next time");
    is_int(got.list[0].attempts, 1, "an attempt is counted once");
    failed.state = DELIVERY_DELIVERED;
    failed.error = NULL;
    store_delivery_settle(store, &failed, 1, &err);
    is_int(next(store), 0, "a completed delivery does not wait");
    is_int(store_delivery_again(store, id, "no such", NOW, &err), 0,
           "an unknown delivery cannot be repeated");
    is_int(store_delivery_again(store, "no such", failed.id, NOW, &err), 0,
           "a delivery of another job cannot be repeated");
    is_int(store_delivery_again(store, id, failed.id, NOW + 9000, &err), 1,
           "a completed delivery can be repeated");
    is_int(claim(store, NOW + 9000, 9, &got), 1, "a repeated delivery is claimed");
    ok(got.list[0].attempts == 2 && got.list[0].tries == 0 && got.list[0].since == NOW + 9000,
       "a repeated delivery starts with no tries");
    is_int(store_delivery_again(store, id, failed.id, NOW + 9500, &err), 1,
           "a delivery that is being sent can be asked for again");
    is_int(claim(store, NOW + 99000, 9, &got), 0,
           "a delivery that is being sent is not claimed again");
    is_int(store_delivery_reclaim(store, &err), 1, "deliveries of a dead sender are reclaimed");
    is_int(claim(store, NOW + 99000, 9, &got), 1, "a reclaimed delivery is claimed");
}

static void test_hosts(void)
{
    STORE *store = contract_open();
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 }, more = { 0 };
    int64_t account = contract_account(store);
    struct store_outcome dead;
    char id[ID_TEXT];
    struct err err;

    for (int i = 0; i < STORE_HOST_WIDTH + 5; i++)
        end_one(store, account, home, id);
    is_int(claim(store, NOW + 1000, 5, &got), 3,
           "of one account a claim gets no more deliveries than it leaves places");
    end_one(store, account, other, id);
    is_int(claim(store, NOW + 1000, 999, &more), STORE_HOST_WIDTH - 3 + 1,
           "a claim gets at most STORE_HOST_WIDTH deliveries for one host, and all others");
    is_int(next(store), 0, "the other deliveries for a host wait for those being sent");
    for (size_t i = 0; i < got.n; i++) {
        dead = outcome(got.list[i].id, DELIVERY_WAITING);
        dead.unreachable = true;
        store_delivery_settle(store, &dead, 1, &err);
    }
    is_int(claim(store, NOW + 8000, 999, &got), 0,
           "an unreachable host gets no more deliveries at once");
    for (size_t i = 0; i < more.n; i++) {
        dead = outcome(more.list[i].id, DELIVERY_FAILED);
        dead.unreachable = strncmp(more.list[i].url, "https://a", 9) == 0;
        store_delivery_settle(store, &dead, 1, &err);
    }
    is_int(claim(store, NOW + 8000, 999, &got), 1,
           "an unreachable host gets one delivery at a time");
    dead = outcome(got.list[0].id, DELIVERY_DELIVERED);
    store_delivery_settle(store, &dead, 1, &err);
    is_int(claim(store, NOW + 8000, 999, &got), 7,
           "a host that is reachable again gets all deliveries");
}

static void test_accounts(void)
{
    STORE *store = contract_open();
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 }, more = { 0 };
    int64_t many = contract_account(store), few = contract_account(store);
    char id[ID_TEXT], url[64];
    struct store_outcome dead;
    struct err err;

    /* One account, and a host of its own for each delivery, as one wildcard name gives them. */
    for (int i = 0; i < STORE_ACCOUNT_WIDTH + 20; i++) {
        snprintf(url, sizeof url, "https://n%d.example/", i);
        end_one(store, many, url, id);
    }
    end_one(store, few, home, id);
    end_one(store, few, home, id);
    is_int(claim(store, NOW + 1000, 6, &got), 4, "deliveries are claimed from accounts in turn");
    is_int((got.list[0].key_id == few) + (got.list[1].key_id == few) + (got.list[2].key_id == few) +
               (got.list[3].key_id == few),
           2, "two accounts get half of the deliveries each");
    is_int(claim(store, NOW + 1000, 999, &more), STORE_ACCOUNT_WIDTH - 2,
           "an account has at most STORE_ACCOUNT_WIDTH deliveries in flight");
    is_int(next(store), 0, "the other deliveries of an account wait for those in flight");
    end_one(store, few, other, id);
    is_int(next(store), NOW + 1000, "another account does not wait for them");
    is_int(claim(store, NOW + 1000, 999, &got), 1, "a delivery of another account is claimed");
    ok(got.n == 1 && got.list[0].key_id == few, "the claimed delivery is the other account's");
    dead = outcome(more.list[0].id, DELIVERY_FAILED);
    store_delivery_settle(store, &dead, 1, &err);
    is_int(claim(store, NOW + 1000, 999, &got), 1,
           "a delivery that ends makes room for one of its account");
}

/* Accounts whose receivers never answer. */
static void test_shares(void)
{
    enum { PLACES = 12, SILENT = 4 };
    STORE *store = contract_open();
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 }, more = { 0 };
    char id[ID_TEXT], url[64];
    int64_t late;
    size_t left;

    for (int i = 0; i < SILENT; i++) {
        int64_t account = contract_account(store);

        for (int j = 0; j < PLACES; j++) {
            snprintf(url, sizeof url, "https://n%d-%d.example/", i, j);
            end_one(store, account, url, id);
        }
    }
    left = PLACES - claim(store, NOW + 1000, PLACES, &got);
    ok(left > 0 && left <= 3, "several accounts with many deliveries leave places: %zu", left);
    is_int(claim(store, NOW + 1000, left, &more), 0, "which they do not get later, either");
    late = contract_account(store);
    end_one(store, late, home, id);
    is_int(claim(store, NOW + 1000, left, &more), 1, "another account finds a place at once");
    ok(more.n == 1 && more.list[0].key_id == late, "which is for its delivery");
}

static void test_gone(void)
{
    STORE *store = contract_open();
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 };
    AUTO_STORE_JOBS struct store_jobs expired = { 0 };
    int64_t account = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    char a[ID_TEXT], b[ID_TEXT];
    struct store_outcome late;
    struct err err;

    end_one(store, account, home, a);
    end_one(store, account, home, b);
    claim(store, NOW + 1000, 1, &got);
    late = outcome(got.list[0].id, DELIVERY_WAITING);
    store_remove(store, got.list[0].job_id, account, &job, &err);
    ok(job.callback_url && strcmp(job.client_ref, "order 7") == 0,
       "a removed job is returned with its callback");
    is_int(store_delivery_settle(store, &late, 1, &err), 0,
           "a delivery of a removed job can be settled");
    is_int(claim(store, NOW + 9000, 9, &got), 1, "a removed job's delivery is not claimed");
    is_int(store_delivery_reclaim(store, &err), 1, "the delivery of another job is reclaimed");
    store_expire(store, NOW + 9000, 9, &expired, &err);
    ok(expired.n == 1 && !expired.list[0].callback_url && !expired.list[0].client_ref,
       "an expired job has no callback and no client's name");
    is_int(next(store), 0, "an expired job's delivery does not wait");
    store_deliveries_free(&got);
    store_delivery_list(store, a, &got, &err);
    is_int(got.n, 0, "a removed or expired job has no deliveries");
    store_delivery_list(store, b, &got, &err);
    is_int(got.n, 0, "another removed or expired job has no deliveries");
}

/* The jobs of a page of deliveries, one letter each: of ids[0] "a", ... */
static const char *page_of(struct store *store, int64_t account, const char *before, int status,
                           size_t limit, char ids[][ID_TEXT])
{
    const struct store_delivery_page page = { before, status, limit };
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 };
    static char letters[10];
    struct err err;

    if (store_delivery_page(store, account, &page, &got, &err) < 0 || got.n > 9)
        return "failed";
    for (size_t i = 0; i < got.n; i++) {
        letters[i] = '?';
        for (int job = 0; job < 4; job++)
            if (strcmp(got.list[i].job_id, ids[job]) == 0)
                letters[i] = (char) ('a' + job);
    }
    letters[got.n] = '\0';
    return letters;
}

/* Ids are ordered by the millisecond in which they were made, and within one by chance. */
static void wait_for_next_ms(void)
{
    const int64_t now = clock_system_ms();

    while (clock_system_ms() <= now)
        continue;
}

static void test_pages(void)
{
    STORE *store = contract_open();
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 };
    int64_t account = contract_account(store), stranger = contract_account(store);
    char ids[4][ID_TEXT], second[ID_TEXT] = "";
    struct store_outcome out;
    struct err err;

    is_str(page_of(store, account, NULL, -1, 9, ids), "",
           "an account without deliveries lists none");
    for (int i = 0; i < 3; i++) {
        end_one(store, account, home, ids[i]);
        wait_for_next_ms();
    }
    end_one(store, stranger, home, ids[3]);
    is_str(page_of(store, account, NULL, -1, 9, ids), "cba",
           "an account's deliveries are listed, the newest first, and nobody else's");
    is_str(page_of(store, account, NULL, -1, 2, ids), "cb",
           "at most as many deliveries are listed as asked for");
    AUTO_JOB struct job job = { 0 };
    store_find(store, ids[2], &job, &err);
    store_delivery_page(store, account, &(struct store_delivery_page){ NULL, -1, 1 }, &got, &err);
    ok(got.n == 1 && got.list[0].job_state == job.state &&
           got.list[0].job_expires_at == job.expires_at && job.expires_at > 0,
       "a delivery is listed with the state and expiry of its job");
    store_deliveries_free(&got);
    store_delivery_list(store, ids[1], &got, &err);
    memcpy(second, got.list[0].id, ID_TEXT);
    store_deliveries_free(&got);
    is_str(page_of(store, account, second, -1, 2, ids), "a",
           "deliveries before one of them can be listed");
    is_str(page_of(store, account, NULL, DELIVERY_FAILED, 9, ids), "",
           "no failed delivery is listed while none has failed");
    store_delivery_claim(store, NOW + 9000, 9, &got, &err);
    out = outcome(second, DELIVERY_FAILED);
    store_delivery_settle(store, &out, 1, &err);
    is_str(page_of(store, account, NULL, DELIVERY_FAILED, 9, ids), "b",
           "a failed delivery is listed by its state");
    is_str(page_of(store, account, NULL, DELIVERY_WAITING, 9, ids), "ca",
           "deliveries that are being sent are listed as waiting");
}

static void test_secrets(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), stranger = contract_account(store);
    struct store_secret s[STORE_SECRETS];
    size_t n = 9;
    struct err err;

    ok(store_secret_list(store, account, NOW, s, &n, &err) == 0 && n == 0,
       "a new account has no secrets");
    is_int(store_secret_add(store, account + 9, "whsec_x", NOW, NOW, &err), -1,
           "a secret of an unknown account is refused");
    is_int(err.code, ERR_NOT_FOUND, "the error of an unknown account is ERR_NOT_FOUND");
    store_secret_add(store, account, "whsec_one", NOW, NOW, &err);
    store_secret_add(store, account, "whsec_two", NOW + 10, NOW + 1000, &err);
    store_secret_list(store, account, NOW + 999, s, &n, &err);
    ok(n == 2 && strcmp(s[0].text, "whsec_two") == 0 && strcmp(s[1].text, "whsec_one") == 0,
       "the newest secret is first, and the old one stays for a while");
    ok(s[0].valid_until == 0 && s[1].valid_until == NOW + 1000,
       "secrets are listed with their ends");
    store_secret_list(store, account, NOW + 1000, s, &n, &err);
    is_int(n, 1, "a secret that has ended is not listed");
    store_secret_list(store, stranger, NOW, s, &n, &err);
    is_int(n, 0, "another account does not have the secrets");
}

static void test_client_ref(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), stranger = contract_account(store);
    AUTO_STORE_JOBS struct store_jobs jobs = { 0 }, none = { 0 };
    struct store_page page = { .status = -1, .client_ref = "order 7", .limit = 9 };
    char a[ID_TEXT], b[ID_TEXT], id[ID_TEXT];
    struct err err;

    end_one(store, account, home, a);
    contract_put(store, account, id);
    contract_claim(store, id);
    end_one(store, account, home, b);
    if (strcmp(a, b) > 0) { /* made in the same millisecond */
        memcpy(id, a, ID_TEXT);
        memcpy(a, b, ID_TEXT);
        memcpy(b, id, ID_TEXT);
    }
    store_list(store, account, &page, &jobs, &err);
    ok(jobs.n == 2 && strcmp(jobs.list[0].id, b) == 0 && strcmp(jobs.list[1].id, a) == 0,
       "jobs are found by their client's name for them, the newest first");
    store_jobs_free(&jobs);
    page.before = b;
    store_list(store, account, &page, &jobs, &err);
    ok(jobs.n == 1 && strcmp(jobs.list[0].id, a) == 0,
       "jobs with a client's name are listed before a job");
    page.before = NULL;
    page.status = JOB_FAILED;
    store_list(store, account, &page, &none, &err);
    is_int(none.n, 0, "jobs with a client's name are listed by status");
    page.status = -1;
    store_list(store, stranger, &page, &none, &err);
    is_int(none.n, 0, "jobs with a client's name are not found by another account");
    page.client_ref = "order";
    store_list(store, account, &page, &none, &err);
    is_int(none.n, 0, "jobs are not found by a part of the client's name");
}

void store_contract_hooks(void)
{
    test_delivery();
    test_hosts();
    test_accounts();
    test_shares();
    test_gone();
    test_pages();
    test_secrets();
    test_client_ref();
}
