/* store_sqlite_parts: functions that the files of the SQLite store share; see data/store/store.h
 * for what each does. */
#pragma once

#include "data/store/store_rules.h"
#include "data/store_sqlite/sqlite_readers.h"
#include "data/store_sqlite/sqlite_writer.h"

struct store_sqlite {
    struct store store;
    char *path;
    struct sqlite_writer *writer;
    struct sqlite_readers *readers;
};

static inline struct store_sqlite *store_sqlite_of(struct store *store)
{
    return (struct store_sqlite *) store;
}

/* store_sqlite_jobs.c */
int store_sqlite_put(struct store *store, const struct job *job, const struct store_terms *terms,
                     struct store_receipt *receipt, struct err *err);
int store_sqlite_find(struct store *store, const char *id, struct job *job, struct err *err);
int store_sqlite_files(struct store *store, const char *id, int which, struct buf *out,
                       struct err *err);
int store_sqlite_list(struct store *store, int64_t key_id, const struct store_page *page,
                      struct store_jobs *jobs, struct err *err);
int store_sqlite_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err);
int store_sqlite_oldest(struct store *store, int64_t *created_at, struct err *err);

/* store_sqlite_lease.c */
int store_sqlite_claim(struct store *store, int64_t now, int64_t lease_ms,
                       const struct store_choice *choice, struct job *job, struct err *err);
int store_sqlite_heartbeat(struct store *store, const char *id, int32_t attempt,
                           int64_t lease_until, double progress, struct err *err);
int store_sqlite_finish(struct store *store, const char *id, int32_t attempt,
                        const struct store_end *end, struct err *err);
int store_sqlite_fetched(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                         int64_t bytes, const char *inputs_json, struct err *err);
int store_sqlite_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                         bool spared, struct err *err);
int store_sqlite_reclaim(struct store *store, int64_t now, struct err *err);

/* store_sqlite_gone.c */
int store_sqlite_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                        struct err *err);
int store_sqlite_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                        struct err *err);
int store_sqlite_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                        struct err *err);

/* store_sqlite_keys.c */
/* The columns of a key, which a query selects first, and their values in its present row. */
#define STORE_SQLITE_KEY                                                                           \
    "account, created_at, valid_until, prefix, keys.digest, name, plan, parent, tools, addresses"
void store_sqlite_read_key(sqlite3_stmt *stmt, struct key *key);
int store_sqlite_key_add(struct store *store, struct key *key, struct err *err);
int store_sqlite_key_find(struct store *store, const char *digest, struct key *key,
                          struct err *err);
int store_sqlite_key_list(struct store *store, struct store_keys *keys, struct err *err);
int store_sqlite_key_end(struct store *store, const char *prefix, int64_t valid_until,
                         struct key *key, struct err *err);
int store_sqlite_key_move(struct store *store, const char *prefix, const char *plan,
                          struct key *key, struct err *err);
int store_sqlite_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                            struct err *err);
int store_sqlite_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                       struct err *err);
/* Like store_sqlite_usage, with the caller's connection. */
int store_sqlite_used(struct sqlite_db *db, int64_t key_id, int64_t month, struct usage *usage,
                      struct err *err);

/* store_sqlite_deliveries.c */
int store_sqlite_delivery_claim(struct store *store, int64_t now, size_t limit,
                                struct store_deliveries *deliveries, struct err *err);
int store_sqlite_delivery_settle(struct store *store, const struct store_outcome *outcomes,
                                 size_t n, struct err *err);
int store_sqlite_delivery_reclaim(struct store *store, struct err *err);
int store_sqlite_delivery_next(struct store *store, int64_t *next_at, struct err *err);
int store_sqlite_delivery_list(struct store *store, const char *job_id,
                               struct store_deliveries *deliveries, struct err *err);
int store_sqlite_delivery_page(struct store *store, int64_t key_id,
                               const struct store_delivery_page *page,
                               struct store_deliveries *deliveries, struct err *err);
int store_sqlite_delivery_again(struct store *store, const char *job_id, const char *id,
                                int64_t now, struct err *err);

/* store_sqlite_secrets.c */
int store_sqlite_secret_list(struct store *store, int64_t key_id, int64_t now,
                             struct store_secret secrets[static STORE_SECRETS], size_t *n,
                             struct err *err);
int store_sqlite_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                            int64_t old_until, struct err *err);
