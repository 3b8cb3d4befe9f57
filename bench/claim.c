/*
 * claim: what the job store costs. Durable puts a second from 1, 16 and 64 threads, with the time
 * each waits; the cost of claiming and finishing one job with 1,000 and with MOST waiting, of
 * one account and of 1,000 that take turns; CPU time of a job's way through the store.
 *
 *     bench/claim [FOLDER [MOST]]
 *
 * The database is made in FOLDER and removed. MOST is 1,000,000 unless given:
 * the database then has about 600 MB.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/id.h"
#include "base/scope.h"
#include "data/store/store.h"
#include "data/store_sqlite/store_sqlite_open.h"

#define NOW       1800000000000LL
#define MONTH     1798761600000LL
#define LEASE     30000
#define PUTS      4000 /* of each measurement, by all threads together */
#define CLAIMS    1000
#define THREADS   64
#define MAX_TIMES PUTS

static char path[4096];
static double times[MAX_TIMES]; /* milliseconds */

static double now_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static _Noreturn void give_up(const char *what, const struct err *err)
{
    fprintf(stderr, "%s: %s\n", what, err->msg);
    exit(1);
}

static void remove_database(void)
{
    static const char *const tails[] = { "", "-wal", "-shm" };
    char name[sizeof path + 8];

    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(name, sizeof name, "%s%s", path, tails[i]);
        unlink(name);
    }
}

static int64_t add_account(struct store *store)
{
    char text[KEY_TEXT];
    struct key key = { .name = "bench", .plan = "pro", .created_at = NOW };
    struct err err;

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    if (store_key_add(store, &key, &err) < 0)
        give_up("key", &err);
    return key.id;
}

static struct store *fresh(int64_t *account)
{
    struct store *store;
    struct err err;

    remove_database();
    if (!(store = store_sqlite_open(path, &err)))
        give_up("open", &err);
    *account = add_account(store);
    return store;
}

static void put(struct store *store, int64_t account)
{
    static char stem[] = "quarterly report", params[] = "{\"angle\":\"90\",\"pages\":\"1-3,5\"}";
    static char inputs[] = "[{\"name\":\"quarterly report.pdf\",\"bytes\":81234}]";
    static const struct store_terms terms = { MONTH, INT64_MAX, INT64_MAX, INT64_MAX, NULL, NULL };
    struct job job = { .key_id = account,
                       .tool = "rotate",
                       .stem = stem,
                       .params_json = params,
                       .inputs_json = inputs,
                       .n_inputs = 1,
                       .input_bytes = 81234,
                       .created_at = NOW,
                       .run_at = NOW };
    struct store_receipt receipt;
    struct err err;

    id_new(job.id);
    if (store_put(store, &job, &terms, &receipt, &err) < 0)
        give_up("put", &err);
}

static void claim_and_finish(struct store *store)
{
    static const struct store_end end = {
        .state = JOB_COMPLETED,
        .finished_at = NOW + 500,
        .expires_at = NOW + 86400000,
        .duration_ms = 400,
        .output_name = "quarterly report-rotate.pdf",
        .outputs_json = "[{\"name\":\"quarterly report-rotate.pdf\",\"offset\":0,\"bytes\":81300,"
                        "\"pages\":12,\"sha256\":"
                        "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"}]",
        .warnings_json = "[]",
        .output_bytes = 81300,
    };
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (store_claim(store, NOW, LEASE, NULL, &job, &err) != 1)
        give_up("claim", &err);
    if (store_finish(store, job.id, job.attempt, &end, &err) != 1)
        give_up("finish", &err);
}

struct putter {
    pthread_t thread;
    struct store *store;
    int64_t account;
    int n;
    double *times;
};

static void *put_some(void *arg)
{
    struct putter *p = arg;

    for (int i = 0; i < p->n; i++) {
        double start = now_ms(CLOCK_MONOTONIC);

        put(p->store, p->account);
        p->times[i] = now_ms(CLOCK_MONOTONIC) - start;
    }
    return NULL;
}

static void bench_puts(int threads)
{
    struct putter putters[THREADS];
    int64_t account;
    struct store *store = fresh(&account);
    int each = PUTS / threads, all = each * threads;
    double start = now_ms(CLOCK_MONOTONIC), cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID), elapsed;

    for (int i = 0; i < threads; i++) {
        putters[i] = (struct putter){ 0, store, account, each, times + i * each };
        pthread_create(&putters[i].thread, NULL, put_some, &putters[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(putters[i].thread, NULL);
    elapsed = now_ms(CLOCK_MONOTONIC) - start;
    cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    qsort(times, (size_t) all, sizeof *times, compare);
    printf("put, %2d threads: %7.0f/s durable; wait median %.2f ms, 99%% %.2f ms, worst %.2f ms; "
           "CPU %.3f ms each\n",
           threads, all / elapsed * 1e3, times[all / 2], times[all - 1 - all / 100], times[all - 1],
           cpu / all);
    store_close(store);
}

static void execute(sqlite3 *db, const char *sql)
{
    char *message;

    if (sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK)
        return;
    fprintf(stderr, "%s: %s\n", sql, message);
    exit(1);
}

/* Waiting jobs of accounts 1 to `accounts` as store_put would leave them, in one go. Every third is
 * a long one. */
static void fill(int accounts, int n)
{
    char id[ID_TEXT], sql[256];
    sqlite3_stmt *insert;
    sqlite3 *db;

    sqlite3_open(path, &db);
    execute(db, "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN");
    sqlite3_prepare_v2(db,
                       "INSERT INTO jobs(id, account, month, tool, state, n_inputs, has_secret,"
                       " input_bytes, created_at, run_at, cost, long, stem, params, inputs)"
                       " VALUES(?1, ?2, ?3, 'rotate', 0, 1, 0, 81234, ?4, ?4, 1 + 3000 * ?5, ?5,"
                       " 'quarterly report',"
                       " '{\"angle\":\"90\",\"pages\":\"1-3,5\"}',"
                       " '[{\"name\":\"quarterly report.pdf\",\"bytes\":81234}]')",
                       -1, &insert, NULL);
    for (int i = 0; i < n; i++) {
        id_new(id);
        sqlite3_bind_text(insert, 1, id, -1, SQLITE_STATIC);
        sqlite3_bind_int(insert, 2, 1 + i % accounts);
        sqlite3_bind_int64(insert, 3, MONTH);
        sqlite3_bind_int64(insert, 4, NOW - n + i);
        sqlite3_bind_int(insert, 5, i % 3 == 2);
        if (sqlite3_step(insert) != SQLITE_DONE) {
            fprintf(stderr, "fill: %s\n", sqlite3_errmsg(db));
            exit(1);
        }
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    snprintf(sql, sizeof sql,
             "UPDATE accounts SET pending = CASE id WHEN 0 THEN %d ELSE %d END;"
             "INSERT INTO usage SELECT id, %lld, pending, pending * 81234 FROM accounts"
             " WHERE id > 0; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)",
             n, n / accounts + 1, MONTH);
    execute(db, sql);
    sqlite3_close(db);
}

static void bench_claims(int n, int accounts)
{
    int64_t account;
    struct store *store = fresh(&account);
    struct err err;
    double cpu;

    for (int i = 1; i < accounts; i++)
        add_account(store);
    store_close(store);
    fill(accounts, n + CLAIMS);
    if (!(store = store_sqlite_open(path, &err)))
        give_up("open", &err);
    cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < CLAIMS; i++) {
        double start = now_ms(CLOCK_MONOTONIC);

        claim_and_finish(store);
        times[i] = now_ms(CLOCK_MONOTONIC) - start;
    }
    cpu = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    qsort(times, CLAIMS, sizeof *times, compare);
    printf("claim + finish, %7d waiting, of %4d accounts: median %.3f ms, 99%% %.3f ms;"
           " CPU %.3f ms each\n",
           n, accounts, times[CLAIMS / 2], times[CLAIMS - CLAIMS / 100], cpu / CLAIMS);
    store_close(store);
}

static void *cycle_some(void *arg)
{
    const struct putter *p = arg;

    for (int i = 0; i < p->n; i++) {
        put(p->store, p->account);
        claim_and_finish(p->store);
    }
    return NULL;
}

static double cpu_ms(const struct timeval *before, const struct timeval *after)
{
    return (double) (after->tv_sec - before->tv_sec) * 1e3 +
           (double) (after->tv_usec - before->tv_usec) / 1e3;
}

static void bench_cycle(int threads)
{
    struct putter all[THREADS];
    int64_t account;
    struct store *store = fresh(&account);
    struct rusage before, after;
    int n = PUTS / threads * threads;
    double start = now_ms(CLOCK_MONOTONIC);

    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < threads; i++) {
        all[i] = (struct putter){ 0, store, account, PUTS / threads, NULL };
        pthread_create(&all[i].thread, NULL, cycle_some, &all[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(all[i].thread, NULL);
    getrusage(RUSAGE_SELF, &after);
    printf("put + claim + finish, %2d threads: %6.0f/s; CPU %.3f ms user + %.3f ms system each\n",
           threads, n / (now_ms(CLOCK_MONOTONIC) - start) * 1e3,
           cpu_ms(&before.ru_utime, &after.ru_utime) / n,
           cpu_ms(&before.ru_stime, &after.ru_stime) / n);
    store_close(store);
}

int main(int argc, char **argv)
{
    static const int threads[] = { 1, 16, 64 };

    const int most = argc > 2 ? (int) strtol(argv[2], NULL, 10) : 1000000;

    if (most < 1 || most > 100000000) {
        fprintf(stderr, "claim: MOST is 1 to 100,000,000\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/claim-bench.db", argc > 1 ? argv[1] : ".");
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        bench_puts(threads[i]);
    for (size_t i = 0; i < COUNT(threads); i++)
        bench_cycle(threads[i]);
    bench_claims(1000, 1);
    bench_claims(most, 1);
    bench_claims(most, 1000);
    remove_database();
    return 0;
}
