/* sqlite_delivery: rows of deliveries and of their hosts. */
#pragma once

#include "data/job/delivery.h"
#include "data/job/job.h"
#include "data/store_sqlite/sqlite_db.h"

/* The beginning of a query whose rows sqlite_delivery_read can read. */
#define SQLITE_DELIVERY_SELECT                                                                     \
    "SELECT id, job, account, url, state, attempts, tries, created_at, since, next_at, last_at,"   \
    " http_status, duration_ms, error, excerpt FROM deliveries "
#define SQLITE_DELIVERY_COLUMNS 15 /* number of the columns above */

/* Reads the current row of a query, copying its texts. On failure there is nothing to free. */
int sqlite_delivery_read(sqlite3_stmt *stmt, struct delivery *delivery, struct err *err);

/* Begins the delivery of a job that has just ended and has a callback_url; does nothing for
 * others. It waits for shipments of the job (data/store/store_shipments.h). */
int sqlite_delivery_begin(struct sqlite_db *db, const struct job *job, struct err *err);
/* Drops the deliveries and shipments of a job that is removed. */
int sqlite_delivery_drop(struct sqlite_db *db, const struct job *job, struct err *err);

/* Updates when the next delivery of an account to a host may be claimed, and the next of the
 * account. To be called after each change of one of them. */
int sqlite_delivery_host(struct sqlite_db *db, int64_t account, const char *host, struct err *err);
/* The same for a host that may have had no delivery before. */
int sqlite_delivery_open_host(struct sqlite_db *db, int64_t account, const char *host,
                              struct err *err);
