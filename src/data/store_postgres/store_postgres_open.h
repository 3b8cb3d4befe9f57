/* store_postgres_open: the store in a PostgreSQL database: opened and looked at. */
#pragma once

#include "data/store/store.h"

/* Opens a PostgreSQL server (15 or newer), by an address as libpq reads it; creates or upgrades
 * the tables. Any number of servers may use it: the wall clock of the process (base/clock.h)
 * follows the database's from then on. */
struct store *store_postgres_open(const char *url, struct err *err);
/* Checks that the server answers and that its tables have a known version (*version; 0: it has no
 * tables of ours yet). *ahead_ms: how far its clock is ahead of this machine's, in milliseconds. */
int store_postgres_examine(const char *url, int *version, int64_t *ahead_ms, struct err *err);
