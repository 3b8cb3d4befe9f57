/* sqlite_schema: the tables of the SQLite store, and the migrations between their versions. */
#pragma once

#include "store_sqlite/sqlite_db.h"

/*
 * Upgrades the database to the newest version, in one transaction. Several processes may try at the
 * same time. A database of a newer, unknown version is refused and not changed. Before a database
 * with content is changed, a copy of it is made next to it, as FILE.v1 if its version is 1.
 */
int sqlite_schema_apply(struct sqlite_db *db, struct err *err);
/* The migrations: list[i] turns version i into version i + 1. */
const char *const *sqlite_schema_migrations(void);
/* Like sqlite_schema_apply with the n migrations in `list`, for tests. */
int sqlite_schema_bring(struct sqlite_db *db, const char *const *list, size_t n, struct err *err);

/* Removes the copies of the database at `path` that were made before a time (Unix ms): they
 * contain data that was erased since. */
void sqlite_schema_drop_copies(const char *path, int64_t before);

/* The newest version, to which sqlite_schema_apply upgrades. */
int sqlite_schema_newest(void);
