/*
 * cycle: jobs that are put, claimed and finished by threads of one process, each step durable, in
 * the store alone.
 *
 *     bench/cycle STORE THREADS SECONDS ACCOUNTS [HOSTS]
 *
 * STORE is postgresql://..., or the path of a database; the threads take the accounts by turns,
 * which are those of the first runs with this store. With HOSTS each job has a webhook, to one of
 * so many hosts, which is taken and settled too, and the lease of the server is renewed four times
 * a second, with what a server does for all.
 *
 * After a quarter of SECONDS, in which connections are made and caches filled, it prints "warm";
 * what follows is counted. At the end it prints a JSON object: cycles a second, the process's CPU
 * milliseconds a cycle.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "data/store/store.h"
#include "data/store_postgres/store_postgres_open.h"
#include "data/store_sqlite/store_sqlite_open.h"

static struct store *store;
static int64_t accounts[256], until;
static int hosts;
static atomic_llong cycles, told;

static _Noreturn void give_up(const struct err *err)
{
    fprintf(stderr, "cycle: %s\n", err->msg);
    exit(1);
}

static void put(int64_t account)
{
    static char stem[] = "quarterly report", params[] = "{\"angle\":\"90\",\"pages\":\"1-3,5\"}";
    static char inputs[] = "[{\"name\":\"quarterly report.pdf\",\"bytes\":81234}]";
    char url[64], base[] = "http://platen.example";
    int64_t now = clock_wall_ms();
    const struct store_terms terms = {
        clock_month_start(now), INT64_MAX, INT64_MAX, INT64_MAX, NULL, NULL, NULL
    };
    struct job job = { .key_id = account,
                       .tool = "rotate",
                       .stem = stem,
                       .params_json = params,
                       .inputs_json = inputs,
                       .n_inputs = 1,
                       .input_bytes = 81234,
                       .created_at = now,
                       .run_at = now };
    struct store_receipt receipt;
    struct err err;

    id_new(job.id);
    if (hosts > 0) {
        snprintf(url, sizeof url, "http://h%lld.example/done", (long long) told % hosts);
        job.callback_url = url;
        job.callback_base = base;
    }
    if (store_put(store, &job, &terms, &receipt, &err) < 0)
        give_up(&err);
}

static int64_t add_account(void)
{
    struct key key = { .name = "bench", .plan = "pro", .created_at = 1 };
    char text[KEY_TEXT];
    struct err err;

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    if (store_key_add(store, &key, &err) < 0)
        give_up(&err);
    return key.id;
}

/* As many accounts as the store has, and new ones. */
static void find_accounts(int n)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct err err;

    if (store_key_list(store, &keys, &err) < 0)
        give_up(&err);
    for (int i = 0; i < n; i++)
        accounts[i] = (size_t) i < keys.n ? keys.list[i].id : add_account();
}

/* Whether there was one. */
static bool claim_and_finish(void)
{
    AUTO_JOB struct job job = { 0 };
    int64_t now = clock_wall_ms();
    const struct store_end end = { .state = JOB_COMPLETED,
                                   .finished_at = now,
                                   .expires_at = now + 86400000,
                                   .duration_ms = 400,
                                   .output_name = "quarterly report-rotate.pdf",
                                   .outputs_json = "[]",
                                   .warnings_json = "[]",
                                   .output_bytes = 81300 };
    struct err err;
    int found = store_claim(store, now, 30000, NULL, &job, &err);

    if (found < 0 || (found && store_finish(store, job.id, job.attempt, &end, &err) < 0))
        give_up(&err);
    return found > 0;
}

static void tell(void)
{
    AUTO_STORE_DELIVERIES struct store_deliveries due = { 0 };
    int64_t now = clock_wall_ms(), next;
    struct err err;

    if (store_delivery_next(store, &next, &err) < 0 ||
        store_delivery_claim(store, now, 2, &due, &err) < 0)
        give_up(&err);
    for (size_t i = 0; i < due.n; i++) {
        struct store_outcome outcome = {
            .state = DELIVERY_DELIVERED, .at = now, .http_status = 200, .duration_ms = 5
        };

        memcpy(outcome.id, due.list[i].id, sizeof outcome.id);
        if (store_delivery_settle(store, &outcome, 1, &err) < 0)
            give_up(&err);
        atomic_fetch_add(&told, 1);
    }
}

static void *work(void *arg)
{
    const int64_t *account = arg;

    while (clock_mono_ms() < until) {
        put(*account);
        if (claim_and_finish())
            atomic_fetch_add(&cycles, 1);
        if (hosts > 0)
            tell();
    }
    return NULL;
}

static void *beat(void *arg)
{
    struct store_pulse pulse;
    struct err err;

    (void) arg;
    while (clock_mono_ms() < until) {
        if (store_beat(store, 30000, true, NULL, 0, &pulse, &err) < 0)
            give_up(&err);
        usleep(250000);
    }
    return NULL;
}

/* What was done so far: cycles, webhooks, and the process's CPU milliseconds. */
struct count {
    long long cycles, told;
    double cpu;
};

static struct count count_now(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return (struct count){ cycles, told,
                           (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
                               (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3 };
}

int main(int argc, char **argv)
{
    int threads = argc >= 5 ? (int) strtol(argv[2], NULL, 10) : 0,
        n = argc >= 5 ? (int) strtol(argv[4], NULL, 10) : 0;
    double seconds = argc >= 5 ? strtod(argv[3], NULL) : 0;
    pthread_t all[256], heart;
    struct count before, after;
    struct err err;

    hosts = argc == 6 ? (int) strtol(argv[5], NULL, 10) : 0;
    if (threads < 1 || threads > 256 || n < 1 || n > 256)
        return fputs("usage: cycle STORE THREADS SECONDS ACCOUNTS [HOSTS]\n", stderr), 2;
    store = strncmp(argv[1], "postgres", 8) == 0 ? store_postgres_open(argv[1], &err)
                                                 : store_sqlite_open(argv[1], &err);
    if (!store)
        give_up(&err);
    find_accounts(n);
    until = clock_mono_ms() + (int64_t) (seconds * 1.25e3);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&all[i], NULL, work, &accounts[i % n]) != 0)
            return 1;
    if (hosts > 0 && pthread_create(&heart, NULL, beat, NULL) != 0)
        return 1;
    usleep((useconds_t) (seconds * .25e6));
    before = count_now();
    puts("warm");
    fflush(stdout);
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    if (hosts > 0)
        pthread_join(heart, NULL);
    after = count_now();
    printf("{\"rate\": %.1f, \"told\": %.1f, \"cpu\": %.4f}\n",
           (double) (after.cycles - before.cycles) / seconds,
           (double) (after.told - before.told) / seconds,
           (after.cpu - before.cpu) / (double) (after.cycles - before.cycles));
    fflush(stdout);
    getchar(); /* until who measures the database has looked */
    store_close(store);
    return 0;
}
