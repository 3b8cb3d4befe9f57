/*
 * store_shipments: results that are sent to addresses which their clients named (outputUrl,
 * outputUrls): one shipment for each address. The addresses themselves are secrets, and never in
 * the store. A separate part of the store's interface; the promises of store.h hold here, too.
 *     WAITING <-> SENDING -> DONE or FAILED
 */
#pragma once

#include "data/store/store.h"

#define STORE_SHIPMENT_ERROR 200 /* room for a sentence with its NUL */
#define STORE_SHIPMENT_WHOLE (-1)

/* Shipments of one account that are sent at the same time. */
#define STORE_SHIPMENT_WIDTH 4
/* A webhook of a job whose result is sent waits this long for the end of that. */
#define STORE_SHIPMENT_HOLD_MS 60000

enum shipment_state { SHIPMENT_WAITING, SHIPMENT_SENDING, SHIPMENT_DONE, SHIPMENT_FAILED };

struct store_shipment {
    char id[ID_TEXT];
    char job_id[ID_TEXT];
    int64_t key_id;
    int32_t part;             /* of the result, from 0; STORE_SHIPMENT_WHOLE: all of it */
    char host[DELIVERY_HOST]; /* scheme, host and port of its address */
    enum shipment_state state;
    int32_t attempts; /* in all; also the fencing token of the latest claim */
    /* Unix milliseconds; 0: not yet. While it is SENDING, next_at is when its claim ends. */
    int64_t created_at, next_at, last_at;
    int64_t duration_ms;              /* of the last attempt, as is what follows */
    int32_t http_status;              /* 0: there was no response */
    char error[STORE_SHIPMENT_ERROR]; /* one plain sentence; "" when it was sent */
};

struct store_shipments {
    struct store_shipment *list;
    size_t n;
};
void store_shipments_free(struct store_shipments *shipments);
#define AUTO_SHIPMENTS __attribute__((cleanup(store_shipments_free)))

struct store_shipment_ops {
    int (*put)(struct store *store, const struct store_shipments *shipments, struct err *err);
    int (*claim)(struct store *store, int64_t now, int64_t until, struct store_shipment *shipment,
                 struct err *err);
    int (*renew)(struct store *store, const struct store_shipment *shipment, int64_t until,
                 struct err *err);
    int (*settle)(struct store *store, const struct store_shipment *shipment, int64_t now,
                  struct err *err);
    int (*next)(struct store *store, int64_t *next_at, struct err *err);
    int (*reclaim)(struct store *store, int64_t now, struct err *err);
    int (*list)(struct store *store, const char *job_id, struct store_shipments *shipments,
                struct err *err);
};

/* Adds the shipments of a job, in the place of those that it has. They are claimed once the job is
 * completed, and erased with it. */
int store_shipment_put(struct store *store, const struct store_shipments *shipments,
                       struct err *err);
/* Claims the shipment that has waited longest (next_at <= now) of the account that sends fewest,
 * up to STORE_SHIPMENT_WIDTH; also one whose claim ended without a result. 1: claimed until that
 * time; 0: there is none. */
int store_shipment_claim(struct store *store, int64_t now, int64_t until,
                         struct store_shipment *shipment, struct err *err);
/* Renews a claim. 1: done; 0: another server has it, or the job is gone. */
int store_shipment_renew(struct store *store, const struct store_shipment *shipment, int64_t until,
                         struct err *err);
/* Stores the result of an attempt: state (any but SENDING), next_at, last_at, duration_ms,
 * http_status and error. When no other of the job waits any more, the webhook of the job is due
 * `now`, once more if it was sent before. 1: done; 0: the claim was lost. */
int store_shipment_settle(struct store *store, const struct store_shipment *shipment, int64_t now,
                          struct err *err);
/* When the next shipment is due; 0: none waits. It may be one that cannot be claimed yet. */
int store_shipment_next(struct store *store, int64_t *next_at, struct err *err);
/* When the server starts: those that it was sending are due again. A shared store, where others may
 * be sending them, waits for the ends of their claims. */
int store_shipment_reclaim(struct store *store, int64_t now, struct err *err);
/* The shipments of a job, in the order of their parts. */
int store_shipment_list(struct store *store, const char *job_id, struct store_shipments *shipments,
                        struct err *err);

/* What a client sees of one, and of all of a job: "pending", "done", "failed". */
const char *store_shipment_status(enum shipment_state state);
const char *store_shipments_status(const struct store_shipments *shipments);
/* Appends a copy. ERR_INTERNAL without memory. */
int store_shipments_add(struct store_shipments *shipments, const struct store_shipment *shipment,
                        struct err *err);

/* The implementations. */
extern const struct store_shipment_ops store_sqlite_shipments, store_postgres_shipments;
