/*
 * postgres_db: a pool of connections to a PostgreSQL server, and statements run on them.
 *
 * Every statement is a transaction of its own and leaves nothing in the session but its prepared
 * form, which a connection through a pooler does without: a pooler in transaction mode (pgbouncer)
 * can be used. A statement whose connection is lost, or which the server aborted because of another
 * (a deadlock, a failover), is sent again, so it must be repeatable: postgres_functions.sql says
 * why each one is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/err.h"

struct postgres_db;

/* Opens a pool. `url` as libpq reads it ("postgresql://user@host/database?sslmode=..."); up to
 * `width` connections at a time. The first is opened now. ERR_INVALID_PARAMETER for an address that
 * libpq cannot read, ERR_UNAVAILABLE if no server answers. */
struct postgres_db *postgres_db_open(const char *url, unsigned width, struct err *err);
/* Closes all connections; no thread may be in a call. */
void postgres_db_close(struct postgres_db *db);

/* Disables repetition of failed statements from now on. */
void postgres_db_hurry(struct postgres_db *db);

/* A parameter of a statement: V makes one from a text (NULL: SQL's NULL), a double or any
 * integer that int64_t can hold. BIND lists them: $1, $2, ... */
struct postgres_value {
    enum {
        POSTGRES_VALUE_INTEGER,
        POSTGRES_VALUE_REAL,
        POSTGRES_VALUE_TEXT,
        POSTGRES_VALUE_BYTES
    } kind;
    int64_t integer; /* for bytes: their number */
    double real;
    const void *text; /* must live until the call has ended */
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
/* A value of n bytes; `v` NULL: SQL's NULL. */
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

/* Runs one statement and returns its rows, which the caller frees (AUTO_RESULT). NULL with
 * ERR_STORAGE_FULL, ERR_UNAVAILABLE (no writable server answered for some seconds) or
 * ERR_INTERNAL. */
PGresult *postgres_db_call(struct postgres_db *db, const char *sql,
                           const struct postgres_value *values, size_t n, struct err *err);
/* The same with columns in binary format. */
PGresult *postgres_db_call_bytes(struct postgres_db *db, const char *sql,
                                 const struct postgres_value *values, size_t n, struct err *err);
/* The same for a statement that returns a single number; SQL's NULL counts as 0. -1: an error. */
int postgres_db_number(struct postgres_db *db, const char *sql, const struct postgres_value *values,
                       size_t n, int64_t *out, struct err *err);
/* Runs several statements without parameters as one transaction. */
int postgres_db_script(struct postgres_db *db, const char *sql, struct err *err);

void postgres_result_free(PGresult **result);
#define AUTO_RESULT __attribute__((cleanup(postgres_result_free)))

/* A field of a row as text; NULL for SQL's NULL. Lives as long as the result. */
const char *postgres_text(const PGresult *result, int row, int column);
/* The same as a number; 0 for SQL's NULL. */
int64_t postgres_integer(const PGresult *result, int row, int column);
/* The same as a copy that the caller frees. False: out of memory. */
bool postgres_copy(const PGresult *result, int row, int column, char **out);
