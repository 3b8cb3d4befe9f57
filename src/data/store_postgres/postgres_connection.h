/*
 * postgres_connection: one connection to a PostgreSQL server, and the statements run on it.
 *
 * A statement is prepared when a connection runs it for the first time, so that the server parses
 * and plans it once for each connection. Through a pooler (pgbouncer), which gives each transaction
 * to another session, nothing is prepared.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <libpq-fe.h>

#include "base/err.h"

/* Connects to the server that `url` names, as libpq reads it. The caller ends the connection with
 * PQfinish. NULL with ERR_UNAVAILABLE: no server answers, or it refuses us. */
PGconn *postgres_connection_connect(const char *url, struct err *err);
/* Whether there is a pooler: it reports another server process than the server itself. */
bool postgres_connection_is_pooled(PGconn *conn);
/* Writes what libpq said as one line; NULL is a lack of memory. */
void postgres_connection_reason(const char *message, char *out, size_t size);

struct postgres_connection;

/* Connects like postgres_connection_connect, and finds out whether statements can be prepared. */
struct postgres_connection *postgres_connection_open(const char *url, struct err *err);
/* Closes the connection; NULL is allowed. */
void postgres_connection_close(struct postgres_connection *connection);

/* Parameters in the form libpq wants them. */
struct postgres_bound {
    const char **texts;
    int *lengths, *formats;
    char (*numbers)[32];
    int n;
};

enum postgres_outcome {
    POSTGRES_DONE,
    POSTGRES_AGAIN,  /* the server aborted the statement because of another one */
    POSTGRES_LOST,   /* the connection is of no use any more */
    POSTGRES_REFUSED /* the statement failed */
};

/* Runs a statement, or with `bound` NULL a script, and waits for its result, which the caller
 * clears. `format` 1: columns are binary. ERR_OVERLOADED, ERR_UNAVAILABLE, ERR_STORAGE_FULL or
 * ERR_INTERNAL unless it is done. */
enum postgres_outcome postgres_connection_run(struct postgres_connection *connection,
                                              const char *sql, const struct postgres_bound *bound,
                                              int format, PGresult **out, struct err *err);
