/* sqlite_readers: a pool of read-only connections, so that reads never wait for writes. */
#pragma once

#include "data/store_sqlite/sqlite_db.h"

struct sqlite_readers;

/* Makes a pool for the database at `path`, which must exist; connections are opened as they are
 * needed. */
struct sqlite_readers *sqlite_readers_new(const char *path, struct err *err);
/* Closes all connections; none may be in use. */
void sqlite_readers_free(struct sqlite_readers *readers);

/* A connection for one read, until the end of the scope:
 *     AUTO_READ read = sqlite_readers_begin(readers, err);
 * Waits while all are in use; db is NULL on failure. */
struct sqlite_read {
    struct sqlite_readers *readers;
    struct sqlite_db *db;
};
struct sqlite_read sqlite_readers_begin(struct sqlite_readers *readers, struct err *err);
void sqlite_readers_end(struct sqlite_read *read);
#define AUTO_READ __attribute__((cleanup(sqlite_readers_end))) struct sqlite_read
