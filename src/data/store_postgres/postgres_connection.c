#include "data/store_postgres/postgres_connection.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/digest.h"

#define CALL_MS 30000 /* that a statement may take: the server is taken for gone then */
/* Statements that a connection prepares: each costs memory of the server. */
#define PREPARED_MOST 96
/* Longer statements are those of many members (postgres_group), each number of which is another
 * text. */
#define PREPARED_TEXT 1500

struct prepared {
    char *sql;
    char name[24];
};

struct postgres_connection {
    PGconn *conn;
    bool prepares;
    unsigned n_prepared;
    struct prepared prepared[PREPARED_MOST];
};

static void say_nothing(void *arg, const char *message)
{
    (void) arg;
    (void) message;
}

void postgres_connection_reason(const char *message, char *out, size_t size)
{
    snprintf(out, size, "%s", message ? message : "out of memory");
    for (size_t n = strlen(out); n > 0 && out[n - 1] == '\n'; n--)
        out[n - 1] = '\0';
    for (char *c = out; *c; c++)
        if (*c == '\n')
            *c = ' ';
}

PGconn *postgres_connection_connect(const char *url, struct err *err)
{
    /* The later of two that name the same wins: the operator's own come last. */
    static const char *const names[] = { "application_name",
                                         "client_encoding",
                                         "connect_timeout",
                                         "tcp_user_timeout",
                                         "target_session_attrs",
                                         "dbname",
                                         NULL };
    const char *const values[] = { "platen", "UTF8", "5", "10000", "read-write", url, NULL };
    PGconn *conn = PQconnectdbParams(names, values, 1);
    char why[160];

    if (conn && PQstatus(conn) == CONNECTION_OK) {
        PQsetNoticeProcessor(conn, say_nothing, NULL);
        return conn;
    }
    postgres_connection_reason(conn ? PQerrorMessage(conn) : NULL, why, sizeof why);
    err_set(err, ERR_UNAVAILABLE, "the database cannot be reached: %s", why);
    PQfinish(conn);
    return NULL;
}

/* Waits until the answer is there, not longer than until_ms. False: it is not. */
static bool wait_answer(PGconn *conn, int64_t until_ms)
{
    for (;;) {
        struct pollfd fd = { .fd = PQsocket(conn), .events = POLLIN };
        int unsent = PQflush(conn);
        int64_t left = until_ms - clock_mono_ms();

        if (unsent < 0 || (unsent == 0 && !PQisBusy(conn)))
            return unsent == 0;
        if (unsent > 0)
            fd.events |= POLLOUT;
        if (left <= 0 || (poll(&fd, 1, (int) left) < 0 && errno != EINTR))
            return false;
        if ((fd.revents & (POLLIN | POLLHUP | POLLERR)) && !PQconsumeInput(conn))
            return false;
    }
}

/* The last result of the statement. NULL: the connection was lost, or nothing arrived in time. */
static PGresult *collect_results(PGconn *conn, int64_t until_ms)
{
    PGresult *last = NULL, *next;

    for (;;) {
        if (!wait_answer(conn, until_ms)) {
            PQclear(last);
            return NULL;
        }
        if (!(next = PQgetResult(conn)))
            return last;
        if (last && PQresultStatus(last) == PGRES_FATAL_ERROR) {
            PQclear(next); /* of a script: the first error is the one to tell */
            continue;
        }
        PQclear(last);
        last = next;
    }
}

/* Converts a failure by its SQLSTATE (appendix A of the manual). */
static enum postgres_outcome outcome_of(const PGresult *result, struct err *err)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    char why[160];

    state = state ? state : "";
    postgres_connection_reason(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY), why,
                               sizeof why);
    /* A deadlock, a serialization failure. */
    if (strcmp(state, "40P01") == 0 || strcmp(state, "40001") == 0) {
        err_set(err, ERR_OVERLOADED, "the database is busy: %s", why);
        return POSTGRES_AGAIN;
    }
    /* The connection; the server stops, starts, or can only be read since it was replaced. */
    if (strncmp(state, "08", 2) == 0 || strncmp(state, "57P", 3) == 0 ||
        strcmp(state, "25006") == 0 || strcmp(state, "53300") == 0) {
        err_set(err, ERR_UNAVAILABLE, "the database cannot be used now: %s", why);
        return POSTGRES_LOST;
    }
    if (strcmp(state, "53100") == 0)
        err_set(err, ERR_STORAGE_FULL, "the disk of the database is full");
    else
        err_set(err, ERR_INTERNAL, "database: %s (%s)", why, state);
    return POSTGRES_REFUSED;
}

bool postgres_connection_is_pooled(PGconn *conn)
{
    PGresult *r = NULL;
    bool pooled;

    PQsetnonblocking(conn, 1);
    if (PQsendQuery(conn, "SELECT pg_backend_pid()"))
        r = collect_results(conn, clock_mono_ms() + CALL_MS);
    pooled = r && PQresultStatus(r) == PGRES_TUPLES_OK &&
             strtol(PQgetvalue(r, 0, 0), NULL, 10) != PQbackendPID(conn);
    PQclear(r);
    return pooled;
}

struct postgres_connection *postgres_connection_open(const char *url, struct err *err)
{
    struct postgres_connection *connection = calloc(1, sizeof *connection);

    if (!connection) {
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    if (!(connection->conn = postgres_connection_connect(url, err))) {
        free(connection);
        return NULL;
    }
    connection->prepares = !postgres_connection_is_pooled(connection->conn);
    return connection;
}

void postgres_connection_close(struct postgres_connection *connection)
{
    if (!connection)
        return;
    PQfinish(connection->conn);
    for (unsigned i = 0; i < connection->n_prepared; i++)
        free(connection->prepared[i].sql);
    free(connection);
}

/* Prepares a statement. Its name is made of its text: should another session ever be reached, the
 * name is unknown there or that of the same statement. NULL: it could not be prepared. */
static const char *prepare(struct postgres_connection *connection, const char *sql)
{
    struct prepared *new = &connection->prepared[connection->n_prepared];
    char digest[DIGEST_TEXT];
    PGresult *r = NULL;
    bool done;

    digest_text(sql, strlen(sql), digest);
    snprintf(new->name, sizeof new->name, "platen_%.16s", digest);
    if (PQsendPrepare(connection->conn, new->name, sql, 0, NULL))
        r = collect_results(connection->conn, clock_mono_ms() + CALL_MS);
    done = r && PQresultStatus(r) == PGRES_COMMAND_OK && (new->sql = strdup(sql));
    PQclear(r);
    if (!done) {
        connection->prepares = false;
        return NULL;
    }
    connection->n_prepared++;
    return new->name;
}

/* The name of the prepared statement; NULL: it is sent as a text. */
static const char *statement_name(struct postgres_connection *connection, const char *sql)
{
    if (!connection->prepares)
        return NULL;
    for (unsigned i = 0; i < connection->n_prepared; i++)
        if (strcmp(connection->prepared[i].sql, sql) == 0)
            return connection->prepared[i].name;
    return connection->n_prepared < PREPARED_MOST && strlen(sql) <= PREPARED_TEXT
               ? prepare(connection, sql)
               : NULL;
}

/* Whether nothing was done because the prepared statement is unknown to the session, or returns
 * something else since the database was upgraded. */
static bool is_stale(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    return state && (strcmp(state, "26000") == 0 || strcmp(state, "0A000") == 0);
}

/* Sends a statement, by its name if it has one, and waits. NULL: the connection was lost. */
static PGresult *send_statement(PGconn *conn, const char *name, const char *sql,
                                const struct postgres_bound *bound, int format)
{
    const int64_t until = clock_mono_ms() + CALL_MS;
    int sent;

    if (name)
        sent = PQsendQueryPrepared(conn, name, bound->n, bound->texts, bound->lengths,
                                   bound->formats, format);
    else if (bound)
        sent = PQsendQueryParams(conn, sql, bound->n, NULL, bound->texts, bound->lengths,
                                 bound->formats, format);
    else
        sent = PQsendQuery(conn, sql);
    return sent ? collect_results(conn, until) : NULL;
}

enum postgres_outcome postgres_connection_run(struct postgres_connection *connection,
                                              const char *sql, const struct postgres_bound *bound,
                                              int format, PGresult **out, struct err *err)
{
    PGconn *conn = connection->conn;
    enum postgres_outcome outcome;
    const char *name;
    PGresult *result;

    /* Does not block: a server that reads nothing must not stop this thread. */
    PQsetnonblocking(conn, 1);
    name = bound ? statement_name(connection, sql) : NULL;
    result = send_statement(conn, name, sql, bound, format);
    if (name && result && is_stale(result)) {
        connection->prepares = false;
        PQclear(result);
        result = send_statement(conn, NULL, sql, bound, format);
    }
    if (!result) {
        err_set(err, ERR_UNAVAILABLE, "the connection to the database was lost");
        return POSTGRES_LOST;
    }
    if (PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_COMMAND_OK) {
        *out = result;
        return POSTGRES_DONE;
    }
    outcome = outcome_of(result, err);
    PQclear(result);
    return PQstatus(conn) == CONNECTION_OK ? outcome : POSTGRES_LOST;
}
