/* sqlite_delivery: deliveries as rows, and the hosts they go to. */
#pragma once

#include "job/delivery.h"
#include "job/job.h"
#include "store/sqlite_db.h"

/* What a query of deliveries begins with; its rows are what sqlite_delivery_read reads. */
#define SQLITE_DELIVERY_SELECT                                                                     \
    "SELECT id, job, account, url, state, attempts, tries, created_at, since, next_at, last_at,"   \
    " http_status, duration_ms, error, excerpt FROM deliveries "

/* The row a query stands at, with texts of its own. On failure there is nothing to free. */
int sqlite_delivery_read(sqlite3_stmt *stmt, struct delivery *delivery, struct err *err);

/* Of a job that has just ended and has a callback_url; does nothing for others. */
int sqlite_delivery_begin(struct sqlite_db *db, const struct job *job, struct err *err);
/* Of a job that goes. */
int sqlite_delivery_drop(struct sqlite_db *db, const struct job *job, struct err *err);

/* Says anew when the next delivery of an account to a host may be claimed, and the next of the
 * account: after each change of one of them. */
int sqlite_delivery_host(struct sqlite_db *db, int64_t account, const char *host, struct err *err);
/* The same, of a host that may have had no delivery before. */
int sqlite_delivery_open_host(struct sqlite_db *db, int64_t account, const char *host,
                              struct err *err);
