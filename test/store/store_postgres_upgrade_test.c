/* The store in PostgreSQL does what platen 0.1.0 left, and refuses older versions. Takes
 * postgres_version7.sql; postgres.sh starts the server. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "data/store_postgres/postgres_schema.h"
#include "data/store_postgres/store_postgres_open.h"
#include "store_contract.h"
#include "tap.h"

#define LONG_AGO 1688169600000LL /* the month of the jobs */
#define JOBS     8
#define ENDED    3
#define RUNNING  2

/* Embedded by the build of store_postgres. */
extern const char postgres_functions[];

static void script(const char *url, const char *sql)
{
    PGconn *conn = PQconnectdb(url);
    PGresult *result = PQexec(conn, sql);

    if (PQresultStatus(result) == PGRES_FATAL_ERROR || PQstatus(conn) != CONNECTION_OK)
        printf("# %s", PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
}

/* A new database, with its address. */
static void make(const char *server, const char *name, const char *sql, char *url, size_t size)
{
    const char *end = strstr(server, "/postgres?");
    char create[64];

    snprintf(create, sizeof create, "CREATE DATABASE %s", name);
    script(server, create);
    snprintf(url, size, "%.*s/%s%s", (int) (end - server), server, name, end + strlen("/postgres"));
    script(url, sql);
}

/* The database of platen 0.1.0. */
static void make_old(const char *server, const char *name, const char *path, char *url, size_t size)
{
    AUTO_BUF struct buf sql = BUF_EMPTY;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct err err;

    if (fd < 0 || fdio_read_all(fd, 1 << 20, &sql, &err) < 0)
        printf("# %s cannot be read\n", path);
    buf_puts(&sql, postgres_functions);
    buf_put(&sql, "", 1);
    make(server, name, sql.data, url, size);
}

/* Ends every job that can be claimed; the number of different ones. */
static int do_jobs(struct store *store)
{
    char done[JOBS + 1][ID_TEXT];
    struct store_end end = contract_completed();
    int n = 0, got = 1;
    struct err err;

    end.finished_at = clock_wall_ms();
    while (n <= JOBS && got == 1) {
        AUTO_JOB struct job job = { 0 };

        got = store_claim(store, clock_wall_ms(), LEASE, NULL, &job, &err);
        if (got != 1)
            break;
        for (int i = 0; i < n; i++)
            if (strcmp(done[i], job.id) == 0)
                printf("# %s is claimed twice\n", job.id), got = -1;
        memcpy(done[n++], job.id, ID_TEXT);
        if (store_finish(store, job.id, job.attempt, &end, &err) != 1)
            got = -1;
    }
    return got == 0 ? n : -1;
}

/* Delivers every webhook that can be claimed; the number of different jobs' ones. */
static int deliver(struct store *store)
{
    char told[JOBS + 1][ID_TEXT];
    int n = 0;
    struct err err;

    for (;;) {
        AUTO_STORE_DELIVERIES struct store_deliveries due = { 0 };
        struct store_outcome outcome = { .state = DELIVERY_DELIVERED, .http_status = 200 };

        outcome.at = clock_wall_ms();
        if (store_delivery_claim(store, clock_wall_ms(), 1, &due, &err) < 0)
            return -1;
        if (due.n == 0)
            return n;
        for (int i = 0; i < n; i++)
            if (strcmp(told[i], due.list[0].job_id) == 0)
                return printf("# the webhook of %s is sent twice\n", told[i]), -1;
        if (n > JOBS)
            return -1;
        memcpy(told[n++], due.list[0].job_id, ID_TEXT);
        memcpy(outcome.id, due.list[0].id, ID_TEXT);
        if (store_delivery_settle(store, &outcome, 1, &err) < 0)
            return -1;
    }
}

/* The columns, indexes, constraints and sequences of a database, one a line. */
static void tables(const char *url, struct buf *out)
{
    static const char query[] =
        "SELECT string_agg(line, chr(10) ORDER BY line) FROM ("
        "SELECT concat_ws(' ', c.relkind, c.relname, c.reloptions, a.attnum, a.attname, "
        "a.attnotnull,"
        " format_type(a.atttypid, a.atttypmod), a.attcollation, a.attstorage, a.attidentity,"
        " pg_get_expr(d.adbin, d.adrelid)) AS line FROM pg_class c"
        " JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attnum > 0"
        " LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum"
        " WHERE c.relnamespace = 'platen'::regnamespace AND c.relkind IN ('r', 'v')"
        " UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'platen'"
        " UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))"
        " FROM pg_constraint WHERE connamespace = 'platen'::regnamespace"
        " UNION ALL SELECT concat_ws(' ', viewname, definition) FROM pg_views"
        " WHERE schemaname = 'platen'"
        " UNION ALL SELECT concat_ws(' ', sequencename, start_value, min_value, max_value,"
        " increment_by, cycle, cache_size) FROM pg_sequences WHERE schemaname = 'platen') t";
    PGconn *conn = PQconnectdb(url);
    PGresult *result = PQexec(conn, query);

    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        buf_puts(out, PQgetvalue(result, 0, 0));
    else
        printf("# %s", PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
}

/* Where the first line begins that two texts do not share; their end if there is none. */
static size_t first_difference(const char *a, const char *b)
{
    size_t line = 0, i = 0;

    for (; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n')
            line = i + 1;
    return a[i] == b[i] ? i : line;
}

static void test_same_tables(const char *server, const char *path)
{
    AUTO_BUF struct buf old = BUF_EMPTY;
    AUTO_BUF struct buf new = BUF_EMPTY;
    char url[256];
    struct err err;

    make_old(server, "old", path, url, sizeof url);
    store_close(store_postgres_open(url, &err));
    tables(url, &old);
    make(server, "new", "", url, sizeof url);
    store_close(store_postgres_open(url, &err));
    tables(url, &new);
    ok(old.len > 5000, "the tables of 0.1.0 are described");
    size_t at = first_difference(buf_text(&new), buf_text(&old));
    char got[200], want[200];
    snprintf(got, sizeof got, "%.*s", (int) strcspn(buf_text(&new) + at, "\n"),
             buf_text(&new) + at);
    snprintf(want, sizeof want, "%.*s", (int) strcspn(buf_text(&old) + at, "\n"),
             buf_text(&old) + at);
    is_str(got, want, "a database of 0.1.0 gets the tables of a new one");
}

static void test_older(const char *server, const char *path)
{
    char url[256];
    int version = 0;
    int64_t ahead;
    struct err err = { .msg = "" };

    make_old(server, "older", path, url, sizeof url);
    script(url, "UPDATE platen.version SET version = 6");
    ok(!store_postgres_open(url, &err), "a database of version 6 is refused");
    ok(strstr(err.msg, "version 6") && strstr(err.msg, "0.1.0"),
       "the error says which platen upgrades it: %s", err.msg);
    is_int(store_postgres_examine(url, &version, &ahead, &err), -1,
           "a database of version 6 is refused by store_postgres_examine");
}

static void test_upgrade(const char *server, const char *path)
{
    char url[256];
    int version = -1;
    int64_t ahead, next = -1;
    struct store_pulse pulse;
    struct store_receipt receipt;
    struct store_terms terms = contract_terms();
    struct err err = { .msg = "" };

    make_old(server, "upgraded", path, url, sizeof url);
    is_int(store_postgres_examine(url, &version, &ahead, &err), 0,
           "a database of version 7 is examined");
    is_int(version, 7, "the version of the database is found");
    STORE *store = store_postgres_open(url, &err);
    ok(store, "the database is opened: %s", err.msg);
    if (!store)
        return;
    store_postgres_examine(url, &version, &ahead, &err);
    is_int(version, postgres_schema_newest(), "the opened database has the newest version");
    is_str(contract_depth(store), "3/2",
           "the upgraded database has three pending and two running jobs");
    is_int(contract_usage(store, 1, LONG_AGO).requests, JOBS / 2,
           "the requests of an account are counted");
    is_int(contract_usage(store, 2, LONG_AGO).bytes, 5 * JOBS / 2,
           "the bytes of the other account are counted");
    is_int(store_beat(store, 60000, true, NULL, 0, &pulse, &err), 0, "a server beats");
    ok(pulse.due, "the upgraded database has jobs that are due");
    is_int(pulse.reclaimed, RUNNING, "jobs that a server of the old version ran are reclaimed");

    struct job again = contract_job(2);
    terms.idempotency_key = "again";
    terms.fingerprint = "print";
    is_int(store_put(store, &again, &terms, &receipt, &err), 0,
           "a request with an old idempotency key is put");
    ok(receipt.replayed, "an old idempotency key is a replay");
    is_int(do_jobs(store), JOBS - ENDED, "every job that had not ended is done once");
    is_int(deliver(store), JOBS - 1, "every webhook that was not delivered is sent once");
    is_int(store_delivery_next(store, &next, &err), 0, "the next delivery is asked for");
    is_int(next, 0, "no delivery waits");
    AUTO_BUF struct buf result = BUF_EMPTY;
    is_int(
        store_files(store, "01900000-0000-7000-8000-000000000001", JOB_HAS_RESULT, &result, &err),
        1, "the result of an old job is found");
    ok(result.len == 4 && memcmp(result.data, "done", 4) == 0,
       "the result of an old job is the same");
}

int main(int argc, char **argv)
{
    const char *server = getenv("PLATEN_POSTGRES");

    if (!server || argc != 2) {
        puts("1..0 # SKIP PLATEN_POSTGRES names no server: run it by postgres.sh");
        return 0;
    }
    test_upgrade(server, argv[1]);
    test_older(server, argv[1]);
    test_same_tables(server, argv[1]);
    return done_testing();
}
