/* store_postgres_parts: functions that the files of the PostgreSQL store share; see
 * data/store/store.h for what each does. */
#pragma once

#include <stdatomic.h>

#include "data/store/store.h"
#include "data/store_postgres/postgres_bell.h"
#include "data/store_postgres/postgres_db.h"
#include "data/store_postgres/postgres_group.h"

struct store_postgres {
    struct store store;
    struct postgres_db *db;
    char *url;
    /* Identifies this opening of the store. It changes at each start of a server, so that it
     * also is the epoch by which the server is fenced. */
    char node[ID_TEXT];
    char host[65];
    char *tools;                /* a PostgreSQL array, "{merge,split}"; NULL: all tools */
    struct postgres_bell *bell; /* NULL: this store does not listen */
    atomic_bool alone;          /* no other server was alive at the last check */
    /* Calls that can share a transaction. */
    struct postgres_batch puts_batch, ends_batch;
    struct postgres_group *puts, *ends, *claims;
};

static inline struct store_postgres *store_postgres_of(struct store *store)
{
    return (struct store_postgres *) store;
}

/* store_postgres_clock.c: sets the process's wall clock to that of the database. */
int store_postgres_read_clock(struct store_postgres *s, struct err *err);
/* The same from a response: the database's clock was at `theirs` (Unix ms) at some time between two
 * values of clock_system_ms, `before` and `after`. */
void store_postgres_follow_clock(int64_t before, int64_t theirs, int64_t after);

/* store_postgres_jobs.c */
int store_postgres_put(struct store *store, const struct job *job, const struct store_terms *terms,
                       struct store_receipt *receipt, struct err *err);
int store_postgres_find(struct store *store, const char *id, struct job *job, struct err *err);
int store_postgres_files(struct store *store, const char *id, int which, struct buf *out,
                         struct err *err);
int store_postgres_list(struct store *store, int64_t key_id, const struct store_page *page,
                        struct store_jobs *jobs, struct err *err);
int store_postgres_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                          struct err *err);
int store_postgres_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                          struct err *err);
int store_postgres_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                          struct err *err);
int store_postgres_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err);
int store_postgres_watch(struct store *store, const char ids[][ID_TEXT], size_t n,
                         struct store_news *news, struct err *err);
int store_postgres_oldest(struct store *store, int64_t *created_at, struct err *err);

/* store_postgres_lease.c */
int store_postgres_claim(struct store *store, int64_t now, int64_t lease_ms,
                         const struct store_choice *choice, struct job *job, struct err *err);
int store_postgres_heartbeat(struct store *store, const char *id, int32_t attempt,
                             int64_t lease_until, double progress, struct err *err);
int store_postgres_finish(struct store *store, const char *id, int32_t attempt,
                          const struct store_end *end, struct err *err);
int store_postgres_fetched(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                           int64_t bytes, const char *inputs_json, struct err *err);
int store_postgres_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                           bool spared, struct err *err);
int store_postgres_reclaim(struct store *store, int64_t now, struct err *err);
int store_postgres_limit(struct store *store, const char *const *tools, size_t n, struct err *err);
int store_postgres_beat(struct store *store, int64_t lease_ms, unsigned roles,
                        struct store_held *held, size_t n, struct store_pulse *pulse,
                        struct err *err);
/* Executes a batch of claims, for postgres_group. */
void store_postgres_claim_batch(void *store, struct postgres_member *members);

/* store_postgres_keys.c */
#define STORE_POSTGRES_KEY                                                                         \
    "account, created_at, valid_until, prefix, keys.digest, name, plan, parent, tools, addresses"
/* The key whose columns, those above, begin at a column of a row. */
void store_postgres_read_key(const PGresult *r, int row, int column, struct key *key);
int store_postgres_key_add(struct store *store, struct key *key, struct err *err);
int store_postgres_key_find(struct store *store, const char *digest, struct key *key,
                            struct err *err);
int store_postgres_key_list(struct store *store, struct store_keys *keys, struct err *err);
int store_postgres_key_end(struct store *store, const char *prefix, int64_t valid_until,
                           struct key *key, struct err *err);
int store_postgres_key_move(struct store *store, const char *prefix, const char *plan,
                            struct key *key, struct err *err);
int store_postgres_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                              struct err *err);
int store_postgres_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                         struct err *err);
int store_postgres_permit(struct store *store, int64_t account, int64_t limit, int64_t want,
                          struct store_permits *permits, struct err *err);
int store_postgres_secret_list(struct store *store, int64_t key_id, int64_t now,
                               struct store_secret secrets[static STORE_SECRETS], size_t *n,
                               struct err *err);
int store_postgres_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                              int64_t old_until, struct err *err);

/* store_postgres_deliveries.c */
int store_postgres_delivery_claim(struct store *store, int64_t now, size_t limit,
                                  struct store_deliveries *deliveries, struct err *err);
int store_postgres_delivery_settle(struct store *store, const struct store_outcome *outcomes,
                                   size_t n, struct err *err);
int store_postgres_delivery_reclaim(struct store *store, struct err *err);
int store_postgres_delivery_next(struct store *store, int64_t *next_at, struct err *err);
int store_postgres_delivery_list(struct store *store, const char *job_id,
                                 struct store_deliveries *deliveries, struct err *err);
int store_postgres_delivery_page(struct store *store, int64_t key_id,
                                 const struct store_delivery_page *page,
                                 struct store_deliveries *deliveries, struct err *err);
int store_postgres_delivery_again(struct store *store, const char *job_id, const char *id,
                                  int64_t now, struct err *err);

/* postgres_job.c: reads a row of platen.job_row's result, copying its texts. On failure there is
 * nothing to free. */
int postgres_job_read(const PGresult *result, int row, struct job *job, struct err *err);
