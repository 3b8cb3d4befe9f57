/* postgres_schema: the tables and functions of the store in PostgreSQL, made or brought to date. */
#pragma once

#include "base/err.h"
#include "store/postgres_db.h"

/* Brings the schema "platen" of the database to the newest version, in one transaction. Several
 * servers may try at the same time. ERR_INVALID_REQUEST: a newer platen has made it, or the user of
 * the address may not make it. */
int postgres_schema_apply(struct postgres_db *db, struct err *err);
/* The version it is brought to. */
int postgres_schema_newest(void);
/* The version that a database has, 0 if it has none, or -1. */
int postgres_schema_version(struct postgres_db *db, struct err *err);
