/* The contract against a PostgreSQL server that postgres.sh has started: a database each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "store/postgres_schema.h"
#include "store_contract.h"
#include "tap.h"

static const char *server;

static bool run(const char *sql)
{
    PGconn *conn = PQconnectdb(server);
    PGresult *result = PQexec(conn, sql);
    ExecStatusType status = PQresultStatus(result);

    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        printf("# %s: %s", sql, PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* The server's address with another database. */
static void address(char *out, size_t size, const char *database)
{
    const char *end = strstr(server, "/postgres?");

    snprintf(out, size, "%.*s/%s%s", (int) (end - server), server, database,
             end + strlen("/postgres"));
}

static void make(char *url, size_t size)
{
    static int n;
    char name[16], sql[64];

    snprintf(name, sizeof name, "t%d", n++);
    snprintf(sql, sizeof sql, "CREATE DATABASE %s", name);
    run(sql);
    address(url, size, name);
}

static struct store *fresh(struct err *err)
{
    char url[256];

    make(url, sizeof url);
    return store_postgres_open(url, err);
}

static void test_versions(void)
{
    char url[256];
    const char *was = server;
    int version = -1;
    struct err err;

    make(url, sizeof url);
    is_int(store_postgres_examine(url, &version, &err), 0, "a database without tables is sound");
    is_int(version, 0, "and of no version");
    STORE *first = store_postgres_open(url, &err);
    ok(first, "opened, it gets them");
    STORE *second = store_postgres_open(url, &err);
    ok(second, "a second server finds them");
    is_int(store_postgres_examine(url, &version, &err), 0, "it is still sound");
    is_int(version, postgres_schema_newest(), "and of the newest version");
    server = url;
    ok(run("UPDATE platen.version SET version = 99"), "a newer platen comes");
    server = was;
    STORE *old = NULL;
    ok(!(old = store_postgres_open(url, &err)), "its database is refused");
    ok(strstr(err.msg, "version 99"), "by its version: %s", err.msg);
    is_int(store_postgres_examine(url, &version, &err), -1, "also when it is only looked at");
}

static void test_addresses(void)
{
    static const struct {
        const char *url;
        enum err_code code;
    } cases[] = {
        { "postgresql://user@[::1/db", ERR_INVALID_PARAMETER },
        { "postgresql://localhost/db?no_such_option=1", ERR_INVALID_PARAMETER },
        { "postgresql:///db?host=/nonexistent", ERR_OVERLOADED },
    };
    char url[256];
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ok(!store_postgres_open(cases[i].url, &err), "%s is refused", cases[i].url);
        is_int(err.code, cases[i].code, "for what it is: %s", err.msg);
    }
    address(url, sizeof url, "nosuch");
    ok(!store_postgres_open(url, &err) && strstr(err.msg, "nosuch"),
       "a database that is not there is named: %s", err.msg);
}

/* The server ends every connection, as at a restart or a failover. */
static void test_lost_connection(void)
{
    STORE *store = fresh(&(struct err){ 0 });
    int64_t account = contract_account(store), account_of_job;
    AUTO_JOB struct job job = { 0 };
    char id[ID_TEXT];
    struct err err;

    contract_put(store, account, id);
    ok(run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
           " WHERE application_name = 'platen'"),
       "all connections are ended");
    is_int(store_find(store, id, &job, &err), 1, "the next call connects again");
    account_of_job = job.key_id;
    is_int(account_of_job, account, "and is answered");
}

/* A call whose answer was lost with the connection comes again, and is done once. */
static void test_repeated_calls(void)
{
    static const char put[] =
        "SELECT 1 / (verdict = 'put')::int FROM platen.put('j', 1, 5, 'rotate', 0, 1, 0, 100, 0, 0,"
        " 7, 1, 1, NULL, 'https://example.com/x', 'https://example.com', NULL, 's', '{}', '[]',"
        " 9, 999, 9, 'k', 'f', NULL, 'call1')";
    static const char end[] =
        "SELECT 1 / platen.finish('n', 'j', 1, 2, 9, 99, 5, 0, 'o', '[]', '[]', NULL, NULL, NULL,"
        " 0, NULL, 'call2', 16, 32)";
    char url[256];
    const char *was = server;
    struct err err;

    make(url, sizeof url);
    STORE *store = store_postgres_open(url, &err);
    int64_t account = contract_account(store);
    is_int(account, 1, "an account");
    server = url;
    ok(run(put) && run(put), "a job is put twice by one call");
    is_int(contract_usage(store, account, 5).requests, 1, "it is counted once");
    is_str(contract_depth(store), "1/0", "it waits once");
    ok(run("SELECT * FROM platen.claim('n', 100, 100)"), "it is claimed");
    ok(run(end) && run(end), "it is ended twice by one call");
    is_str(contract_depth(store), "0/0", "and is one end");
    ok(run("SELECT 1 / (count(*) = 1)::int FROM platen.deliveries"), "with one delivery");
    server = was;
}

/* Another server with the same number of an attempt cannot end a job. */
static void test_epoch(void)
{
    char url[256], id[ID_TEXT];
    struct store_end end = contract_completed();
    struct err err;

    make(url, sizeof url);
    STORE *one = store_postgres_open(url, &err);
    STORE *two = store_postgres_open(url, &err);

    contract_put(one, contract_account(one), id);
    is_int(contract_claim(one, id), 1, "one server claims a job");
    is_int(contract_claim(two, id), 0, "another does not");
    is_int(store_heartbeat(two, id, 1, NOW + 9, 0.5, &err), 0, "nor can it renew the lease");
    is_int(store_finish(two, id, 1, &end, &err), 0, "nor end it");
    is_int(store_release(two, id, 1, NOW, false, &err), 0, "nor put it back");
    is_int(store_finish(one, id, 1, &end, &err), 1, "who claimed it can");
}

int main(void)
{
    server = getenv("PLATEN_POSTGRES");
    if (!server) {
        puts("1..0 # SKIP PLATEN_POSTGRES names no server: run it by postgres.sh");
        return 0;
    }
    store_contract(fresh);
    test_versions();
    test_addresses();
    test_lost_connection();
    test_repeated_calls();
    test_epoch();
    return done_testing();
}
