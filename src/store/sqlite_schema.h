/* sqlite_schema: the tables of the SQLite store, and how each version of them becomes the next. */
#pragma once

#include "store/sqlite_db.h"

/* Brings the database to the newest version. Several processes may try at the same time. A
 * database of a version yet unknown is refused and left as it is. */
int sqlite_schema_apply(struct sqlite_db *db, struct err *err);
