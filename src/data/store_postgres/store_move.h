/*
 * store_move: moves all data from one kind of store to another: SQLite to PostgreSQL or back.
 *
 * No other program may use either meanwhile. The target gets all rows in one transaction, after
 * they were read back and compared; any failure leaves a target without any of them and an
 * unchanged source, so that the move can be repeated. Running jobs wait again, deliveries that were
 * being sent are sent again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define STORE_MOVE_TABLES 12 /* number of tables */

/* The number of rows that were moved. */
struct store_moved {
    struct {
        const char *name;
        int64_t rows;
    } tables[STORE_MOVE_TABLES];
};

/* Whether a move may begin, which it checks again: ERR_INVALID_REQUEST as below. */
int store_move_check(const char *path, const char *url, bool to_postgres, struct err *err);
/* Moves all data of the SQLite database at `path` to PostgreSQL. ERR_INVALID_REQUEST if the target
 * has keys or jobs already, or a server uses the database. `path` is a database of the newest
 * version that this program knows. */
int store_move_to_postgres(const char *path, const char *url, struct store_moved *moved,
                           struct err *err);
/* Moves all data from PostgreSQL to a new SQLite database at `path`. The file must not exist; it
 * appears complete. */
int store_move_to_sqlite(const char *url, const char *path, struct store_moved *moved,
                         struct err *err);
