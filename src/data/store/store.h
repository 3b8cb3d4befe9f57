/*
 * store: all data that must survive a crash, a kill -9 and a power cut: jobs, deliveries, keys and
 * usage.
 *
 * Every function returns only when what it did is durable (except claims, heartbeats and the ends
 * of deliveries, which need not survive a power cut: the job is then pending again, the delivery
 * sent again), may block on the disk, and may be called from any thread. This header is the
 * specification of two implementations: SQLite (store_sqlite), and PostgreSQL (store_postgres),
 * which several servers can share. One contract test runs against both. Promises about costs are
 * for SQLite.
 *
 * A claim is a lease: the claimer owns the job until `lease_until` and renews it with heartbeats; a
 * server of a shared store renews all its claims at once (store_beat). Its attempt number is the
 * fencing token: a worker whose lease expired and whose job was claimed again cannot finish it
 * (Kleppmann, "How to do distributed locking").
 *
 * Times are Unix milliseconds, given by the caller.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/account/key.h"
#include "data/job/delivery.h"
#include "data/job/job.h"

struct store;

struct usage {
    int64_t requests, bytes;
};

/*
 * Files of a small job are kept in the store, because a write to a table that is made durable
 * anyway costs a fraction of a separate file. Limit in bytes of all inputs together (in their
 * order, one after the other), and likewise of the result.
 */
#define STORE_SMALL ((size_t) 64 << 10)

/* The conditions of a job's insertion, checked in the same transaction. */
struct store_terms {
    /* first millisecond of the month that the job is charged to (clock_month_start) */
    int64_t month;
    int64_t max_requests, max_bytes, max_unfinished;
    const char *idempotency_key; /* NULL: none */
    const char *fingerprint;     /* digest of the whole request's content, with idempotency_key */
    const void *inputs; /* the bytes of all its inputs (job.input_bytes); NULL: they are blobs */
};

struct store_receipt {
    bool replayed;        /* the idempotency key was used before with the same fingerprint */
    char job_id[ID_TEXT]; /* the new job's, or the first job's when replayed */
    struct usage usage;   /* of the month, including the job */
};

/* Which jobs may be claimed. */
struct store_choice {
    const int64_t *passed; /* only jobs of other accounts than these */
    size_t n_passed;
    bool brief; /* only short jobs */
};

/* How a job ended; the members of one of the two states are set. */
struct store_end {
    enum job_state state; /* JOB_COMPLETED or JOB_FAILED */
    int64_t finished_at, expires_at, duration_ms;
    /* For JOB_COMPLETED. */
    const char *output_name, *outputs_json, *warnings_json;
    int64_t output_bytes;
    const void *result; /* its bytes; NULL: it is a blob */
    /* For JOB_FAILED. */
    enum err_code code;
    const char *message;
    const char *field; /* at fault; NULL: none is known */
    bool charged;      /* quota is not given back, although job_is_refunded(code) */
};

/* The selection of a key's jobs for store_list. */
struct store_page {
    const char *before;     /* only jobs older than this one; NULL: from the newest */
    int status;             /* only with the same job_status as this job_state; -1: any */
    const char *client_ref; /* only with this client_ref; NULL: any */
    const char *tool;       /* only of this tool; NULL: any */
    int64_t after, until;   /* after <= created_at < until; until 0: no end */
    size_t limit;
};

struct store_jobs {
    struct job *list;
    size_t n;
};
void store_jobs_free(struct store_jobs *jobs);
#define AUTO_STORE_JOBS __attribute__((cleanup(store_jobs_free)))

struct store_keys {
    struct key *list;
    size_t n;
};
void store_keys_free(struct store_keys *keys);
#define AUTO_STORE_KEYS __attribute__((cleanup(store_keys_free)))

struct store_deliveries {
    struct delivery *list;
    size_t n;
};
void store_deliveries_free(struct store_deliveries *deliveries);
#define AUTO_STORE_DELIVERIES __attribute__((cleanup(store_deliveries_free)))

/* Which of an account's deliveries store_delivery_page gives. */
struct store_delivery_page {
    const char *before; /* older than this delivery; NULL: from the newest */
    int status; /* of one delivery_state (any that shares its delivery_status); -1: of all */
    size_t limit;
};

/* The result of an attempt to deliver. */
struct store_outcome {
    int64_t at, duration_ms;
    int64_t next_at;           /* for DELIVERY_WAITING */
    const char *error;         /* NULL: none */
    const char *excerpt;       /* NULL: none */
    int32_t http_status;       /* 0: none */
    enum delivery_state state; /* any but DELIVERY_SENDING */
    char id[ID_TEXT];          /* the delivery's */
    /* there was no response at all: deliveries to its host are sent one at a time */
    bool unreachable;
};

/* Limits of the deliveries in flight of one account: to one host, and to all hosts together. A
 * host that is slow or cannot be reached gets 1. */
#define STORE_HOST_WIDTH    16
#define STORE_ACCOUNT_WIDTH 32

/* A secret that webhooks of an account are signed with. Two are valid while one is replaced. */
#define STORE_SECRET 128
struct store_secret {
    char text[STORE_SECRET];         /* "whsec_..." */
    int64_t created_at, valid_until; /* Unix ms; 0: no end */
};
#define STORE_SECRETS 8 /* limit of the secrets that are used, the newest first */

/* The state of a job that another server may run. */
struct store_news {
    double progress;
    int32_t attempt; /* 0: it waits */
    bool over;       /* it has ended or was removed */
};

/* What a server does; both, or one of them. */
enum store_role { STORE_WORKS = 1 /* claims jobs */, STORE_SERVES = 2 /* answers the API */ };

/* A server that shares the store. */
struct store_node {
    char host[65];             /* name of its machine */
    bool own;                  /* it is the calling server */
    int64_t began_at, seen_at; /* Unix ms */
    int64_t running;           /* number of jobs that it runs */
    unsigned roles;            /* of enum store_role */
};

/* A job that a server runs, for store_beat. */
struct store_held {
    char id[ID_TEXT];
    int32_t attempt;
    double progress;
    bool lost; /* set by the store: another server has it now, or it was deleted */
};

/* What a server learns when it renews its lease. */
struct store_pulse {
    int64_t pending; /* number of waiting jobs, at most some seconds old */
    int reclaimed;   /* jobs of lost servers that were put back by this call */
    bool due;        /* a job waits that this server may run */
    bool chosen;     /* this server does periodic work for all, such as expiring jobs */
    bool alone;      /* no other server is alive */
    int64_t others;  /* number of other live servers */
};

/* The jobs of an account that all servers of the store accept in a minute are counted in cells. */
#define STORE_PERMIT_CELL_MS 500
#define STORE_PERMIT_CELLS   121 /* that the last minute lies in */
struct store_permits {
    int64_t granted; /* jobs that the caller may accept */
    int64_t used;    /* permits of the last minute, including these */
    int64_t wait_ms; /* until one is free, if none was granted */
};

/* Events that servers signal to each other with store_ring. */
#define STORE_RING_JOBS 1u /* a job waits */
#define STORE_RING_ENDS 2u /* a job has ended */

struct store_upload_ops;   /* data/store/store_uploads.h */
struct store_session_ops;  /* data/store/store_sessions.h */
struct store_shipment_ops; /* data/store/store_shipments.h */
struct store_workflow_ops; /* data/store/store_workflows.h */

struct store_ops {
    const struct store_upload_ops *uploads;
    const struct store_session_ops *sessions;
    const struct store_shipment_ops *shipments;
    const struct store_workflow_ops *workflows;
    void (*close)(struct store *store);
    int (*put)(struct store *store, const struct job *job, const struct store_terms *terms,
               struct store_receipt *receipt, struct err *err);
    int (*claim)(struct store *store, int64_t now, int64_t lease_ms,
                 const struct store_choice *choice, struct job *job, struct err *err);
    int (*heartbeat)(struct store *store, const char *id, int32_t attempt, int64_t lease_until,
                     double progress, struct err *err);
    int (*finish)(struct store *store, const char *id, int32_t attempt, const struct store_end *end,
                  struct err *err);
    int (*fetched)(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                   int64_t bytes, const char *inputs_json, struct err *err);
    int (*release)(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                   bool spared, struct err *err);
    int (*reclaim)(struct store *store, int64_t now, struct err *err);
    int (*find)(struct store *store, const char *id, struct job *job, struct err *err);
    int (*files)(struct store *store, const char *id, int which, struct buf *out, struct err *err);
    int (*list)(struct store *store, int64_t key_id, const struct store_page *page,
                struct store_jobs *jobs, struct err *err);
    int (*remove)(struct store *store, const char *id, int64_t key_id, struct job *job,
                  struct err *err);
    int (*expire)(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                  struct err *err);
    int (*forget)(struct store *store, int64_t idempotency_before, int64_t expired_before,
                  struct err *err);
    int (*depth)(struct store *store, int64_t *pending, int64_t *running, struct err *err);
    int (*oldest)(struct store *store, int64_t *created_at, struct err *err);

    int (*key_add)(struct store *store, struct key *key, struct err *err);
    int (*key_find)(struct store *store, const char *digest, struct key *key, struct err *err);
    int (*key_list)(struct store *store, struct store_keys *keys, struct err *err);
    int (*key_end)(struct store *store, const char *prefix, int64_t valid_until, struct key *key,
                   struct err *err);
    int (*key_move)(struct store *store, const char *prefix, const char *plan, struct key *key,
                    struct err *err);
    int (*key_remove)(struct store *store, const char *prefix, int64_t now, struct key *key,
                      struct err *err);
    int (*usage)(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                 struct err *err);

    int (*delivery_claim)(struct store *store, int64_t now, size_t limit,
                          struct store_deliveries *deliveries, struct err *err);
    int (*delivery_settle)(struct store *store, const struct store_outcome *outcomes, size_t n,
                           struct err *err);
    int (*delivery_reclaim)(struct store *store, struct err *err);
    int (*delivery_next)(struct store *store, int64_t *next_at, struct err *err);
    int (*delivery_list)(struct store *store, const char *job_id,
                         struct store_deliveries *deliveries, struct err *err);
    int (*delivery_page)(struct store *store, int64_t key_id,
                         const struct store_delivery_page *page,
                         struct store_deliveries *deliveries, struct err *err);
    int (*delivery_again)(struct store *store, const char *job_id, const char *id, int64_t now,
                          struct err *err);
    int (*secret_list)(struct store *store, int64_t key_id, int64_t now,
                       struct store_secret secrets[static STORE_SECRETS], size_t *n,
                       struct err *err);
    int (*secret_add)(struct store *store, int64_t key_id, const char *text, int64_t now,
                      int64_t old_until, struct err *err);

    /* Only in a store that several servers share. */
    int (*watch)(struct store *store, const char ids[][ID_TEXT], size_t n, struct store_news *news,
                 struct err *err);
    int (*nodes)(struct store *store, struct store_node *nodes, size_t most, struct err *err);
    int (*share)(struct store *store, const char *name, char *text, size_t size, struct err *err);
    int (*limit)(struct store *store, const char *const *tools, size_t n, struct err *err);
    int (*permit)(struct store *store, int64_t account, int64_t limit, int64_t want,
                  struct store_permits *permits, struct err *err);
    int (*beat)(struct store *store, int64_t lease_ms, unsigned roles, struct store_held *held,
                size_t n, struct store_pulse *pulse, struct err *err);
    int (*listen)(struct store *store, void (*heard)(void *arg, unsigned what), void *arg,
                  struct err *err);
    bool (*ring)(struct store *store, unsigned what);
};

struct store {
    const struct store_ops *ops;
};

void store_close(struct store *store);

/* Whether other servers may be working on the same jobs. */
bool store_is_shared(const struct store *store);
/* The states of n jobs, in their order. Only for a shared store. */
int store_watch(struct store *store, const char ids[][ID_TEXT], size_t n, struct store_news *news,
                struct err *err);
/* The servers that share the store, oldest first, up to `most`. Returns how many, or -1. Only
 * for a shared store. */
int store_nodes(struct store *store, struct store_node *nodes, size_t most, struct err *err);
/* Restricts this opening of the store to claim only jobs of these tools; n 0: of all. Only for a
 * shared store. */
int store_limit(struct store *store, const char *const *tools, size_t n, struct err *err);
/*
 * Renews the lease of the n jobs that this server runs for lease_ms from now on: none of them is
 * reclaimed while it lasts, whatever `lease_until` they were claimed with. Stores their progress. A
 * job that it claimed and does not name is put back soon after its own `lease_until`: the response
 * to its claim or its end was lost. `roles`: what the server does. Jobs of servers whose leases
 * have ended are put back. Costs one statement; one server in each second does a little more. Only
 * for a shared store.
 */
int store_beat(struct store *store, int64_t lease_ms, unsigned roles, struct store_held *held,
               size_t n, struct store_pulse *pulse, struct err *err);
/* From now on a thread of the store calls `heard` when other servers rang; it must return at
 * once. May be called once. Does nothing for a store that is not shared. */
int store_listen(struct store *store, void (*heard)(void *arg, unsigned what), void *arg,
                 struct err *err);
/* Notifies other servers of an event soon (STORE_RING_...), and returns at once. The result is
 * whether their notifications arrive, too; `what` 0 only asks that. */
bool store_ring(struct store *store, unsigned what);
/* Sets `text` to the value that the servers of the store share under a name, which is that of
 * the first server. Does nothing for a store that is not shared. */
int store_share(struct store *store, const char *name, char *text, size_t size, struct err *err);

/* Asks for permits to accept up to `want` jobs of an account, of which all servers together accept
 * `limit` a minute; fewer are granted when little is left. Only for a shared store. */
int store_permit(struct store *store, int64_t account, int64_t limit, int64_t want,
                 struct store_permits *permits, struct err *err);

/* Starts the series of platen_store_errors_total at 0, one for each operation: an alert on
 * increase() cannot see a counter whose first value is 1. */
void store_count_from_zero(void);

/*
 * Inserts a pending job (using its id, key_id, tool, stem, params_json, inputs_json, n_inputs,
 * has_secret, input_bytes, reused_bytes, retention_ms, client_ref, callback_url, callback_base,
 * created_at, run_at), charges one request and its job_counted_bytes to the month's quota and
 * stores the idempotency key, or does nothing at all: ERR_QUOTA_EXCEEDED (err->field "requests" or
 * "data"), ERR_TOO_MANY_JOBS, ERR_IDEMPOTENCY_CONFLICT (same idempotency key, other fingerprint),
 * ERR_NOT_FOUND if key_id is not an account of store_key_add. A replay inserts and charges nothing,
 * and is detected before the quota is checked, until store_forget, whatever happened to the first
 * job. The receipt is valid only on success.
 */
int store_put(struct store *store, const struct job *job, const struct store_terms *terms,
              struct store_receipt *receipt, struct err *err);

/*
 * Claims the next pending job (run_at <= now): RUNNING, attempt + 1, lease_until = now + lease_ms,
 * started_at set the first time. 1: *job is filled, the caller frees it; 0: there is none; -1: an
 * error. Two callers never get the same job; the cost does not grow with the number of jobs.
 *
 * Accounts share machine time, not numbers of jobs: the next job is of the account whose jobs got
 * the least time so far (cost_ms when a job is claimed, corrected by duration_ms when it has
 * ended). Time in which an account had no job is not saved up. This is start-time fair queueing
 * (Goyal, Vin and Cheng, 1996).
 *
 * Within an account, while short jobs (cost_ms below STORE_LONG_MS) and long ones both wait, each
 * kind gets half of its time, the short ones first; within a kind, the job that has waited longest
 * is next (run_at, then id).
 *
 * `choice`: only of these jobs; NULL: of all.
 */
#define STORE_LONG_MS 1000
int store_claim(struct store *store, int64_t now, int64_t lease_ms,
                const struct store_choice *choice, struct job *job, struct err *err);

/* Renews a lease and stores the progress. 1: done; 0: the lease was lost, or the job deleted. */
int store_heartbeat(struct store *store, const char *id, int32_t attempt, int64_t lease_until,
                    double progress, struct err *err);

/* Ends a running job whose latest attempt is `attempt`; gives quota back, to the month it was
 * charged to, if job_is_refunded(code) and it is not `charged`. Inputs in the store are erased. A
 * completed job's progress is 1. A job with a callback_url gets a delivery, which is due at once.
 * 1: done; 0: the lease was lost, and nothing was changed. */
int store_finish(struct store *store, const char *id, int32_t attempt, const struct store_end *end,
                 struct err *err);

/* Puts a running job back: PENDING, not before run_at, progress 0. The attempt number is used
 * up; `spared`: it does not count as one of the job's attempts. 1: done; 0: the lease was lost. */
int store_release(struct store *store, const char *id, int32_t attempt, int64_t run_at, bool spared,
                  struct err *err);

/* Puts a running job back whose files were fetched: PENDING, not before run_at, like store_release
 * with `spared`. Its inputs_json is replaced, and `bytes` are added to its input_bytes and to what
 * its account used in the month that the job was charged to. 1: done; 0: the lease was lost. */
int store_fetched(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                  int64_t bytes, const char *inputs_json, struct err *err);

/* A pending job whose run_at is further ahead was stored before the clock was set back. */
#define STORE_AHEAD_MS 60000

/* Puts back every running job whose lease ended before now, like store_release but with its old
 * run_at. Returns how many, or -1. A pending job with a run_at more than STORE_AHEAD_MS after
 * now gets now as its run_at, because the clock was set back. */
int store_reclaim(struct store *store, int64_t now, struct err *err);

/* Finds a job by its id. 1: *job is filled, the caller frees it; 0: there is none. An EXPIRED job
 * has no texts. */
int store_find(struct store *store, const char *id, struct job *job, struct err *err);

/* Appends the bytes that the store keeps with a job to *out; `which` is JOB_HAS_INPUTS or
 * JOB_HAS_RESULT. 1: done; 0: the store has none of this job, or they were erased. */
int store_files(struct store *store, const char *id, int which, struct buf *out, struct err *err);

/* A key's jobs, newest first, without expired ones. */
int store_list(struct store *store, int64_t key_id, const struct store_page *page,
               struct store_jobs *jobs, struct err *err);

/* Deletes a key's job in any state but EXPIRED, and its delivery, and returns it, so that its
 * blobs can be removed; gives quota back if it was never started. The fingerprint of its
 * idempotency key is erased: any later request with that key counts as the same. 1: done; 0:
 * there is none. */
int store_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                 struct err *err);

/* Moves up to `limit` ended jobs whose expires_at has passed (<= now) to EXPIRED and returns
 * them with what is needed to remove their blobs (id, n_inputs, has_secret, attempt); all their
 * texts are erased, here and in the store, and their deliveries. */
int store_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                 struct err *err);

/* Erases idempotency keys older than one time, and the rows of EXPIRED jobs whose expires_at is
 * before another. 0: no file of the store contains a text that was erased or removed before; 1:
 * a reader prevented that, and it must be repeated. */
int store_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                 struct err *err);

/* The numbers of waiting and running jobs. The cost does not grow with them. */
int store_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err);

/* When the pending job that has waited longest was stored; 0 if none waits. (A job that was put
 * back counts once it is the first of its account again.) The cost grows with the accounts that
 * wait, not with their jobs. */
int store_oldest(struct store *store, int64_t *created_at, struct err *err);

/* Adds a key. id 0: a new account, and key->id is set; else another key of that account,
 * ERR_NOT_FOUND if there is none. Its prefix and its digest must be new. */
int store_key_add(struct store *store, struct key *key, struct err *err);
/* Finds the key with this digest, valid or not. 1: filled; 0: there is none. */
int store_key_find(struct store *store, const char *digest, struct key *key, struct err *err);
/* All keys, in the order in which they were added. */
int store_key_list(struct store *store, struct store_keys *keys, struct err *err);
/* Ends a key by its prefix: valid_until becomes the earlier of its old value and this. 1: *key
 * is filled; 0: there is none. */
int store_key_end(struct store *store, const char *prefix, int64_t valid_until, struct key *key,
                  struct err *err);

/* Moves the account of a key, with all its keys, to another plan (less than KEY_PLAN bytes). 1:
 * *key is filled; 0: there is none. */
int store_key_move(struct store *store, const char *prefix, const char *plan, struct key *key,
                   struct err *err);
/* Erases a key that has ended (valid_until <= now), and its sessions; with the last key of an
 * account also its usage and its secrets. ERR_INVALID_REQUEST if the key is still valid, or if it
 * is the last one and the account has unfinished jobs or webhooks to send. 1: *key is what it was;
 * 0: there is none. */
int store_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                     struct err *err);

/* The usage of an account in the month that begins at `month`. */
int store_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                struct err *err);

/*
 * Claims up to `limit` deliveries that are due (next_at <= now). Accounts take turns; of an
 * account's, the one that has waited longest is next. At most STORE_ACCOUNT_WIDTH of an account are
 * then in flight, and an account that has some in flight gets another only while fewer than the
 * rest of `limit` are: however many accounts have receivers that never answer, places are left for
 * others. At most STORE_HOST_WIDTH of them are to one host, or 1 if the last outcome there was
 * `unreachable`: they are SENDING until they are settled. The cost does not grow with the
 * number that wait, even for one unreachable host.
 */
int store_delivery_claim(struct store *store, int64_t now, size_t limit,
                         struct store_deliveries *deliveries, struct err *err);
/* Stores the outcomes of deliveries that are SENDING, and counts one attempt for each. Others
 * are ignored: their job was deleted. */
int store_delivery_settle(struct store *store, const struct store_outcome *outcomes, size_t n,
                          struct err *err);
/* Makes deliveries that are SENDING wait again, because the server that sent them is gone.
 * Returns how many, or -1. */
int store_delivery_reclaim(struct store *store, struct err *err);
/* When the next delivery can be claimed; 0: none waits, or only until others of its host or
 * account are settled. */
int store_delivery_next(struct store *store, int64_t *next_at, struct err *err);
/* The deliveries of a job. */
int store_delivery_list(struct store *store, const char *job_id,
                        struct store_deliveries *deliveries, struct err *err);
/* Lists an account's deliveries, the newest first, with the states of their jobs. */
int store_delivery_page(struct store *store, int64_t key_id, const struct store_delivery_page *page,
                        struct store_deliveries *deliveries, struct err *err);
/* Repeats a delivery, or sends it sooner, as if it had just begun; one that is SENDING is not
 * changed. 1: done; 0: there is none. */
int store_delivery_again(struct store *store, const char *job_id, const char *id, int64_t now,
                         struct err *err);

/* The valid secrets of an account, the newest first. */
int store_secret_list(struct store *store, int64_t key_id, int64_t now,
                      struct store_secret secrets[static STORE_SECRETS], size_t *n,
                      struct err *err);
/* Adds a secret; existing ones end at old_until, unless they end before. ERR_NOT_FOUND if there
 * is no such account. */
int store_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                     int64_t old_until, struct err *err);
