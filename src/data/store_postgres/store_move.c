#include "data/store_postgres/store_move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libpq-fe.h>
#include <sqlite3.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "data/job/delivery.h"
#include "data/store/store.h"
#include "data/store_postgres/postgres_connection.h"
#include "data/store_postgres/postgres_db.h"
#include "data/store_postgres/store_postgres_open.h"
#include "data/store_sqlite/store_sqlite_open.h"

#define PATH_MOST 4096
#define COLUMNS   36  /* at most, of a table */
#define AT_ONCE   500 /* rows that are read from PostgreSQL at a time */

/* A table of both kinds of store. Both queries return the same columns, as the same texts and in
 * the same order of rows. Running jobs wait again, and deliveries in flight are sent again. */
struct table {
    const char *name;
    int columns;
    int bytes; /* the column of bytes, counted from 1; 0: none */
    const char *from_sqlite, *from_postgres;
    const char *to_sqlite, *to_postgres;
};

#define JOB_COLUMNS                                                                                \
    "j.id, j.account, j.month, j.tool, j.n_inputs, j.in_store, j.input_bytes, j.reused_bytes,"     \
    " j.retention_ms, j.cost, j.created_at, j.finished_at, j.expires_at, j.duration_ms,"           \
    " j.output_bytes, j.client_ref, j.callback_url, j.callback_base, j.stem, j.params, j.inputs,"  \
    " j.output_name, j.outputs, j.warnings, j.error, j.message, j.error_field"
#define JOB_NAMES                                                                                  \
    "id, account, month, tool, n_inputs, in_store, input_bytes, reused_bytes, retention_ms, cost," \
    " created_at, finished_at, expires_at, duration_ms, output_bytes, client_ref, callback_url,"   \
    " callback_base, stem, params, inputs, output_name, outputs, warnings, error, message,"        \
    " error_field"
#define JOB_PLACES                                                                                 \
    "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,"   \
    " $21, $22, $23, $24, $25, $26, $27"
#define WORKFLOW_NAMES "id, account, name, steps, position, version, created_at, updated_at"
#define SHIPMENT_NAMES                                                                             \
    "id, job, account, part, host, attempts, created_at, next_at, last_at, duration_ms,"           \
    " http_status, error"
#define DELIVERY_NAMES                                                                             \
    "id, job, account, host, url, attempts, tries, created_at, since, next_at, last_at,"           \
    " http_status, duration_ms, error, excerpt"

static const struct table tables[STORE_MOVE_TABLES] = {
    { "accounts", 3, 0, "SELECT id, turn, lean FROM accounts WHERE id > 0 ORDER BY id",
      "SELECT id, turn, lean FROM platen.accounts ORDER BY id",
      "INSERT INTO accounts(id, turn, lean) VALUES($1, $2, $3)",
      "WITH owner AS (INSERT INTO platen.owners(id) VALUES($1))"
      " INSERT INTO platen.accounts(id, turn, lean) VALUES($1, $2, $3)" },
    { "clock", 1, 0, "SELECT turn FROM accounts WHERE id = 0",
      "SELECT last_value FROM platen.turn_clock", "UPDATE accounts SET turn = $1 WHERE id = 0",
      "SELECT setval('platen.turn_clock', $1)" },
    { "keys", 10, 0,
      "SELECT digest, prefix, account, name, plan, created_at, valid_until, parent,"
      " tools, addresses FROM keys ORDER BY id",
      "SELECT digest, prefix, account, name, plan, created_at, valid_until, parent,"
      " tools, addresses FROM platen.keys ORDER BY id",
      "INSERT INTO keys(digest, prefix, account, name, plan, created_at, valid_until, parent,"
      " tools, addresses) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
      "INSERT INTO platen.keys(digest, prefix, account, name, plan, created_at, valid_until, "
      "parent,"
      " tools, addresses) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)" },
    { "sessions", 3, 0, "SELECT digest, key, expires_at FROM sessions ORDER BY row",
      "SELECT digest, key, expires_at FROM platen.sessions ORDER BY row",
      "INSERT INTO sessions(digest, key, expires_at) VALUES($1, $2, $3)",
      "INSERT INTO platen.sessions(digest, key, expires_at) VALUES($1, $2, $3)" },
    { "usage", 4, 0, "SELECT account, month, requests, bytes FROM usage ORDER BY account, month",
      "SELECT account, month, requests, bytes FROM platen.usage ORDER BY account, month",
      "INSERT INTO usage(account, month, requests, bytes) VALUES($1, $2, $3, $4)",
      "INSERT INTO platen.past_usage(account, month, requests, bytes) VALUES($1, $2, $3, $4)" },
    { "idempotency", 5, 0,
      "SELECT account, key, fingerprint, job, created_at FROM idempotency ORDER BY account, key",
      "SELECT account, key, fingerprint, job, created_at FROM platen.idempotency"
      " ORDER BY account, key",
      "INSERT INTO idempotency(account, key, fingerprint, job, created_at)"
      " VALUES($1, $2, $3, $4, $5)",
      "INSERT INTO platen.idempotency(account, key, fingerprint, job, created_at)"
      " VALUES($1, $2, $3, $4, $5)" },
    { "jobs", 35, 0,
      "SELECT " JOB_COLUMNS ", CASE j.state WHEN 1 THEN 0 ELSE j.state END, j.has_secret, j.run_at,"
      " j.started_at, j.attempt, j.spared, CAST(round(iif(j.state IN (0, 1), 0, j.progress)"
      " * 1000000) AS INTEGER), j.long FROM jobs j ORDER BY j.id",
      "SELECT " JOB_COLUMNS ", CASE WHEN q.row IS NULL THEN j.state ELSE 0 END, j.has_secret::int,"
      " coalesce(q.run_at, j.run_at), coalesce(q.started_at, j.started_at),"
      " coalesce(q.attempt, j.attempt), coalesce(q.spared, j.spared),"
      " CASE WHEN q.row IS NULL THEN round(j.progress * 1000000)::bigint ELSE 0 END,"
      " (j.cost >= 1000)::int"
      " FROM platen.jobs j LEFT JOIN platen.queue q ON q.id = j.id ORDER BY j.id",
      "INSERT INTO jobs(" JOB_NAMES ", state, has_secret, run_at, started_at, attempt, spared,"
      " progress, long, listed) VALUES(" JOB_PLACES ", $28, $29, $30, $31, $32, $33,"
      " $34 / 1000000.0, $35, CAST($28 AS INTEGER) < 4)",
      "WITH put AS (INSERT INTO platen.jobs(" JOB_NAMES ", state, has_secret, run_at, started_at,"
      " attempt, spared, progress, last_call, callback_host) VALUES(" JOB_PLACES ", $28,"
      " $29::int <> 0, $30, $31, $32, $33, $34::bigint / 1000000.0, '', $36) RETURNING row)"
      " INSERT INTO platen.queue(row, id, account, tool, long, attempt, spared, cost, created_at,"
      " run_at, started_at) SELECT row, $1, $2, $4, $35::int, $32, $33, $10, $11, $30, $31"
      " FROM put WHERE $28::int = 0" },
    { "job_inputs", 2, 2,
      "SELECT j.id, f.bytes FROM jobs j JOIN job_inputs f ON f.row = j.row ORDER BY j.id",
      "SELECT j.id, f.bytes FROM platen.jobs j JOIN platen.job_inputs f ON f.row = j.row"
      " ORDER BY j.id",
      "INSERT INTO job_inputs(row, bytes) SELECT row, $2 FROM jobs WHERE id = $1",
      "INSERT INTO platen.job_inputs(row, bytes) SELECT row, $2 FROM platen.jobs WHERE id = $1" },
    { "job_results", 2, 2,
      "SELECT j.id, f.bytes FROM jobs j JOIN job_results f ON f.row = j.row ORDER BY j.id",
      "SELECT j.id, f.bytes FROM platen.jobs j JOIN platen.job_results f ON f.row = j.row"
      " ORDER BY j.id",
      "INSERT INTO job_results(row, bytes) SELECT row, $2 FROM jobs WHERE id = $1",
      "INSERT INTO platen.job_results(row, bytes) SELECT row, $2 FROM platen.jobs WHERE id = $1" },
    { "deliveries", 16, 0,
      "SELECT " DELIVERY_NAMES ", CASE state WHEN 1 THEN 0 ELSE state END FROM deliveries"
      " ORDER BY id",
      "SELECT " DELIVERY_NAMES ", CASE state WHEN 1 THEN 0 ELSE state END FROM platen.deliveries"
      " ORDER BY id",
      "INSERT INTO deliveries(" DELIVERY_NAMES ", state)"
      " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
      "INSERT INTO platen.deliveries(" DELIVERY_NAMES ", state)"
      " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)" },
    { "shipments", 13, 0,
      "SELECT " SHIPMENT_NAMES ", CASE state WHEN 1 THEN 0 ELSE state END FROM shipments"
      " ORDER BY id",
      "SELECT " SHIPMENT_NAMES ", CASE state WHEN 1 THEN 0 ELSE state END FROM platen.shipments"
      " ORDER BY id",
      "INSERT INTO shipments(" SHIPMENT_NAMES ", state)"
      " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
      "INSERT INTO platen.shipments(" SHIPMENT_NAMES ", state)"
      " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)" },
    { "workflows", 8, 0, "SELECT " WORKFLOW_NAMES " FROM workflows ORDER BY id",
      "SELECT " WORKFLOW_NAMES " FROM platen.workflows ORDER BY id",
      "INSERT INTO workflows(" WORKFLOW_NAMES ") VALUES($1, $2, $3, $4, $5, $6, $7, $8)",
      "INSERT INTO platen.workflows(" WORKFLOW_NAMES ") VALUES($1, $2, $3, $4, $5, $6, $7, $8)" },
};

/* The tables that follow from others. */
static const char finish_sqlite[] =
    "UPDATE accounts SET pending = (SELECT count(*) FROM jobs WHERE state = 0 AND account = id);"
    "UPDATE accounts SET pending = (SELECT count(*) FROM jobs WHERE state = 0) WHERE id = 0;"
    "INSERT INTO callback_hosts(account, host, next_at) SELECT account, host, min(next_at)"
    " FROM deliveries WHERE state = 0 GROUP BY account, host;"
    "INSERT INTO callback_accounts(account, next_at) SELECT account, min(next_at)"
    " FROM callback_hosts GROUP BY account; COMMIT";
static const char finish_postgres[] =
    "UPDATE platen.accounts a SET pending = (SELECT count(*) FROM platen.queue q"
    " WHERE q.account = a.id);"
    "INSERT INTO platen.callback_hosts(account, host, next_at) SELECT account, host, min(next_at)"
    " FROM platen.deliveries WHERE state = 0 GROUP BY account, host;"
    "INSERT INTO platen.callback_accounts(account, next_at) SELECT account, min(next_at)"
    " FROM platen.callback_hosts GROUP BY account;"
    "SELECT setval(pg_get_serial_sequence('platen.owners', 'id'),"
    " greatest((SELECT max(id) FROM platen.owners), 1));"
    "COMMIT";

/* The two stores, one of which is read. */
struct both {
    sqlite3 *sqlite;
    PGconn *postgres;
};

/* A value of a row: a text, or bytes; data NULL: SQL's NULL. */
struct cell {
    const void *data;
    size_t n;
};

struct row {
    struct cell cells[COLUMNS];
    unsigned char *bytes; /* of PostgreSQL's, freed with the row */
};

static void close_both(struct both *both)
{
    sqlite3_close_v2(both->sqlite);
    PQfinish(both->postgres);
}
#define AUTO_BOTH __attribute__((cleanup(close_both)))

static int complain_sqlite(const struct both *both, const char *what, struct err *err)
{
    return err_set(err, ERR_INTERNAL, "%s: %s", what, sqlite3_errmsg(both->sqlite));
}

static int run_postgres(const struct both *both, const char *sql, struct err *err)
{
    AUTO_RESULT PGresult *r = PQexec(both->postgres, sql);
    ExecStatusType status = PQresultStatus(r);

    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return 0;
    return err_set(err, ERR_INTERNAL, "the database: %.150s", PQerrorMessage(both->postgres));
}

static int run_sqlite(const struct both *both, const char *sql, struct err *err)
{
    if (sqlite3_exec(both->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
        return complain_sqlite(both, "the database", err);
    return 0;
}

/* Calls each(arg, row) for every row of a table of SQLite. */
static int read_sqlite(const struct both *both, const struct table *table,
                       int (*each)(void *arg, const struct row *row, struct err *err), void *arg,
                       struct err *err)
{
    sqlite3_stmt *stmt;
    int step, done = 0;

    if (sqlite3_prepare_v2(both->sqlite, table->from_sqlite, -1, &stmt, NULL) != SQLITE_OK)
        return complain_sqlite(both, table->name, err);
    while (done == 0 && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct row row = { 0 };

        for (int i = 0; i < table->columns; i++) {
            bool null = sqlite3_column_type(stmt, i) == SQLITE_NULL;
            const void *data =
                i + 1 == table->bytes ? sqlite3_column_blob(stmt, i) : sqlite3_column_text(stmt, i);

            row.cells[i].data = null ? NULL : data ? data : "";
            row.cells[i].n = null ? 0 : (size_t) sqlite3_column_bytes(stmt, i);
        }
        done = each(arg, &row, err);
    }
    if (done == 0 && step != SQLITE_DONE)
        done = complain_sqlite(both, table->name, err);
    sqlite3_finalize(stmt);
    return done;
}

static int read_fetched(const PGresult *r, int at, const struct table *table,
                        int (*each)(void *arg, const struct row *row, struct err *err), void *arg,
                        struct err *err)
{
    struct row row = { 0 };
    int done;

    for (int i = 0; i < table->columns; i++) {
        struct cell *cell = &row.cells[i];

        if (PQgetisnull(r, at, i))
            continue;
        cell->data = PQgetvalue(r, at, i);
        cell->n = (size_t) PQgetlength(r, at, i);
        if (i + 1 == table->bytes) {
            row.bytes = PQunescapeBytea((const unsigned char *) cell->data, &cell->n);
            cell->data = row.bytes;
        }
    }
    if (table->bytes && !row.bytes)
        return err_set(err, ERR_INTERNAL, "out of memory");
    done = each(arg, &row, err);
    PQfreemem(row.bytes);
    return done;
}

/* The same of PostgreSQL, within its transaction. */
static int read_postgres(const struct both *both, const struct table *table,
                         int (*each)(void *arg, const struct row *row, struct err *err), void *arg,
                         struct err *err)
{
    AUTO_BUF struct buf sql = BUF_EMPTY;
    char fetch[40];
    int n;

    buf_printf(&sql, "DECLARE reading NO SCROLL CURSOR FOR %s", table->from_postgres);
    if (run_postgres(both, buf_text(&sql), err) < 0)
        return -1;
    snprintf(fetch, sizeof fetch, "FETCH %d FROM reading", AT_ONCE);
    do {
        AUTO_RESULT PGresult *r = PQexec(both->postgres, fetch);

        if (PQresultStatus(r) != PGRES_TUPLES_OK)
            return err_set(err, ERR_INTERNAL, "%s: %.150s", table->name,
                           PQerrorMessage(both->postgres));
        n = PQntuples(r);
        for (int i = 0; i < n; i++)
            if (read_fetched(r, i, table, each, arg, err) < 0)
                return -1;
    } while (n == AT_ONCE);
    return run_postgres(both, "CLOSE reading", err);
}

/* Writing of one table. */
struct writing {
    const struct both *both;
    const struct table *table;
    sqlite3_stmt *stmt;
    int64_t rows;
};

static int write_sqlite(void *arg, const struct row *row, struct err *err)
{
    struct writing *w = arg;
    int done = SQLITE_OK;

    for (int i = 0; i < w->table->columns && done == SQLITE_OK; i++) {
        const struct cell *cell = &row->cells[i];

        if (!cell->data)
            done = sqlite3_bind_null(w->stmt, i + 1);
        else if (i + 1 == w->table->bytes)
            done = sqlite3_bind_blob64(w->stmt, i + 1, cell->data, cell->n, SQLITE_STATIC);
        else
            done = sqlite3_bind_text64(w->stmt, i + 1, cell->data, cell->n, SQLITE_STATIC,
                                       SQLITE_UTF8);
    }
    if (done != SQLITE_OK || sqlite3_step(w->stmt) != SQLITE_DONE)
        return complain_sqlite(w->both, w->table->name, err);
    sqlite3_reset(w->stmt);
    w->rows++;
    return 0;
}

static int write_postgres(void *arg, const struct row *row, struct err *err)
{
    struct writing *w = arg;
    const char *values[COLUMNS + 1] = { 0 };
    int lengths[COLUMNS + 1] = { 0 }, formats[COLUMNS + 1] = { 0 }, n = w->table->columns;
    char host[DELIVERY_HOST];

    for (int i = 0; i < n; i++) {
        values[i] = row->cells[i].data;
        lengths[i] = (int) row->cells[i].n;
        formats[i] = i + 1 == w->table->bytes;
    }
    /* Jobs: the host of callback_url, which is a column of its own there. */
    if (strcmp(w->table->name, "jobs") == 0) {
        if (values[16])
            delivery_host(values[16], host);
        values[n++] = values[16] ? host : NULL;
    }
    AUTO_RESULT PGresult *r = PQexecParams(w->both->postgres, w->table->to_postgres, n, NULL,
                                           values, lengths, formats, 0);
    if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK)
        return err_set(err, ERR_INTERNAL, "%s: %.150s", w->table->name,
                       PQerrorMessage(w->both->postgres));
    w->rows++;
    return 0;
}

static int hash_row(void *arg, const struct row *row, struct err *err)
{
    struct digest *digest = arg;

    (void) err;
    for (int i = 0; i < COLUMNS; i++) {
        const struct cell *cell = &row->cells[i];
        const uint64_t n = cell->data ? cell->n : UINT64_MAX;

        digest_add(digest, &n, sizeof n);
        if (cell->data)
            digest_add(digest, cell->data, cell->n);
    }
    return 0;
}

/* Whether both have the same rows. */
static int compare(const struct both *both, const struct table *table, struct err *err)
{
    char one[DIGEST_TEXT], other[DIGEST_TEXT];
    struct digest digest;

    digest_start(&digest);
    if (read_sqlite(both, table, hash_row, &digest, err) < 0)
        return -1;
    digest_end(&digest, one);
    digest_start(&digest);
    if (read_postgres(both, table, hash_row, &digest, err) < 0)
        return -1;
    digest_end(&digest, other);
    if (strcmp(one, other) == 0)
        return 0;
    return err_set(err, ERR_INTERNAL, "what was written of %s is not what was read", table->name);
}

/* SQLite numbers its parameters with "?". */
static sqlite3_stmt *prepare_insert(const struct both *both, const struct table *table,
                                    struct err *err)
{
    AUTO_FREE char *sql = strdup(table->to_sqlite);
    sqlite3_stmt *stmt = NULL;

    for (char *at = sql; at && (at = strchr(at, '$')) != NULL;)
        *at = '?';
    if (!sql)
        err_set(err, ERR_INTERNAL, "out of memory");
    else if (sqlite3_prepare_v2(both->sqlite, sql, -1, &stmt, NULL) != SQLITE_OK)
        complain_sqlite(both, table->name, err);
    return stmt;
}

static int move_table(const struct both *both, const struct table *table, bool to_postgres,
                      int64_t *rows, struct err *err)
{
    struct writing writing = { .both = both, .table = table };
    int done;

    if (!to_postgres && (writing.stmt = prepare_insert(both, table, err)) == NULL)
        return -1;
    done = to_postgres ? read_sqlite(both, table, write_postgres, &writing, err)
                       : read_postgres(both, table, write_sqlite, &writing, err);
    sqlite3_finalize(writing.stmt);
    *rows = writing.rows;
    return done < 0 ? -1 : compare(both, table, err);
}

/* The keys of webhooks: few, and without a name of their own to be read back in order by. */
static int move_all(const struct both *both, bool to_postgres, struct store_moved *moved,
                    struct err *err)
{
    static const struct table secrets = {
        "webhook_secrets",
        4,
        0,
        "SELECT account, text, created_at, valid_until FROM webhook_secrets ORDER BY row",
        "SELECT account, text, created_at, valid_until FROM platen.webhook_secrets ORDER BY row",
        "INSERT INTO webhook_secrets(account, text, created_at, valid_until)"
        " VALUES($1, $2, $3, $4)",
        "INSERT INTO platen.webhook_secrets(account, text, created_at, valid_until)"
        " VALUES($1, $2, $3, $4)"
    };
    int64_t ignored;

    for (int i = 0; i < STORE_MOVE_TABLES; i++) {
        moved->tables[i].name = tables[i].name;
        if (move_table(both, &tables[i], to_postgres, &moved->tables[i].rows, err) < 0)
            return -1;
    }
    return move_table(both, &secrets, to_postgres, &ignored, err);
}

static int open_both(struct both *both, const char *path, const char *url, struct err *err)
{
    if (!(both->postgres = postgres_connection_connect(url, err)))
        return -1;
    if (sqlite3_open_v2(path, &both->sqlite, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return complain_sqlite(both, path, err);
    return run_postgres(both, "BEGIN ISOLATION LEVEL REPEATABLE READ", err) < 0 ||
                   run_sqlite(both, "PRAGMA synchronous = FULL; BEGIN IMMEDIATE", err) < 0
               ? -1
               : 0;
}

/* A number that a statement gives. -1: it cannot be had. */
static int64_t ask_postgres(const struct both *both, const char *sql)
{
    AUTO_RESULT PGresult *r = PQexec(both->postgres, sql);

    return PQresultStatus(r) == PGRES_TUPLES_OK ? postgres_integer(r, 0, 0) : -1;
}

static int refuse_if_used(const struct both *both, struct err *err)
{
    int64_t live = ask_postgres(both, "SELECT count(*) FROM platen.nodes"
                                      " WHERE lease_until > platen.now_ms()");

    if (live == 0)
        return 0;
    return err_set(err, ERR_INVALID_REQUEST,
                   "servers use the database: stop all of them, and wait for the lease of one that "
                   "was killed");
}

/* The tables, brought to date by opening the store once. */
static int prepare_postgres(const char *url, struct err *err)
{
    struct store *store = store_postgres_open(url, err);

    store_close(store);
    return store ? 0 : -1;
}

static int refuse_if_filled(const struct both *both, struct err *err)
{
    if (ask_postgres(both, "SELECT (SELECT count(*) FROM platen.accounts)"
                           " + (SELECT count(*) FROM platen.jobs)") == 0)
        return 0;
    return err_set(err, ERR_INVALID_REQUEST,
                   "the database has keys or jobs already: a move needs an empty one");
}

static int refuse_if_there(const char *path, struct err *err)
{
    if (access(path, F_OK) < 0)
        return 0;
    return err_set(err, ERR_INVALID_REQUEST, "%.150s is there already: a move makes a new one",
                   path);
}

int store_move_check(const char *path, const char *url, bool to_postgres, struct err *err)
{
    AUTO_BOTH struct both both = { 0 };

    if (!to_postgres && refuse_if_there(path, err) < 0)
        return -1;
    if (!(both.postgres = postgres_connection_connect(url, err)))
        return -1;
    if (to_postgres &&
        ask_postgres(&both, "SELECT (to_regclass('platen.nodes') IS NULL)::int") == 1)
        return 0; /* the tables are made later */
    if (refuse_if_used(&both, err) < 0)
        return -1;
    return to_postgres ? refuse_if_filled(&both, err) : 0;
}

int store_move_to_postgres(const char *path, const char *url, struct store_moved *moved,
                           struct err *err)
{
    AUTO_BOTH struct both both = { 0 };

    if (prepare_postgres(url, err) < 0 || open_both(&both, path, url, err) < 0 ||
        refuse_if_used(&both, err) < 0 || refuse_if_filled(&both, err) < 0)
        return -1;
    if (move_all(&both, true, moved, err) < 0)
        return -1;
    return run_postgres(&both, finish_postgres, err);
}

int store_move_to_sqlite(const char *url, const char *path, struct store_moved *moved,
                         struct err *err)
{
    AUTO_BOTH struct both both = { 0 };
    char part[PATH_MOST];
    struct store *store;

    if (refuse_if_there(path, err) < 0)
        return -1;
    if ((size_t) snprintf(part, sizeof part, "%s.part", path) >= sizeof part)
        return err_set(err, ERR_INVALID_REQUEST, "the path is too long");
    unlink(part); /* of a move that was broken off */
    if (prepare_postgres(url, err) < 0 || !(store = store_sqlite_open(part, err)))
        return -1;
    store_close(store);
    if (open_both(&both, part, url, err) < 0 || refuse_if_used(&both, err) < 0 ||
        move_all(&both, false, moved, err) < 0 || run_sqlite(&both, finish_sqlite, err) < 0 ||
        run_sqlite(&both, "PRAGMA wal_checkpoint(TRUNCATE)", err) < 0)
        return -1;
    close_both(&both);
    both = (struct both){ 0 };
    if (rename(part, path) < 0)
        return err_sys(err, "name %s", path);
    return fdio_sync_parent(path, err);
}
