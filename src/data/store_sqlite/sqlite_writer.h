/*
 * sqlite_writer: the only thread that writes to the database. It executes all waiting requests in
 * one transaction, commits once and answers each: requests that arrive during one sync of the disk
 * share the next one (group commit).
 */
#pragma once

#include "data/store_sqlite/sqlite_db.h"

struct sqlite_writer;

/* Starts the thread, which takes ownership of the connection. NULL on failure, and the caller still
 * owns *db. */
struct sqlite_writer *sqlite_writer_start(struct sqlite_db *db, struct err *err);
/* Executes what still waits, ends the thread and closes the connection. */
void sqlite_writer_stop(struct sqlite_writer *writer);

/*
 * Runs work(db, arg, err) in the next transaction and returns its result, once that is durable. A
 * negative result means that nothing was done, and err says why, also when `work` succeeded and the
 * commit failed: what `work` wrote to arg must then be dropped.
 */
int sqlite_writer_do(struct sqlite_writer *writer,
                     int (*work)(struct sqlite_db *db, void *arg, struct err *err), void *arg,
                     struct err *err);
/*
 * The same for changes that need to survive the end of a process but not a power cut: if nothing
 * else is in the transaction, the disk is not waited for. A later durable commit makes it durable,
 * too.
 */
int sqlite_writer_do_unsynced(struct sqlite_writer *writer,
                              int (*work)(struct sqlite_db *db, void *arg, struct err *err),
                              void *arg, struct err *err);
