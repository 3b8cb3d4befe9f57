/*
 * sqlite_db: one connection to a SQLite database in the configuration of this store: WAL, durable
 * commits, deleted texts overwritten, waiting instead of failing while another process writes; with
 * cached prepared statements. Used by one thread at a time.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SQLITE_DB_STATEMENTS 96 /* limit of the statements that stay prepared */

struct sqlite_db {
    sqlite3 *handle;
    struct {
        const char *sql;
        sqlite3_stmt *stmt;
    } cache[SQLITE_DB_STATEMENTS];
    size_t n_cached;
};

/* Opens a connection to the file, which must exist. A read-only connection must not be the first
 * one to a database. On failure nothing is open. */
int sqlite_db_open(struct sqlite_db *db, const char *path, bool read_only, struct err *err);
/* Closes the connection. May be called for a zeroed struct. */
void sqlite_db_close(struct sqlite_db *db);

/* A parameter of a statement; V makes one from a text (NULL: SQL's NULL), a double or any
 * integer that int64_t can hold. BIND lists them: ?1, ?2, ... */
struct sqlite_value {
    enum { SQLITE_VALUE_INTEGER, SQLITE_VALUE_REAL, SQLITE_VALUE_TEXT, SQLITE_VALUE_BYTES } kind;
    int64_t integer; /* for bytes: their number */
    double real;
    const void *text; /* must live until the statement has ended */
};

static inline struct sqlite_value sqlite_value_integer(int64_t v)
{
    return (struct sqlite_value){ .kind = SQLITE_VALUE_INTEGER, .integer = v };
}
static inline struct sqlite_value sqlite_value_real(double v)
{
    return (struct sqlite_value){ .kind = SQLITE_VALUE_REAL, .real = v };
}
static inline struct sqlite_value sqlite_value_text(const char *v)
{
    return (struct sqlite_value){ .kind = SQLITE_VALUE_TEXT, .text = v };
}

static inline struct sqlite_value sqlite_value_bytes(const void *v, int64_t n)
{
    return (struct sqlite_value){ .kind = SQLITE_VALUE_BYTES, .integer = n, .text = v };
}

#define V(value)                                                                                   \
    _Generic((value), char * : sqlite_value_text, const char * : sqlite_value_text,                \
             double : sqlite_value_real, default : sqlite_value_integer)(value)
#define BIND(...)                                                                                  \
    (const struct sqlite_value[]){ __VA_ARGS__ },                                                  \
        sizeof((const struct sqlite_value[]){ __VA_ARGS__ }) / sizeof(struct sqlite_value)

/* Runs statements that have no parameters and are rarely needed. */
int sqlite_db_script(struct sqlite_db *db, const char *sql, struct err *err);

/* Runs one statement that returns no rows. Returns how many rows it changed, or -1. `sql` here
 * and below must be a string literal: its address identifies the prepared statement. */
int sqlite_db_run(struct sqlite_db *db, const char *sql, const struct sqlite_value *values,
                  size_t n, struct err *err);

/* Begins a query, ready for the first sqlite_db_next; NULL on failure. The statement belongs to
 * the connection: end it with sqlite_db_done before the same query is begun again. */
sqlite3_stmt *sqlite_db_query(struct sqlite_db *db, const char *sql,
                              const struct sqlite_value *values, size_t n, struct err *err);
/* Moves to the next row of a query. 1: there is one; 0: no more; -1: an error. */
int sqlite_db_next(sqlite3_stmt *stmt, struct err *err);
void sqlite_db_done(sqlite3_stmt **stmt);
#define AUTO_QUERY __attribute__((cleanup(sqlite_db_done)))
/* Makes *out a copy of a column's text, which the caller frees; NULL for SQL's NULL. False when
 * memory is short. */
bool sqlite_db_text(sqlite3_stmt *stmt, int column, char **out);
/* Copies a column's text to `out`, cut to its size; "" for SQL's NULL. */
void sqlite_db_copy(sqlite3_stmt *stmt, int column, char *out, size_t size);

/* Sets err to the connection's last error, as "context: error". ERR_STORAGE_FULL, ERR_OVERLOADED
 * (others wrote for too long) or ERR_INTERNAL. Returns -1. */
int sqlite_db_fail(sqlite3 *handle, const char *context, struct err *err);
