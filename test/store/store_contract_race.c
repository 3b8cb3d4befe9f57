/* The contract between threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "store_contract.h"
#include "tap.h"

#define THREADS 8
#define JOBS    2000

struct racer {
    struct store *store;
    pthread_barrier_t *start;
    pthread_t thread;
    struct job job;
    struct store_terms terms;
    int result; /* of the function it races with */
    enum err_code code;
    char (*ids)[ID_TEXT]; /* what it claimed */
    size_t n_ids;
};

static void race(struct racer *racers, size_t n, void *(*run)(void *) )
{
    pthread_barrier_t start;

    pthread_barrier_init(&start, NULL, (unsigned) n);
    for (size_t i = 0; i < n; i++) {
        racers[i].start = &start;
        pthread_create(&racers[i].thread, NULL, run, &racers[i]);
    }
    for (size_t i = 0; i < n; i++)
        pthread_join(racers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

static void *put_one(void *arg)
{
    struct racer *r = arg;
    struct store_receipt receipt;
    struct err err = { 0 };

    pthread_barrier_wait(r->start);
    r->result = store_put(r->store, &r->job, &r->terms, &receipt, &err);
    r->code = err.code;
    return NULL;
}

static void test_last_unit(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    int wrong = 0;

    for (int round = 0; round < 200; round++) {
        struct racer two[2];

        for (int i = 0; i < 2; i++) {
            two[i] = (struct racer){ .store = store };
            two[i].job = contract_job(account);
            two[i].terms = contract_terms();
            two[i].terms.max_requests = round + 1;
        }
        race(two, 2, put_one);
        wrong += (two[0].result == 0) + (two[1].result == 0) != 1 ||
                 two[two[0].result == 0].code != ERR_QUOTA_EXCEEDED ||
                 contract_usage(store, account, MONTH).requests != round + 1;
    }
    is_int(wrong, 0, "of two threads that race for the last unit of quota exactly one is accepted");
}

static void test_last_idempotent(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct racer racers[THREADS];
    int refused = 0, stored = 0;

    for (int i = 0; i < THREADS; i++) {
        racers[i] = (struct racer){ .store = store };
        racers[i].job = contract_job(account);
        racers[i].terms = contract_terms();
        racers[i].terms.idempotency_key = "same";
        racers[i].terms.fingerprint = "same";
    }
    race(racers, THREADS, put_one);
    for (int i = 0; i < THREADS; i++) {
        refused += racers[i].result != 0;
        stored += contract_state(store, racers[i].job.id) == JOB_PENDING;
    }
    ok(refused == 0 && stored == 1, "many threads that race with one idempotency key make one job");
}

static void *claim_all(void *arg)
{
    struct racer *r = arg;
    struct job job = { 0 };
    struct err err;

    pthread_barrier_wait(r->start);
    while (r->n_ids < JOBS &&
           (r->result = store_claim(r->store, NOW, LEASE, NULL, &job, &err)) == 1) {
        memcpy(r->ids[r->n_ids++], job.id, ID_TEXT);
        job_free(&job);
    }
    return NULL;
}

static void *put_many(void *arg)
{
    struct racer *r = arg;
    int64_t account = r->job.key_id;
    struct store_receipt receipt;
    struct err err;

    pthread_barrier_wait(r->start);
    for (int i = 0; i < JOBS / THREADS && r->result == 0; i++) {
        r->job = contract_job(account);
        r->result = store_put(r->store, &r->job, &r->terms, &receipt, &err);
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void test_claims(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct racer racers[THREADS];
    static char all[JOBS * 2][ID_TEXT];
    size_t n = 0, twice = 0;
    int failed = 0;

    for (int i = 0; i < THREADS; i++)
        racers[i] =
            (struct racer){ .store = store, .job.key_id = account, .terms = contract_terms() };
    race(racers, THREADS, put_many);
    for (int i = 0; i < THREADS; i++)
        failed += racers[i].result;
    is_int(failed, 0, "eight threads put jobs at the same time");
    is_int(contract_usage(store, account, MONTH).requests, JOBS,
           "jobs of eight threads are all counted");
    is_str(contract_depth(store), "2000/0", "jobs of eight threads are all in the queue");
    for (int i = 0; i < THREADS; i++)
        racers[i].ids = calloc(JOBS, ID_TEXT);
    race(racers, THREADS, claim_all);
    for (int i = 0; i < THREADS; i++) {
        for (size_t k = 0; k < racers[i].n_ids && n < JOBS * 2; k++)
            memcpy(all[n++], racers[i].ids[k], ID_TEXT);
        free(racers[i].ids);
    }
    qsort(all, n, ID_TEXT, compare);
    for (size_t i = 1; i < n; i++)
        twice += strcmp(all[i - 1], all[i]) == 0;
    is_int(n, JOBS, "eight threads claim all jobs");
    is_int(twice, 0, "eight threads claim no job twice");
    is_str(contract_depth(store), "0/2000", "all claimed jobs are running");
}

static void *finish_one(void *arg)
{
    struct racer *r = arg;
    struct store_end end = contract_failed(ERR_INTERNAL);
    struct err err;

    pthread_barrier_wait(r->start);
    r->result = store_finish(r->store, r->job.id, 1, &end, &err);
    return NULL;
}

static void *remove_one(void *arg)
{
    struct racer *r = arg;
    struct job job = { 0 };
    struct err err;

    pthread_barrier_wait(r->start);
    r->result = store_remove(r->store, r->job.id, r->job.key_id, &job, &err);
    job_free(&job);
    return NULL;
}

static void test_ends(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    int finished = 0, removed = 0;

    for (int round = 0; round < 25; round++) {
        struct racer racers[4];
        char id[ID_TEXT];

        contract_put(store, account, id);
        contract_claim(store, id);
        for (int i = 0; i < 4; i++) {
            racers[i] = (struct racer){ .store = store, .job.key_id = account };
            memcpy(racers[i].job.id, id, ID_TEXT);
        }
        race(racers, 4, finish_one);
        for (int i = 0; i < 4; i++)
            finished += racers[i].result;
        race(racers, 4, remove_one);
        for (int i = 0; i < 4; i++)
            removed += racers[i].result;
    }
    is_int(finished, 25, "of several threads that end a job one does");
    is_int(removed, 25, "of several threads that remove a job one does");
    is_int(contract_usage(store, account, MONTH).requests, 0,
           "the quota of removed jobs is given back once");
}

void store_contract_race(void)
{
    test_last_unit();
    test_last_idempotent();
    test_claims();
    test_ends();
}
