#include "data/store_postgres/postgres_db.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/scope.h"
#include "data/store_postgres/postgres_connection.h"

#define PATIENCE   8000  /* ms that a lost server is asked again for */
#define PAUSE_MS   100   /* between two tries */
#define MAX_VALUES 65535 /* the protocol counts them in 16 bits */

struct postgres_db {
    char *url;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t freed;
    struct postgres_connection **idle;
    unsigned n_idle, n_open, width;
    atomic_bool failing; /* it did not answer for PATIENCE: other threads do not wait as long */
    atomic_bool hurry;
};

static int check_url(const char *url, struct err *err)
{
    char *why = NULL, text[160];
    PQconninfoOption *options = PQconninfoParse(url, &why);

    if (options) {
        PQconninfoFree(options);
        return 0;
    }
    postgres_connection_reason(why, text, sizeof text);
    PQfreemem(why);
    return err_set(err, ERR_INVALID_PARAMETER, "the address of the database cannot be read: %s",
                   text);
}

struct postgres_db *postgres_db_open(const char *url, unsigned width, struct err *err)
{
    struct postgres_db *db;
    pthread_condattr_t attr;

    if (check_url(url, err) < 0)
        return NULL;
    if (!(db = calloc(1, sizeof *db)) || !(db->url = strdup(url)) ||
        !(db->idle = calloc(width, sizeof *db->idle))) {
        err_sys(err, "cannot open the database");
        if (db)
            free(db->url);
        free(db);
        return NULL;
    }
    pthread_mutex_init(&db->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&db->freed, &attr);
    pthread_condattr_destroy(&attr);
    db->width = width;
    if (!(db->idle[0] = postgres_connection_open(url, err))) {
        postgres_db_close(db);
        return NULL;
    }
    db->n_idle = db->n_open = 1;
    return db;
}

void postgres_db_close(struct postgres_db *db)
{
    for (unsigned i = 0; i < db->n_idle; i++)
        postgres_connection_close(db->idle[i]);
    pthread_cond_destroy(&db->freed);
    pthread_mutex_destroy(&db->lock);
    free(db->idle);
    free(db->url);
    free(db);
}

static struct timespec deadline_of(int64_t mono_ms)
{
    return (struct timespec){ .tv_sec = mono_ms / 1000, .tv_nsec = mono_ms % 1000 * 1000000 };
}

/* A place for a connection: *conn is an idle one, or NULL if one is to be opened. */
static int borrow(struct postgres_db *db, int64_t until_ms, struct postgres_connection **conn,
                  struct err *err)
{
    const struct timespec until = deadline_of(until_ms);
    int rc = 0;

    pthread_mutex_lock(&db->lock);
    while (db->n_idle == 0 && db->n_open == db->width && rc == 0)
        rc = pthread_cond_timedwait(&db->freed, &db->lock, &until);
    *conn = db->n_idle ? db->idle[--db->n_idle] : NULL;
    if (*conn)
        rc = 0;
    else if (db->n_open < db->width)
        rc = 0, db->n_open++;
    pthread_mutex_unlock(&db->lock);
    return rc == 0 ? 0 : err_set(err, ERR_OVERLOADED, "the database is busy: try again shortly");
}

static void give_back(struct postgres_db *db, struct postgres_connection *conn, bool usable)
{
    if (conn && !usable) {
        postgres_connection_close(conn);
        conn = NULL;
    }
    pthread_mutex_lock(&db->lock);
    if (conn)
        db->idle[db->n_idle++] = conn;
    else
        db->n_open--;
    pthread_cond_signal(&db->freed);
    pthread_mutex_unlock(&db->lock);
}

/* After a server has gone, all connections to it are useless. */
static void drop_idle(struct postgres_db *db)
{
    pthread_mutex_lock(&db->lock);
    db->n_open -= db->n_idle;
    while (db->n_idle)
        postgres_connection_close(db->idle[--db->n_idle]);
    pthread_cond_broadcast(&db->freed);
    pthread_mutex_unlock(&db->lock);
}

static void free_bound(struct postgres_bound *bound)
{
    free(bound->texts);
    free(bound->lengths);
    free(bound->formats);
    free(bound->numbers);
}
#define AUTO_BOUND __attribute__((cleanup(free_bound)))

static void bind_one(struct postgres_bound *bound, int i, const struct postgres_value *v)
{
    char *number = bound->numbers[i];

    bound->texts[i] = v->text;
    bound->formats[i] = v->kind == POSTGRES_VALUE_BYTES;
    if (v->kind == POSTGRES_VALUE_BYTES)
        bound->lengths[i] = (int) v->integer;
    else if (v->kind == POSTGRES_VALUE_INTEGER)
        snprintf(number, sizeof *bound->numbers, "%" PRId64, v->integer);
    else if (v->kind == POSTGRES_VALUE_REAL)
        snprintf(number, sizeof *bound->numbers, "%.17g", v->real);
    if (v->kind == POSTGRES_VALUE_INTEGER || v->kind == POSTGRES_VALUE_REAL)
        bound->texts[i] = number;
}

static int bind(struct postgres_bound *bound, const struct postgres_value *values, size_t n,
                struct err *err)
{
    if (n > MAX_VALUES)
        return err_set(err, ERR_INTERNAL, "too many parameters");
    bound->texts = calloc(n + 1, sizeof *bound->texts);
    bound->lengths = calloc(n + 1, sizeof *bound->lengths);
    bound->formats = calloc(n + 1, sizeof *bound->formats);
    bound->numbers = calloc(n + 1, sizeof *bound->numbers);
    if (!bound->texts || !bound->lengths || !bound->formats || !bound->numbers)
        return err_set(err, ERR_INTERNAL, "out of memory");
    bound->n = (int) n;
    for (int i = 0; i < bound->n; i++)
        bind_one(bound, i, &values[i]);
    return 0;
}

static PGresult *call(struct postgres_db *db, const char *sql, const struct postgres_bound *bound,
                      int format, struct err *err)
{
    static const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
    const bool once = atomic_load(&db->hurry) || atomic_load(&db->failing);
    const int64_t until = clock_mono_ms() + PATIENCE;
    enum postgres_outcome outcome;
    PGresult *result = NULL;

    do {
        struct postgres_connection *conn;

        if (borrow(db, until, &conn, err) < 0)
            return NULL;
        if (!conn)
            conn = postgres_connection_open(db->url, err);
        outcome =
            conn ? postgres_connection_run(conn, sql, bound, format, &result, err) : POSTGRES_LOST;
        give_back(db, conn, outcome != POSTGRES_LOST);
        if (outcome == POSTGRES_DONE) {
            atomic_store(&db->failing, false);
            return result;
        }
        if (outcome == POSTGRES_LOST) {
            drop_idle(db);
            nanosleep(&pause, NULL);
        }
    } while (outcome != POSTGRES_REFUSED && !once && clock_mono_ms() < until);
    if (outcome == POSTGRES_LOST)
        atomic_store(&db->failing, true);
    return NULL;
}

void postgres_db_hurry(struct postgres_db *db)
{
    atomic_store(&db->hurry, true);
}

PGresult *postgres_db_call(struct postgres_db *db, const char *sql,
                           const struct postgres_value *values, size_t n, struct err *err)
{
    AUTO_BOUND struct postgres_bound bound = { 0 };

    return bind(&bound, values, n, err) < 0 ? NULL : call(db, sql, &bound, 0, err);
}

PGresult *postgres_db_call_bytes(struct postgres_db *db, const char *sql,
                                 const struct postgres_value *values, size_t n, struct err *err)
{
    AUTO_BOUND struct postgres_bound bound = { 0 };

    return bind(&bound, values, n, err) < 0 ? NULL : call(db, sql, &bound, 1, err);
}

int postgres_db_number(struct postgres_db *db, const char *sql, const struct postgres_value *values,
                       size_t n, int64_t *out, struct err *err)
{
    AUTO_RESULT PGresult *result = postgres_db_call(db, sql, values, n, err);

    if (!result)
        return -1;
    *out = PQntuples(result) ? postgres_integer(result, 0, 0) : 0;
    return 0;
}

int postgres_db_script(struct postgres_db *db, const char *sql, struct err *err)
{
    AUTO_RESULT PGresult *result = call(db, sql, NULL, 0, err);

    return result ? 0 : -1;
}

void postgres_result_free(PGresult **result)
{
    PQclear(*result);
}

const char *postgres_text(const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

int64_t postgres_integer(const PGresult *result, int row, int column)
{
    const char *text = postgres_text(result, row, column);

    return text ? strtoll(text, NULL, 10) : 0;
}

bool postgres_copy(const PGresult *result, int row, int column, char **out)
{
    const char *text = postgres_text(result, row, column);

    *out = text ? strdup(text) : NULL;
    return *out || !text;
}
