/* sqlite_schema: the tables of the SQLite store, and the steps between their versions. */
#pragma once

#include "data/store_sqlite/sqlite_db.h"

/* The version of platen 0.1.0. Those before it were never released and are refused. */
#define SQLITE_SCHEMA_FIRST 11

/*
 * Upgrades the database to the newest version, in one transaction. Several processes may try at the
 * same time. A database of an unknown version (sqlite_schema_check) is refused and not changed.
 * Before a database with content is changed, a copy of it is made next to it, as FILE.v11 if its
 * version is 11.
 */
int sqlite_schema_apply(struct sqlite_db *db, struct err *err);
/* Like sqlite_schema_apply with the n steps in `list`, for tests: list[0] makes version
 * SQLITE_SCHEMA_FIRST of an empty database, and each of the others the next version. */
int sqlite_schema_bring(struct sqlite_db *db, const char *const *list, size_t n, struct err *err);
/* Checks that this platen knows the version of a database (0: it is empty). ERR_INVALID_REQUEST: it
 * does not, and the message says which platen does. */
int sqlite_schema_check(int version, struct err *err);

/* Removes the copies of the database at `path` that were made before a time (Unix ms): they
 * contain data that was erased since. */
void sqlite_schema_drop_copies(const char *path, int64_t before);
