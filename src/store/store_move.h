/*
 * store_move: all of one store put into another kind of store: SQLite to PostgreSQL or back.
 *
 * Nobody may use either while it goes on. The target gets all rows in one transaction, and after
 * they were read back and found the same; whatever breaks it off leaves a target without any of
 * them and a source as it was, so that it can be begun again. Jobs that ran wait again, deliveries
 * that were being sent are sent again.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

#define STORE_MOVE_TABLES 9

/* What was moved, by the number of rows. */
struct store_moved {
    struct {
        const char *name;
        int64_t rows;
    } tables[STORE_MOVE_TABLES];
};

/* ERR_INVALID_REQUEST if the target has keys or jobs already, or a server uses the database. `path`
 * is a database of the newest version that this program knows. */
int store_move_to_postgres(const char *path, const char *url, struct store_moved *moved,
                           struct err *err);
/* The file must not be there; it appears whole. */
int store_move_to_sqlite(const char *url, const char *path, struct store_moved *moved,
                         struct err *err);
