/*
 * postgres_db: connections to a PostgreSQL server, and statements run on them.
 *
 * Every statement is a transaction of its own and leaves nothing in the session: a pooler in
 * transaction mode (pgbouncer) may stand between. One whose connection is lost, or that the server
 * gave up for another's sake (a deadlock, a failover), is sent again, so it must be one that may be
 * done twice: see postgres_functions.sql for how each of them is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/err.h"

struct postgres_db;

/* `url` as libpq reads it ("postgresql://user@host/database?sslmode=..."); up to `width`
 * connections at a time. The first is opened now. ERR_INVALID_PARAMETER for an address that libpq
 * cannot read, ERR_OVERLOADED if no server answers. */
struct postgres_db *postgres_db_open(const char *url, unsigned width, struct err *err);
/* One connection more, which the caller keeps and ends by PQfinish. NULL: no server answers, or it
 * refuses us. */
PGconn *postgres_db_connect(const char *url, struct err *err);
/* Nobody may be in a call. */
void postgres_db_close(struct postgres_db *db);

/* From now on nothing is tried twice. */
void postgres_db_hurry(struct postgres_db *db);

/* A parameter of a statement: V makes one from a text (NULL: SQL's NULL), a double or any integer
 * that int64_t holds. BIND lists them: $1, $2, ... */
struct postgres_value {
    enum {
        POSTGRES_VALUE_INTEGER,
        POSTGRES_VALUE_REAL,
        POSTGRES_VALUE_TEXT,
        POSTGRES_VALUE_BYTES
    } kind;
    int64_t integer; /* of bytes: their number */
    double real;
    const void *text; /* must stay until the call is over */
};

static inline struct postgres_value postgres_value_integer(int64_t v)
{
    return (struct postgres_value){ .kind = POSTGRES_VALUE_INTEGER, .integer = v };
}
static inline struct postgres_value postgres_value_real(double v)
{
    return (struct postgres_value){ .kind = POSTGRES_VALUE_REAL, .real = v };
}
static inline struct postgres_value postgres_value_text(const char *v)
{
    return (struct postgres_value){ .kind = POSTGRES_VALUE_TEXT, .text = v };
}
/* NULL: SQL's NULL. */
static inline struct postgres_value postgres_value_bytes(const void *v, int64_t n)
{
    return (struct postgres_value){ .kind = POSTGRES_VALUE_BYTES, .integer = n, .text = v };
}

#define V(value)                                                                                   \
    _Generic((value), char * : postgres_value_text, const char * : postgres_value_text,            \
             double : postgres_value_real, default : postgres_value_integer)(value)
#define BIND(...)                                                                                  \
    (const struct postgres_value[]){ __VA_ARGS__ },                                                \
        sizeof((const struct postgres_value[]){ __VA_ARGS__ }) / sizeof(struct postgres_value)

/* Runs one statement. Its rows, the caller's (AUTO_RESULT); NULL on failure: ERR_STORAGE_FULL,
 * ERR_OVERLOADED (no server that can write answers, though it was asked for some seconds) or
 * ERR_INTERNAL. */
PGresult *postgres_db_call(struct postgres_db *db, const char *sql,
                           const struct postgres_value *values, size_t n, struct err *err);
/* The same for one whose columns shall be bytes as they are. */
PGresult *postgres_db_call_bytes(struct postgres_db *db, const char *sql,
                                 const struct postgres_value *values, size_t n, struct err *err);
/* The same for one that gives a single number; SQL's NULL counts as 0. -1: failed. */
int postgres_db_number(struct postgres_db *db, const char *sql, const struct postgres_value *values,
                       size_t n, int64_t *out, struct err *err);
/* Runs several statements without parameters as one transaction. */
int postgres_db_script(struct postgres_db *db, const char *sql, struct err *err);

void postgres_result_free(PGresult **result);
#define AUTO_RESULT __attribute__((cleanup(postgres_result_free)))

/* A field of a row; NULL for SQL's NULL. Lives as long as the result. */
const char *postgres_text(const PGresult *result, int row, int column);
/* The same as a number; 0 for SQL's NULL. */
int64_t postgres_integer(const PGresult *result, int row, int column);
/* The same as a copy, the caller's. False: memory is short. */
bool postgres_take(const PGresult *result, int row, int column, char **out);
