/*
 * sqlite_writer: the one thread that writes to the database. It takes all requests that wait, does
 * them in one transaction, commits once and answers each: a sync of the disk is shared by all who
 * came while the last one ran (group commit).
 */
#pragma once

#include "store/sqlite_db.h"

struct sqlite_writer;

/* Takes the connection over. NULL on failure, and *db stays the caller's. */
struct sqlite_writer *sqlite_writer_start(struct sqlite_db *db, struct err *err);
/* Does what still waits, ends the thread and closes the connection. */
void sqlite_writer_stop(struct sqlite_writer *writer);

/*
 * Runs work(db, arg, err) in the next transaction and returns what it returned, once that is
 * durable. Below 0: nothing of it was done, err says why, also when it was the commit that failed
 * after `work` had succeeded: what `work` wrote to arg must then be thrown away.
 */
int sqlite_writer_do(struct sqlite_writer *writer,
                     int (*work)(struct sqlite_db *db, void *arg, struct err *err), void *arg,
                     struct err *err);
/*
 * The same for what need not survive a power cut, only the end of any process: when nothing else is
 * in its transaction the disk is not waited for. Whatever is committed durably later takes it
 * along.
 */
int sqlite_writer_do_unsynced(struct sqlite_writer *writer,
                              int (*work)(struct sqlite_db *db, void *arg, struct err *err),
                              void *arg, struct err *err);
