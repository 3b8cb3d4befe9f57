/* postgres_schema: creates and upgrades the tables and functions of the store in PostgreSQL. */
#pragma once

#include "base/err.h"
#include "store_postgres/postgres_db.h"

/* Upgrades the schema "platen" of the database to the newest version, in one transaction.
 * Several servers may try at the same time. ERR_INVALID_REQUEST: a newer platen has made it, or
 * the user of the address lacks the right. */
int postgres_schema_apply(struct postgres_db *db, struct err *err);
/* The newest version, to which postgres_schema_apply upgrades. */
int postgres_schema_newest(void);
/* The version of a database, 0 if it has none, or -1. */
int postgres_schema_version(struct postgres_db *db, struct err *err);
