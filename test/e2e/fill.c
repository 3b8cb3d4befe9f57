/*
 * fill DATABASE PREFIX N: puts N pending jobs of the key with that prefix into a store, as fast as
 * it takes them. They have no files: whoever runs one finds that out at once. Only for tests.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/scope.h"
#include "data/store/store.h"
#include "data/store_sqlite/store_sqlite_open.h"

#define THREADS 128

static struct store *store;
static int64_t account;
static atomic_long left;

static void *put_some(void *arg)
{
    const struct store_terms terms = { .month = clock_month_start(clock_wall_ms()),
                                       .max_requests = INT64_MAX,
                                       .max_bytes = INT64_MAX,
                                       .max_unfinished = INT64_MAX };

    (void) arg;
    while (atomic_fetch_sub(&left, 1) > 0) {
        char stem[] = "a", params[] = "{\"degrees\":\"90\"}";
        char inputs[] = "[{\"name\":\"a.pdf\",\"bytes\":100}]";
        struct job job = { .key_id = account,
                           .tool = "rotate",
                           .stem = stem,
                           .params_json = params,
                           .inputs_json = inputs,
                           .n_inputs = 1,
                           .input_bytes = 100,
                           .created_at = clock_wall_ms() };
        struct store_receipt receipt;
        struct err err;

        job.run_at = job.created_at;
        id_new(job.id);
        if (store_put(store, &job, &terms, &receipt, &err) < 0) {
            fprintf(stderr, "fill: %s\n", err.msg);
            exit(1);
        }
    }
    return NULL;
}

static bool find_account(const char *prefix)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct err err;

    if (store_key_list(store, &keys, &err) < 0)
        return false;
    for (size_t i = 0; i < keys.n; i++)
        if (strcmp(keys.list[i].prefix, prefix) == 0)
            account = keys.list[i].id;
    return account > 0;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    struct err err;

    if (argc != 4 || !(store = store_sqlite_open(argv[1], &err)) || !find_account(argv[2]))
        return 1;
    atomic_store(&left, strtol(argv[3], NULL, 10));
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_create(&threads[i], NULL, put_some, NULL);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    store_close(store);
    return 0;
}
