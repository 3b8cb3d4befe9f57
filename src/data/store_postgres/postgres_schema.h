/* postgres_schema: creates and upgrades the tables and functions of the store in PostgreSQL. */
#pragma once

#include "base/err.h"
#include "data/store_postgres/postgres_db.h"

/* The version of platen 0.1.0. Those before it were never released and are refused. */
#define POSTGRES_SCHEMA_FIRST 7

/* Upgrades the schema "platen" of the database to the newest version, in one transaction.
 * Several servers may try at the same time. ERR_INVALID_REQUEST: this platen does not know
 * the version, or the user of the address lacks the right. */
int postgres_schema_apply(struct postgres_db *db, struct err *err);
/* Checks that this platen knows the version of a database (0: it has no tables of platen).
 * ERR_INVALID_REQUEST: it does not, and the message says which platen does. */
int postgres_schema_check(int version, struct err *err);
/* The newest version, to which postgres_schema_apply upgrades. */
int postgres_schema_newest(void);
/* The version of a database, 0 if it has none, or -1. */
int postgres_schema_version(struct postgres_db *db, struct err *err);
