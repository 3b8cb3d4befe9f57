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

    is_int(next(store), 0, "nothing waits in an empty store");
    contract_put(store, account, id);
    contract_claim(store, id);
    store_finish(store, id, 1, &(struct store_end){ .state = JOB_FAILED, .message = "No." }, &err);
    is_int(next(store), 0, "a job without a callback is told to nobody");
    end_one(store, account, home, id);
    store_find(store, id, &job, &err);
    ok(strcmp(job.callback_url, home) == 0 && strcmp(job.client_ref, "order 7") == 0 &&
           strcmp(job.callback_base, "https://pdf.example") == 0,
       "a job keeps what it is called and who is to be told");
    is_int(next(store), NOW + 1000, "the end of one with a callback is a delivery at once");
    is_int(claim(store, NOW + 999, 9, &got), 0, "which is not claimed before its time");
    is_int(claim(store, NOW + 1000, 9, &got), 1, "and then is");
    ok(strcmp(got.list[0].url, home) == 0 && strcmp(got.list[0].job_id, id) == 0 &&
           got.list[0].key_id == account && got.list[0].state == DELIVERY_SENDING &&
           got.list[0].attempts == 0 && got.list[0].since == NOW + 1000,
       "with all that is needed to send it");
    failed = outcome(got.list[0].id, DELIVERY_WAITING);
    is_int(claim(store, NOW + 9000, 9, &got), 0, "nobody else gets it");
    is_int(next(store), 0, "while it is sent nothing waits");
    is_int(store_delivery_settle(store, &failed, 1, &err), 0, "an attempt may fail");
    is_int(next(store), NOW + 7000, "then it waits");
    store_deliveries_free(&got);
    store_delivery_list(store, id, &got, &err);
    ok(got.n == 1 && got.list[0].attempts == 1 && got.list[0].tries == 1 &&
           got.list[0].http_status == 500 && got.list[0].last_at == NOW + 2000 &&
           strcmp(got.list[0].error, "It did not work.") == 0 &&
           strcmp(got.list[0].excerpt, "<h1>Oh no") == 0,
       "and tells what went wrong");
    is_int(store_delivery_settle(store, &failed, 1, &err), 0, "what is not being sent");
    is_int(claim(store, NOW + 7000, 9, &got), 1, "cannot be settled");
    is_int(got.list[0].attempts, 1, "so that no attempt is counted twice");
    failed.state = DELIVERY_DELIVERED;
    failed.error = NULL;
    store_delivery_settle(store, &failed, 1, &err);
    is_int(next(store), 0, "one that was delivered waits for nothing");
    is_int(store_delivery_again(store, id, "no such", NOW, &err), 0, "an unknown one");
    is_int(store_delivery_again(store, "no such", failed.id, NOW, &err), 0, "or of another job");
    is_int(store_delivery_again(store, id, failed.id, NOW + 9000, &err), 1, "can be had again");
    is_int(claim(store, NOW + 9000, 9, &got), 1, "one that is there is sent again");
    ok(got.list[0].attempts == 2 && got.list[0].tries == 0 && got.list[0].since == NOW + 9000,
       "as if it had just begun");
    is_int(store_delivery_again(store, id, failed.id, NOW + 9500, &err), 1, "but not twice");
    is_int(claim(store, NOW + 99000, 9, &got), 0, "at a time");
    is_int(store_delivery_reclaim(store, &err), 1, "what a dead sender had is taken back");
    is_int(claim(store, NOW + 99000, 9, &got), 1, "and sent by the next");
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
    is_int(claim(store, NOW + 1000, 3, &got), 3, "a claim takes no more than it is asked to");
    end_one(store, account, other, id);
    is_int(claim(store, NOW + 1000, 999, &more), STORE_HOST_WIDTH - 3 + 1,
           "and to one host no more than are let at a time, but all others");
    is_int(next(store), 0, "the rest waits behind them");
    for (size_t i = 0; i < got.n; i++) {
        dead = outcome(got.list[i].id, DELIVERY_WAITING);
        dead.unreachable = true;
        store_delivery_settle(store, &dead, 1, &err);
    }
    is_int(claim(store, NOW + 8000, 999, &got), 0, "a host that cannot be reached gets no more");
    for (size_t i = 0; i < more.n; i++) {
        dead = outcome(more.list[i].id, DELIVERY_FAILED);
        dead.unreachable = strncmp(more.list[i].url, "https://a", 9) == 0;
        store_delivery_settle(store, &dead, 1, &err);
    }
    is_int(claim(store, NOW + 8000, 999, &got), 1, "but one at a time");
    dead = outcome(got.list[0].id, DELIVERY_DELIVERED);
    store_delivery_settle(store, &dead, 1, &err);
    is_int(claim(store, NOW + 8000, 999, &got), 7, "until it is well again");
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
    is_int(claim(store, NOW + 1000, 4, &got), 4, "accounts take turns");
    is_int((got.list[0].key_id == few) + (got.list[1].key_id == few) + (got.list[2].key_id == few) +
               (got.list[3].key_id == few),
           2, "however many deliveries one of them has");
    is_int(claim(store, NOW + 1000, 999, &more), STORE_ACCOUNT_WIDTH - 2,
           "an account has no more under way than are let at a time");
    is_int(next(store), 0, "the rest waits for its own");
    end_one(store, few, other, id);
    is_int(next(store), NOW + 1000, "but nobody else waits for it");
    is_int(claim(store, NOW + 1000, 999, &got), 1, "and is served");
    ok(got.n == 1 && got.list[0].key_id == few, "at once");
    dead = outcome(more.list[0].id, DELIVERY_FAILED);
    store_delivery_settle(store, &dead, 1, &err);
    is_int(claim(store, NOW + 1000, 999, &got), 1, "one that ends makes room for one");
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
    ok(job.callback_url && strcmp(job.client_ref, "order 7") == 0, "a job is handed over whole");
    is_int(store_delivery_settle(store, &late, 1, &err), 0, "what was sent of a job that is gone");
    is_int(claim(store, NOW + 9000, 9, &got), 1, "is gone with it");
    is_int(store_delivery_reclaim(store, &err), 1, "while others go on");
    store_expire(store, NOW + 9000, 9, &expired, &err);
    ok(expired.n == 1 && !expired.list[0].callback_url && !expired.list[0].client_ref,
       "an expired job says nothing");
    is_int(next(store), 0, "and its deliveries are gone");
    store_deliveries_free(&got);
    store_delivery_list(store, a, &got, &err);
    is_int(got.n, 0, "the first's");
    store_delivery_list(store, b, &got, &err);
    is_int(got.n, 0, "and the second's");
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

    is_str(page_of(store, account, NULL, -1, 9, ids), "", "an account without deliveries has none");
    for (int i = 0; i < 3; i++) {
        end_one(store, account, home, ids[i]);
        wait_for_next_ms();
    }
    end_one(store, stranger, home, ids[3]);
    is_str(page_of(store, account, NULL, -1, 9, ids), "cba",
           "an account's deliveries are listed, the newest first, and nobody else's");
    is_str(page_of(store, account, NULL, -1, 2, ids), "cb", "no more than are asked for");
    AUTO_JOB struct job job = { 0 };
    store_find(store, ids[2], &job, &err);
    store_delivery_page(store, account, &(struct store_delivery_page){ NULL, -1, 1 }, &got, &err);
    ok(got.n == 1 && got.list[0].job_state == job.state &&
           got.list[0].job_expires_at == job.expires_at && job.expires_at > 0,
       "each with the state of its job, and when that expires");
    store_deliveries_free(&got);
    store_delivery_list(store, ids[1], &got, &err);
    memcpy(second, got.list[0].id, ID_TEXT);
    store_deliveries_free(&got);
    is_str(page_of(store, account, second, -1, 2, ids), "a", "and those before one of them");
    is_str(page_of(store, account, NULL, DELIVERY_FAILED, 9, ids), "", "none has failed");
    store_delivery_claim(store, NOW + 9000, 9, &got, &err);
    out = outcome(second, DELIVERY_FAILED);
    store_delivery_settle(store, &out, 1, &err);
    is_str(page_of(store, account, NULL, DELIVERY_FAILED, 9, ids), "b", "until one does");
    is_str(page_of(store, account, NULL, DELIVERY_WAITING, 9, ids), "ca",
           "those that are being sent are shown as ones that wait");
}

static void test_secrets(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), stranger = contract_account(store);
    struct store_secret s[STORE_SECRETS];
    size_t n = 9;
    struct err err;

    ok(store_secret_list(store, account, NOW, s, &n, &err) == 0 && n == 0,
       "at first there is none");
    is_int(store_secret_add(store, account + 9, "whsec_x", NOW, NOW, &err), -1,
           "an unknown account gets none");
    is_int(err.code, ERR_NOT_FOUND, "which is said");
    store_secret_add(store, account, "whsec_one", NOW, NOW, &err);
    store_secret_add(store, account, "whsec_two", NOW + 10, NOW + 1000, &err);
    store_secret_list(store, account, NOW + 999, s, &n, &err);
    ok(n == 2 && strcmp(s[0].text, "whsec_two") == 0 && strcmp(s[1].text, "whsec_one") == 0,
       "the newest comes first, the old one stays for a while");
    ok(s[0].valid_until == 0 && s[1].valid_until == NOW + 1000, "and it is said how long");
    store_secret_list(store, account, NOW + 1000, s, &n, &err);
    is_int(n, 1, "then it has ended");
    store_secret_list(store, stranger, NOW, s, &n, &err);
    is_int(n, 0, "nobody else has them");
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
    ok(jobs.n == 1 && strcmp(jobs.list[0].id, a) == 0, "page by page");
    page.before = NULL;
    page.status = JOB_FAILED;
    store_list(store, account, &page, &none, &err);
    is_int(none.n, 0, "and by status");
    page.status = -1;
    store_list(store, stranger, &page, &none, &err);
    is_int(none.n, 0, "by nobody else");
    page.client_ref = "order";
    store_list(store, account, &page, &none, &err);
    is_int(none.n, 0, "by the whole name");
}

void store_contract_hooks(void)
{
    test_delivery();
    test_hosts();
    test_accounts();
    test_gone();
    test_pages();
    test_secrets();
    test_client_ref();
}
