/* store_sqlite_open: the store in an SQLite file: opened and looked at. */
#pragma once

#include "data/store/store.h"

/* Opens the database file, which is made if it is missing (mode 0600). Several processes may have
 * it open. */
struct store *store_sqlite_open(const char *path, struct err *err);
/* Checks that the database in a file is sound and of a known version, which *version gets; changes
 * nothing. ERR_INVALID_REQUEST: the version is unknown. A server may have it open. */
int store_sqlite_examine(const char *path, int *version, struct err *err);
