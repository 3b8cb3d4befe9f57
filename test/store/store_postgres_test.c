/* The contract against a PostgreSQL server that postgres.sh has started: a database each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/scope.h"
#include "base/system/thread.h"
#include "data/store_postgres/postgres_schema.h"
#include "data/store_postgres/store_postgres_open.h"
#include "store_contract.h"
#include "tap.h"

#define BOTH (STORE_WORKS | STORE_SERVES)

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
    int64_t ahead = 1 << 30;
    struct err err;

    make(url, sizeof url);
    is_int(store_postgres_examine(url, &version, &ahead, &err), 0,
           "a database without tables is sound");
    is_int(version, 0, "a database without tables has version 0");
    ok(llabs(ahead) < 60000, "the database's clock is near this machine's");
    STORE *first = store_postgres_open(url, &err);
    ok(first, "the first server makes the tables");
    STORE *second = store_postgres_open(url, &err);
    ok(second, "a second server finds the tables");
    is_int(store_postgres_examine(url, &version, &ahead, &err), 0,
           "a database with tables is sound");
    is_int(version, postgres_schema_newest(), "a database with tables has the newest version");
    server = url;
    ok(run("UPDATE platen.version SET version = 99"), "a newer platen upgrades the database");
    server = was;
    STORE *old = NULL;
    ok(!(old = store_postgres_open(url, &err)), "a database of a newer version is refused");
    ok(strstr(err.msg, "version 99"), "the error names the newer version: %s", err.msg);
    is_int(store_postgres_examine(url, &version, &ahead, &err), -1,
           "a database of a newer version is refused by store_postgres_examine");
}

static void test_addresses(void)
{
    static const struct {
        const char *url;
        enum err_code code;
    } cases[] = {
        { "postgresql://user@[::1/db", ERR_INVALID_PARAMETER },
        { "postgresql://localhost/db?no_such_option=1", ERR_INVALID_PARAMETER },
        { "postgresql:///db?host=/nonexistent", ERR_UNAVAILABLE },
    };
    char url[256];
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ok(!store_postgres_open(cases[i].url, &err), "%s is refused", cases[i].url);
        is_int(err.code, cases[i].code, "the error is the address's: %s", err.msg);
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
    is_int(account_of_job, account, "the next call has the right answer");
}

/* A call whose answer was lost with the connection comes again, and is done once. */
static void test_repeated_calls(void)
{
    static const char put[] =
        "SELECT 1 / (verdict = 'put')::int FROM platen.put('{j}', '{1}', '{5}', '{rotate}', '{0}',"
        " '{1}', '{0}', '{100}', '{0}', '{0}', '{7}', '{1}', '{1}', '{NULL}',"
        " '{https://example.com/x}', '{https://example.com}', '{NULL}', '{s}', '{\"{}\"}',"
        " '{[]}', '{9}', '{999}', '{9}', '{k}', '{f}', '{NULL}', '{call1}')";
    static const char end[] =
        "SELECT 1 / done FROM platen.finish('{n}', '{j}', '{1}', '{2}', '{9}', '{99}', '{5}', "
        "'{0}',"
        " '{o}', '{[]}', '{[]}', '{NULL}', '{NULL}', '{NULL}', '{0}', '{NULL}', '{call2}', '{16}',"
        " '{32}')";
    char url[256];
    const char *was = server;
    struct err err;

    make(url, sizeof url);
    STORE *store = store_postgres_open(url, &err);
    int64_t account = contract_account(store);
    is_int(account, 1, "the first account has the number 1");
    server = url;
    ok(run(put) && run(put), "a job is put twice by one call");
    is_int(contract_usage(store, account, 5).requests, 1,
           "a job that was put twice by one call is counted once");
    is_str(contract_depth(store), "1/0", "a job that was put twice by one call is pending once");
    ok(run("SELECT * FROM platen.claim('n', 100, 100, 1, NULL, '{}', 0)"), "the job is claimed");
    ok(run(end) && run(end), "the job is ended twice by one call");
    is_str(contract_depth(store), "0/0", "a job that was ended twice is not in the queue");
    ok(run("SELECT 1 / (count(*) = 1)::int FROM platen.deliveries"),
       "a job that was ended twice has one delivery");
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
    is_int(contract_claim(two, id), 0, "another server cannot claim the job");
    is_int(store_heartbeat(two, id, 1, NOW + 9, 0.5, &err), 0,
           "another server cannot renew the lease");
    is_int(store_finish(two, id, 1, &end, &err), 0, "another server cannot end the job");
    is_int(store_release(two, id, 1, NOW, false, &err), 0,
           "another server cannot put the job back");
    is_int(store_finish(one, id, 1, &end, &err), 1, "the server that claimed the job can end it");
}

/* A job of this very moment: a server of PostgreSQL goes by the clock of the database. */
static int put_now(struct store *store, int64_t account, char id[static ID_TEXT])
{
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    job.created_at = job.run_at = clock_wall_ms() - 1000;
    memcpy(id, job.id, ID_TEXT);
    return store_put(store, &job, &terms, &receipt, &err);
}

/* The attempt of a job that is claimed for a millisecond, or 0. */
static int32_t claim_now(struct store *store, char id[static ID_TEXT])
{
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (store_claim(store, clock_wall_ms(), 1, NULL, &job, &err) != 1)
        return 0;
    memcpy(id, job.id, ID_TEXT);
    return job.attempt;
}

static void test_roles(struct store *one)
{
    struct store_node nodes[3];
    struct store_pulse pulse;
    struct err err;

    is_int(store_nodes(one, nodes, COUNT(nodes), &err), 2, "two servers share the store");
    is_int(nodes[0].roles, BOTH, "one works and answers");
    is_int(nodes[1].roles, STORE_SERVES, "the other only answers");
    is_int(store_beat(one, 60000, STORE_WORKS, NULL, 0, &pulse, &err), 0,
           "one beats in another role");
    is_int(store_nodes(one, nodes, COUNT(nodes), &err), 2, "there are still two");
    is_int(nodes[0].roles, STORE_WORKS, "its role is the new one");
}

/* A server holds all its jobs by one lease. */
static void test_beat(void)
{
    char url[256], first[ID_TEXT], second[ID_TEXT];
    struct store_held held[2] = { { .attempt = 1, .progress = 0.5 }, { .attempt = 1 } };
    struct store_pulse pulse;
    struct store_end end = contract_completed();
    struct err err;

    make(url, sizeof url);
    STORE *one = store_postgres_open(url, &err);
    STORE *two = store_postgres_open(url, &err);
    const int64_t account = contract_account(one);
    const int64_t now = clock_wall_ms() + 30000;

    is_int(store_beat(one, 60000, BOTH, NULL, 0, &pulse, &err), 0, "a server without jobs beats");
    ok(pulse.alone && !pulse.due, "a first server is alone, and no job is due");
    is_int(store_beat(two, 60000, STORE_SERVES, NULL, 0, &pulse, &err), 0, "a second server beats");
    ok(!pulse.alone, "a second server is not alone");
    test_roles(one);
    put_now(one, account, first);
    put_now(one, account, second);
    is_int(store_beat(one, 60000, BOTH, NULL, 0, &pulse, &err), 0,
           "a working server beats while two jobs wait");
    ok(pulse.due, "a working server is told that jobs are due");
    is_int(store_beat(two, 60000, STORE_SERVES, NULL, 0, &pulse, &err), 0,
           "a server that does not work beats");
    ok(!pulse.due, "a server that does not work is not told");
    is_int(claim_now(one, held[0].id), 1, "one server claims a job");
    is_int(claim_now(two, held[1].id), 1, "the other server claims a job");
    is_int(store_beat(one, 60000, BOTH, held, 2, &pulse, &err), 0,
           "the first server names both jobs when it beats");
    ok(!held[0].lost && held[1].lost, "the first server's job is held, the other's is lost");
    is_int(store_reclaim(one, now, &err), 0, "no job is taken from a server whose lease holds");
    AUTO_JOB struct job job = { 0 };
    is_int(store_find(two, held[0].id, &job, &err), 1, "the other server finds the job");
    ok(job.progress == 0.5, "the other server finds the job's progress");
    server = url;
    ok(run("UPDATE platen.nodes SET lease_until = 1"), "the leases of both servers end");
    is_int(store_reclaim(two, now, &err), 2, "both jobs are put back");
    is_int(store_beat(one, 60000, BOTH, held, 1, &pulse, &err), 0,
           "a server whose lease ended beats");
    ok(held[0].lost, "a server whose lease ended is told that its job is lost");
    is_int(store_finish(one, held[0].id, 1, &end, &err), 0,
           "a server whose lease ended cannot end the job");
    is_int(claim_now(two, held[1].id), 2, "the other server claims one again");
    for (int64_t claimed = clock_wall_ms(); clock_wall_ms() < claimed + 3;)
        ; /* the job's own lease ends */
    is_int(store_beat(two, 60000, BOTH, NULL, 0, &pulse, &err), 0,
           "the other server beats without naming the job");
    is_int(store_reclaim(two, clock_wall_ms() + 30000, &err), 1,
           "a job that its server does not name is reclaimed");
    ok(run("DELETE FROM platen.nodes"), "the row of a server is deleted");
    is_int(store_beat(two, 60000, BOTH, NULL, 0, &pulse, &err), 0,
           "a server whose row was deleted beats");
    ok(run("SELECT 1 / (count(*) = 1)::int FROM platen.nodes WHERE lease_until > 1"),
       "a server whose row was deleted has a lease again");
}

/* One server of all has the chores of a second. */
static void test_chosen(void)
{
    char url[256];
    struct store_pulse one_pulse, two_pulse;
    struct err err;

    make(url, sizeof url);
    STORE *one = store_postgres_open(url, &err);
    STORE *two = store_postgres_open(url, &err);

    is_int(store_beat(one, 60000, BOTH, NULL, 0, &one_pulse, &err), 0, "one server beats");
    is_int(store_beat(two, 60000, BOTH, NULL, 0, &two_pulse, &err), 0,
           "another server beats at once");
    ok(one_pulse.chosen && !two_pulse.chosen, "only the first server is chosen to sweep");
}

/* A server that does only some tools. */
static void test_limit(void)
{
    static const char *const office[] = { "word-to-pdf", "excel-to-pdf" };
    static const char *const rotate[] = { "merge", "rotate" };
    char url[256], id[ID_TEXT], other[ID_TEXT];
    struct store_pulse pulse;
    struct err err;

    make(url, sizeof url);
    STORE *store = store_postgres_open(url, &err);
    put_now(store, contract_account(store), id);
    put_now(store, contract_account(store), other);
    is_int(store_limit(store, office, 2, &err), 0,
           "a server is limited to tools of office documents");
    is_int(claim_now(store, id), 0, "a limited server claims no job of another tool");
    is_int(store_beat(store, 60000, BOTH, NULL, 0, &pulse, &err), 0, "a limited server beats");
    ok(!pulse.due, "no job is due for a limited server");
    is_int(store_limit(store, rotate, 2, &err), 0, "a server is limited to other tools");
    is_int(store_beat(store, 60000, BOTH, NULL, 0, &pulse, &err), 0,
           "a server with those tools beats");
    ok(pulse.due, "a job is due for a server with those tools");
    is_int(claim_now(store, id), 1, "a server with those tools claims the job");
    is_int(store_limit(store, NULL, 0, &err), 0, "a server's limit is removed");
    is_int(claim_now(store, other), 1, "a server without a limit claims any job");
}

struct ear {
    pthread_mutex_t lock;
    pthread_cond_t woken;
    unsigned heard;
};

static void hear(void *arg, unsigned what)
{
    struct ear *ear = arg;

    pthread_mutex_lock(&ear->lock);
    ear->heard |= what;
    pthread_cond_signal(&ear->woken);
    pthread_mutex_unlock(&ear->lock);
}

static unsigned wait_for(struct ear *ear, unsigned what)
{
    const int64_t until = clock_mono_ms() + 20000;
    int64_t left;
    unsigned heard;

    pthread_mutex_lock(&ear->lock);
    while (!(ear->heard & what) && (left = until - clock_mono_ms()) > 0)
        thread_cond_wait_ms(&ear->woken, &ear->lock, left);
    heard = ear->heard;
    ear->heard = 0;
    pthread_mutex_unlock(&ear->lock);
    return heard;
}

/* Servers hear each other, but where a pooler stands between. */
static void test_bell(void)
{
    char url[256];
    struct ear one_ear = { .lock = PTHREAD_MUTEX_INITIALIZER },
               two_ear = { .lock = PTHREAD_MUTEX_INITIALIZER };
    const bool pooled = strstr(server, "port=6432") != NULL;
    struct store_pulse pulse;
    struct err err;

    thread_cond_init(&one_ear.woken);
    thread_cond_init(&two_ear.woken);
    make(url, sizeof url);
    struct store *one = store_postgres_open(url, &err);
    struct store *two = store_postgres_open(url, &err);
    ok(one && two, "two servers are opened");
    is_int(store_beat(one, 60000, BOTH, NULL, 0, &pulse, &err), 0, "the first server beats");
    is_int(store_beat(two, 60000, BOTH, NULL, 0, &pulse, &err), 0, "the second server beats");
    is_int(store_beat(one, 60000, BOTH, NULL, 0, &pulse, &err), 0, "the first server beats again");
    is_int(store_listen(one, hear, &one_ear, &err), 0, "the first server listens");
    is_int(store_listen(two, hear, &two_ear, &err), 0, "the second server listens");
    if (pooled) {
        ok(!store_ring(one, STORE_RING_JOBS), "behind a pooler no ring is heard");
    } else {
        ok(wait_for(&one_ear, STORE_RING_JOBS) && wait_for(&two_ear, STORE_RING_JOBS),
           "a server that begins to listen is told that anything may have happened");
        for (int i = 0; i < 1000; i++)
            store_ring(one, STORE_RING_ENDS);
        is_int(wait_for(&two_ear, STORE_RING_ENDS), STORE_RING_ENDS,
               "the other server hears a ring");
        is_int(one_ear.heard, 0, "a server does not hear its own ring");
        server = url;
        ok(run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
               " WHERE query LIKE 'LISTEN%' OR query LIKE 'NOTIFY%'"),
           "the connections are lost");
        ok(wait_for(&one_ear, STORE_RING_JOBS) && wait_for(&two_ear, STORE_RING_JOBS),
           "servers that lost connections listen again, and are told that anything may have "
           "happened");
    }
    store_close(one);
    store_close(two);
}

#define ACCOUNTS 4

struct caller {
    pthread_t thread;
    struct store *store;
    const int64_t *accounts;
    int put, refused, ended;
};

static void *put_many(void *arg)
{
    struct caller *caller = arg;
    const struct store_end end = contract_completed();
    char id[ID_TEXT];
    int32_t attempt;
    struct err err;

    for (int i = 0; i < 20; i++) {
        const int64_t account = caller->accounts[i % ACCOUNTS];

        /* Every fifth names an account that is not there. */
        if (i % 5 == 4)
            caller->refused += put_now(caller->store, account + 1000, id) < 0;
        else
            caller->put += put_now(caller->store, account, id) == 0;
        attempt = claim_now(caller->store, id);
        caller->ended += attempt && store_finish(caller->store, id, attempt, &end, &err) == 1;
    }
    return NULL;
}

/* Threads whose calls meet share transactions; each gets its own answer. Two servers lock the same
 * accounts. */
static void test_groups(void)
{
    struct caller callers[16];
    int64_t accounts[ACCOUNTS];
    char url[256];
    int put = 0, refused = 0, ended = 0;
    struct err err;

    make(url, sizeof url);
    STORE *one = store_postgres_open(url, &err);
    STORE *two = store_postgres_open(url, &err);
    for (size_t i = 0; i < COUNT(accounts); i++)
        accounts[i] = contract_account(one);
    for (size_t i = 0; i < COUNT(callers); i++) {
        callers[i] = (struct caller){ .store = i % 2 ? one : two, .accounts = accounts };
        pthread_create(&callers[i].thread, NULL, put_many, &callers[i]);
    }
    for (size_t i = 0; i < COUNT(callers); i++) {
        pthread_join(callers[i].thread, NULL);
        put += callers[i].put;
        refused += callers[i].refused;
        ended += callers[i].ended;
    }
    is_int(put, 256, "all calls of known accounts are done");
    is_int(refused, 64, "all calls of unknown accounts are refused");
    char left[32];
    snprintf(left, sizeof left, "%d/0", put - ended);
    is_str(contract_depth(one), left, "each call and each of %d ends is done once", ended);
    server = url;
    ok(run("SELECT 1 / (count(*) > 0)::int FROM (SELECT 1 FROM platen.jobs GROUP BY xmin::text"
           " HAVING count(DISTINCT account) > 1) t"),
       "accounts share transactions");
    ok(run("SELECT 1 / (deadlocks = 0)::int FROM pg_stat_database"
           " WHERE datname = current_database()"),
       "servers cause no deadlocks");
}

struct opening {
    pthread_t thread;
    char url[256];
    bool opened;
};

static void *open_store(void *arg)
{
    struct opening *opening = arg;
    struct err err;
    struct store *store = store_postgres_open(opening->url, &err);

    opening->opened = store != NULL;
    if (store)
        store_close(store);
    else
        printf("# %s\n", err.msg);
    return NULL;
}

/* Servers that find an empty database at the same time: all but one come too late to make the
 * tables. */
static void test_opened_at_once(void)
{
    static const char waiting[] =
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        " AND database = (SELECT oid FROM pg_database"
        " WHERE datname = current_database())";
    struct opening openings[3];
    char url[256];
    int opened = 0, n = 0;

    make(url, sizeof url);
    PGconn *conn = PQconnectdb(url);
    PQclear(PQexec(conn, "BEGIN")); /* a pooler gives a connection for one transaction */
    PQclear(PQexec(conn, "SELECT pg_advisory_xact_lock(8101160)"));
    for (size_t i = 0; i < COUNT(openings); i++) {
        snprintf(openings[i].url, sizeof openings[i].url, "%s", url);
        pthread_create(&openings[i].thread, NULL, open_store, &openings[i]);
    }
    for (int64_t until = clock_mono_ms() + 60000; n < 3 && clock_mono_ms() < until;) {
        PGresult *r = PQexec(conn, waiting);

        n = PQntuples(r);
        PQclear(r);
    }
    PQclear(PQexec(conn, "COMMIT"));
    for (size_t i = 0; i < COUNT(openings); i++) {
        pthread_join(openings[i].thread, NULL);
        opened += openings[i].opened;
    }
    PQfinish(conn);
    is_int(n, 3, "three servers wait while another makes the tables");
    is_int(opened, 3, "servers that begin with an empty database at once all start");
}

/* Sends the webhook that is due. */
static void tell(struct store *store)
{
    AUTO_STORE_DELIVERIES struct store_deliveries due = { 0 };
    struct store_outcome outcome = { .state = DELIVERY_DELIVERED, .at = NOW, .http_status = 200 };
    struct err err = { .msg = "none" };

    if (store_delivery_claim(store, clock_wall_ms() + 1, 1, &due, &err) < 0 || due.n != 1)
        printf("# no webhook is due: %s\n", due.n ? "" : err.msg);
    else
        memcpy(outcome.id, due.list[0].id, sizeof outcome.id);
    store_delivery_settle(store, &outcome, due.n, &err);
}

static void work(struct store *store, int64_t account, int n, char *callback)
{
    struct store_terms terms = contract_terms();
    struct store_end end = contract_completed();
    struct store_receipt receipt;
    char id[ID_TEXT];
    struct err err;

    for (int i = 0; i < n; i++) {
        struct job job = contract_job(account);

        job.created_at = job.run_at = end.finished_at = clock_wall_ms();
        job.callback_url = job.callback_base = callback;
        store_put(store, &job, &terms, &receipt, &err);
        int32_t attempt = claim_now(store, id);
        if (!attempt || store_finish(store, id, attempt, &end, &err) != 1)
            printf("# job %d was not done\n", i);
        if (callback)
            tell(store);
    }
}

/* Entries of indexes that a job with a webhook reads from its submission to its end, and what a
 * server does for all once. */
static int64_t count_entries(PGconn *conn, int64_t account)
{
    /* Of the connection's since they were last flushed, which may be before this transaction. */
    static const char sum[] = "SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid))"
                              " FROM pg_stat_user_indexes WHERE schemaname = 'platen'";
    char put[600];
    const char *const calls[] = {
        "BEGIN",
        sum,
        put,
        "SELECT platen.claim('me', platen.now_ms() + 1, 1000, 1, NULL, '{}', 0)",
        "SELECT platen.finish('{me}', '{looked-at}', '{1}', '{2}', ARRAY[platen.now_ms()], '{9}',"
        " '{1}', '{1}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{0}',"
        " '{NULL}', '{call}', '{1}', '{1}')",
        "SELECT platen.delivery_claim('me', platen.now_ms() + 1, 1, 16, 99)",
        "SELECT platen.delivery_settle('call', 2, 1, 0, 200, 1, NULL, NULL, 0, 16, 99)",
        "SELECT platen.delivery_reclaim(NULL, 16, 99)",
        sum,
    };
    int64_t entries = 0;

    snprintf(
        put, sizeof put,
        "SELECT platen.put('{looked-at}', '{%lld}', '{5}', '{rotate}', '{0}', '{1}', '{0}', '{1}',"
        " '{0}', '{0}', '{10}', '{1}', ARRAY[platen.now_ms()], '{NULL}', '{https://a.example/}',"
        " '{a.example}', '{https://b.example}', '{NULL}', '{NULL}', '{NULL}', '{1000000}',"
        " '{1000000000}', '{1000000}', '{NULL}', '{NULL}', '{NULL}', '{call}')",
        (long long) account);
    for (size_t i = 0; i < COUNT(calls); i++) {
        PGresult *r = PQexec(conn, calls[i]);

        if (PQresultStatus(r) == PGRES_FATAL_ERROR)
            printf("# %s: %s", calls[i], PQerrorMessage(conn));
        else if (calls[i] == sum)
            entries = strtoll(PQgetvalue(r, 0, 0), NULL, 10) - entries;
        PQclear(r);
    }
    PQclear(PQexec(conn, "ROLLBACK"));
    return entries;
}

/* What vacuum may not remove because of an old transaction is not looked at again by each call. */
static void test_held_snapshot(void)
{
    static char callback[] = "https://a.example/";
    char url[256];
    struct err err;

    make(url, sizeof url);
    STORE *store = store_postgres_open(url, &err);
    const int64_t account = contract_account(store);
    PGconn *old = PQconnectdb(url), *conn = PQconnectdb(url);
    work(store, account, 50, callback);
    PQclear(PQexec(old, "BEGIN ISOLATION LEVEL REPEATABLE READ"));
    PQclear(PQexec(old, "SELECT count(*) FROM platen.queue"));
    int64_t first = count_entries(conn, account);
    work(store, account, 400, callback);
    int64_t last = count_entries(conn, account);
    printf("# %lld entries, then %lld\n", (long long) first, (long long) last);
    /* A claim looks at what came since turn_low was last moved, which is a few jobs. */
    ok(first > 0 && last < first + 200,
       "a job reads no more entries of indexes after 400 others while a snapshot is held");
    PQfinish(old);
    PQfinish(conn);
}

/* Of jobs in a minute, for servers that share the store. */
static void test_permits(void)
{
    struct store_permits got = { 0 };
    struct err err = { 0 };
    STORE *store = fresh(&err);
    int64_t sum = 0, account = contract_account(store), other = contract_account(store);

    store_permit(store, account, 800, 4, &got, &err);
    ok(got.granted == 4 && got.used == 4, "several permits are granted at once");
    for (int i = 0; i < 300 && got.granted; i++) {
        sum += got.granted;
        store_permit(store, account, 800, 4, &got, &err);
    }
    is_int(sum, 800, "all permits of a minute are granted, and no more");
    ok(got.granted == 0 && got.wait_ms > 0 && got.wait_ms <= 61000,
       "then the wait is told: %lld ms", (long long) got.wait_ms);
    store_permit(store, account, 900, 99, &got, &err);
    is_int(got.granted, 6, "when few are left, a sixteenth of them is granted");
    store_permit(store, other, 1, 4, &got, &err);
    ok(got.granted == 1 && got.used == 1, "another account has its own");
    store_permit(store, other, 1, 4, &got, &err);
    is_int(got.granted, 0, "a limit of one is one");
}

/* Another user of the database has made functions that fit better than PostgreSQL's own. */
static void test_strange_functions(void)
{
    const struct store_end end = contract_completed();
    AUTO_JOB struct job job = { 0 };
    char url[256], id[ID_TEXT];
    struct err err;

    make(url, sizeof url);
    server = url;
    STORE *store = store_postgres_open(url, &err);
    ok(run("CREATE FUNCTION public.array_position(text[], text) RETURNS int LANGUAGE plpgsql AS"
           " $$ BEGIN RAISE EXCEPTION 'taken'; END $$") &&
           run("CREATE FUNCTION public.strange(numeric, int) RETURNS numeric LANGUAGE plpgsql AS"
               " $$ BEGIN RAISE EXCEPTION 'taken'; END $$") &&
           run("CREATE OPERATOR public.* (leftarg = numeric, rightarg = int,"
               " function = public.strange)"),
       "there are functions of a stranger");
    contract_put(store, contract_account(store), id);
    is_int(store_claim(store, NOW, LEASE, &(struct store_choice){ 0 }, &job, &err), 1,
           "a job is claimed without them");
    is_int(store_finish(store, id, 1, &end, &err), 1, "a job ends without them");
    is_int(contract_state(store, id), JOB_COMPLETED, "the end is stored");
}

int main(void)
{
    const char *was;

    server = getenv("PLATEN_POSTGRES");
    if (!server) {
        puts("1..0 # SKIP PLATEN_POSTGRES names no server: run it by postgres.sh");
        return 0;
    }
    was = server;
    store_contract(fresh);
    test_versions();
    test_addresses();
    test_lost_connection();
    test_repeated_calls();
    test_epoch();
    test_beat();
    server = was;
    test_chosen();
    test_limit();
    test_bell();
    server = was;
    test_groups();
    server = was;
    test_opened_at_once();
    server = was;
    test_held_snapshot();
    test_permits();
    test_strange_functions();
    server = was;
    return done_testing();
}
