/* sqlite_schema: the tables of the SQLite store, and how each version of them becomes the next. */
#pragma once

#include "store/sqlite_db.h"

/*
 * Brings the database to the newest version, in one transaction. Several processes may try at the
 * same time. A database of a version yet unknown is refused and left as it is. Before one with
 * content is changed a copy of it is kept beside it, as FILE.v1 where 1 is its version.
 */
int sqlite_schema_apply(struct sqlite_db *db, struct err *err);
/* The migrations it applies: list[i] turns version i into version i + 1. */
const char *const *sqlite_schema_migrations(void);
/* The same with other migrations, for tests: list[n] turns version n into version n + 1. */
int sqlite_schema_bring(struct sqlite_db *db, const char *const *list, size_t n, struct err *err);

/* Removes the copies of the database at `path` that were made before a time (Unix ms): they hold
 * what has been erased since. */
void sqlite_schema_drop_copies(const char *path, int64_t before);

/* The version it is brought to. */
int sqlite_schema_newest(void);
