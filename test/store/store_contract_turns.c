/* The contract of store_claim where several accounts, or jobs of several lengths, wait. */
#include "store_contract.h"
#include "tap.h"

static void put_cost(struct store *store, int64_t account, int64_t cost_ms, int n)
{
    for (int i = 0; i < n; i++) {
        struct job job = contract_job(account);
        struct store_terms terms = contract_terms();
        struct store_receipt receipt;
        struct err err;

        job.cost_ms = cost_ms;
        if (store_put(store, &job, &terms, &receipt, &err) < 0)
            printf("# cannot put: %s\n", err.msg);
    }
}

/* Claims up to n jobs, and finishes those that were claimed after `took` ms unless that is below 0.
 * One letter for each: 'a' for the first account given, 'b' for the next; capital if the job is a
 * long one. */
static const char *claims(struct store *store, int64_t first, int n, int64_t took)
{
    static char text[128];
    int got = 0;

    for (; got < n && got < (int) sizeof text - 1; got++) {
        AUTO_JOB struct job job = { 0 };
        struct store_end end = contract_completed();
        struct err err;

        if (store_claim(store, NOW, LEASE, NULL, &job, &err) != 1)
            break;
        text[got] = (char) ((job.cost_ms >= STORE_LONG_MS ? 'A' : 'a') + (job.key_id - first));
        end.duration_ms = took;
        if (took >= 0)
            store_finish(store, job.id, job.attempt, &end, &err);
    }
    text[got] = '\0';
    return text;
}

static void test_second_key(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);

    put_cost(store, first, 100, 1000);
    is_str(claims(store, first, 5, -1), "aaaaa", "an account that is alone gets all turns");
    put_cost(store, second, 100, 1);
    is_str(claims(store, first, 3, -1), "baa", "the one job of another account is next");
    put_cost(store, second, 100, 1000);
    is_str(claims(store, first, 8, -1), "babababa", "accounts with equal jobs alternate");
}

static const char *oldest(struct store *store)
{
    static char text[32];
    int64_t created_at = -1;
    struct err err;

    if (store_oldest(store, &created_at, &err) < 0)
        return "failed";
    snprintf(text, sizeof text, "%lld", (long long) (created_at ? created_at - NOW : -1));
    return text;
}

static void put_at(struct store *store, int64_t account, int64_t cost_ms, int64_t at)
{
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    job.cost_ms = cost_ms;
    job.created_at = job.run_at = NOW + at;
    if (store_put(store, &job, &terms, &receipt, &err) < 0)
        printf("# cannot put: %s\n", err.msg);
}

static void test_oldest(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    struct err err;

    is_str(oldest(store), "-1", "an empty queue has no oldest job");
    put_at(store, first, 100, -50);
    put_at(store, first, 100, -90000);
    put_at(store, first, STORE_LONG_MS, -70000);
    put_at(store, second, 100, -80000);
    is_str(oldest(store), "-90000", "the oldest job of all accounts and lengths is found");
    store_claim(store, NOW, LEASE, NULL, &job, &err);
    is_str(oldest(store), "-80000", "a running job is not the oldest pending job");
}

static void test_time(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);

    put_cost(store, first, 400, 10);
    put_cost(store, second, 100, 20);
    is_str(claims(store, first, 15, -1), "abbbbabbbbabbbb",
           "accounts get equal times, not equal numbers of jobs");
}

static void test_wrong_guess(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);

    put_cost(store, first, 10, 3);
    is_str(claims(store, first, 1, 60), "a", "a job takes six times its estimated time");
    put_cost(store, second, 10, 10);
    is_str(claims(store, first, 8, 10), "bbbbbbab",
           "the time that a job took counts when it has ended");
}

static void test_no_credit(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);

    put_cost(store, first, 100, 100);
    claims(store, first, 50, -1);
    put_cost(store, second, 100, 100);
    is_str(claims(store, first, 6, -1), "bababa", "time without jobs is not saved up");
}

static void test_lengths(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);

    put_cost(store, account, 3000, 100);
    is_str(claims(store, account, 2, -1), "AA", "long jobs alone run one after another");
    put_cost(store, account, 500, 1);
    is_str(claims(store, account, 2, -1), "aA", "a short job that comes later is next");
    put_cost(store, account, 500, 1);
    is_str(claims(store, account, 2, -1), "aA", "another short job that comes later is next");
    put_cost(store, account, 500, 14);
    is_str(claims(store, account, 16, -1), "aAaaaaaaAaaaaaaA",
           "while short and long jobs wait each kind gets half of the time");
}

static void test_not_due(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);
    AUTO_JOB struct job job = { 0 };
    struct err err;

    put_cost(store, first, 10, 1);
    store_claim(store, NOW, LEASE, NULL, &job, &err);
    store_release(store, job.id, 1, NOW + 60, false, &err);
    put_cost(store, second, 10, 1);
    is_str(claims(store, first, 2, -1), "b", "an account with no job that may run is passed over");
    put_cost(store, first, 5000, 1);
    is_str(claims(store, first, 2, -1), "A",
           "a job that may run is not held up by one that may not");
}

/* The account of the next job of a choice, as `claims` writes it; "" if there is none. */
static const char *claim_of(struct store *store, int64_t first, const struct store_choice *choice)
{
    static char text[2];
    AUTO_JOB struct job job = { 0 };
    struct err err;

    text[0] = '\0';
    if (store_claim(store, NOW, LEASE, choice, &job, &err) == 1)
        text[0] = (char) ((job.cost_ms >= STORE_LONG_MS ? 'A' : 'a') + (job.key_id - first));
    return text;
}

static void test_choice(void)
{
    STORE *store = contract_open();
    int64_t first = contract_account(store), second = contract_account(store);
    const struct store_choice brief = { .brief = true }, others = { &first, 1, false };
    const struct store_choice both = { &first, 1, true };

    put_cost(store, first, 3000, 2);
    is_str(claim_of(store, first, &brief), "", "a long job is not claimed as a short one");
    put_cost(store, first, 500, 1);
    is_str(claim_of(store, first, &brief), "a", "a short job is claimed before long ones");
    is_str(claim_of(store, first, &others), "", "no job of an account that is passed is claimed");
    put_cost(store, second, 3000, 2);
    is_str(claim_of(store, first, &both), "",
           "neither is a long job of another if short ones are asked");
    is_str(claim_of(store, first, &others), "B", "a job of another account is claimed");
    is_str(claim_of(store, first, NULL), "A", "all jobs are claimed without a choice");
}

void store_contract_turns(void)
{
    test_second_key();
    test_oldest();
    test_choice();
    test_time();
    test_wrong_guess();
    test_no_credit();
    test_lengths();
    test_not_due();
}
