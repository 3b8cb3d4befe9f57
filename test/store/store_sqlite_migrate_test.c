/* Upgrades: a database of platen 0.1.0 works on, and one that is cut off on the way is whole.
 * Takes version11.sql. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "data/job/job.h"
#include "data/store_sqlite/sqlite_backup.h"
#include "data/store_sqlite/sqlite_schema.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "store_contract.h"
#include "store_sqlite_temp.h"
#include "tap.h"

#define JOB(n) "01900000-0000-7000-8000-00000000000" #n

#define AUTO_DB __attribute__((cleanup(sqlite_db_close))) struct sqlite_db

static struct buf version11;

static const char *const first = ""; /* version11.sql makes the first version */
static const char second[] = "CREATE TABLE extra(n INTEGER);"
                             "INSERT INTO extra SELECT attempt FROM jobs;";
static const char broken[] = "INSERT INTO extra VALUES(99); ALTER TABLE nothing ADD COLUMN x;";
/* Takes seconds, and its log grows all the while. */
static const char slow[] =
    "CREATE TABLE extra(n INTEGER, t TEXT);"
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000)"
    " INSERT INTO extra SELECT n, hex(zeroblob(100)) FROM c;";

static void make_first(const char *path)
{
    sqlite3 *db;
    char *message = NULL;

    if (sqlite3_open(path, &db) || sqlite3_exec(db, buf_text(&version11), NULL, NULL, &message))
        printf("# version11.sql: %s\n", message ? message : "cannot open");
    sqlite3_free(message);
    sqlite3_close(db);
}

/* The first number of a query, -1 if there is none. */
static int64_t number(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    int64_t n = -1;

    if (sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return n;
}

static int bring(const char *path, const char *const *list, size_t n, struct err *err)
{
    AUTO_DB db = { 0 };

    if (sqlite_db_open(&db, path, false, err) < 0)
        return -1;
    return sqlite_schema_bring(&db, list, n, err);
}

static void test_first_version(void)
{
    AUTO_FREE char *path = strdup(temp_path("first.db"));
    struct err err = { 0 };
    struct key key = { 0 };
    char id[ID_TEXT];

    make_first(path);
    STORE *store = store_sqlite_open(path, &err);
    if (!ok(store != NULL, "a database of version 11 is opened: %s", err.msg))
        return;
    ok(access(temp_path("first.db.v11"), F_OK) == 0, "a copy of the old version is kept");
    ok(number(path, "PRAGMA user_version") > SQLITE_SCHEMA_FIRST, "it gets the newest version");
    is_str(contract_depth(store), "1/1", "pending and running jobs are kept");
    is_int(contract_state(store, JOB(3)), JOB_COMPLETED, "a completed job is kept");
    is_int(contract_state(store, JOB(4)), JOB_FAILED, "a failed job is kept");
    is_int(contract_state(store, JOB(5)), JOB_EXPIRED, "an expired job is kept");
    is_int(contract_usage(store, 1, 1759276800000).requests, 5, "the usage is kept");
    is_int(store_key_find(store, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
                          &key, &err),
           1, "a key is kept");
    is_str(key.plan, "pro", "a key's plan is kept");
    is_int(store_reclaim(store, INT64_MAX, &err), 1, "a running job can be reclaimed");
    contract_claim(store, id);
    is_str(id, JOB(1), "jobs are claimed in their order");
    is_int(contract_claim(store, id), 2, "the reclaimed job is claimed as a second attempt");
    contract_put(store, 1, id);
    is_int(contract_claim(store, id), 1, "a new job is claimed after the old ones");
    is_int(contract_account(store), 2, "a new account gets the next number");
}

static void test_webhooks(void)
{
    static const char put[] =
        "INSERT INTO deliveries(id, job, account, host, url, created_at, since, next_at)"
        " VALUES('a', 'a', 1, 'h', 'https://h/', 1, 1, 10), ('b', 'b', 2, 'h', 'https://h/', 1, 1, "
        "5),"
        " ('c', 'c', 2, 'i', 'https://i/', 1, 1, 7), ('d', 'd', 3, 'i', 'https://i/', 1, 1, 1);"
        "UPDATE deliveries SET state = 2 WHERE id = 'd';"
        "INSERT INTO callback_hosts(account, host, next_at) VALUES(1, 'h', 10), (2, 'h', 5), (2, "
        "'i', 7);"
        "INSERT INTO callback_accounts(account, next_at) VALUES(1, 10), (2, 5);";
    AUTO_STORE_DELIVERIES struct store_deliveries got = { 0 };
    const char *path = temp_path("webhooks.db");
    struct err err = { 0 };
    int64_t next = 0;
    sqlite3 *db;

    make_first(path);
    if (sqlite3_open(path, &db) || sqlite3_exec(db, put, NULL, NULL, NULL))
        printf("# %s\n", sqlite3_errmsg(db));
    sqlite3_close(db);
    STORE *store = store_sqlite_open(path, &err);
    if (!ok(store != NULL, "a database with deliveries is opened: %s", err.msg))
        return;
    store_delivery_next(store, &next, &err);
    is_int(next, 5, "deliveries keep their times");
    store_delivery_claim(store, 100, 9, &got, &err);
    ok(got.n == 3 && strcmp(got.list[0].id, "a") == 0 && strcmp(got.list[1].id, "b") == 0 &&
           strcmp(got.list[2].id, "c") == 0,
       "deliveries are claimed from accounts in turn");
}

static void test_copy(void)
{
    static const char *const list[] = { first, second };
    AUTO_FREE char *path = strdup(temp_path("kept.db"));
    AUTO_FREE char *copy = strdup(temp_path("kept.db.v11"));
    struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    struct stat st;
    struct err err;

    make_first(path);
    is_int(bring(path, list, 2, &err), 0, "a database is migrated to the next version");
    is_int(number(path, "SELECT count(*) FROM extra"), 5, "the migration's table is made");
    is_int(number(copy, "PRAGMA user_version"), 11, "a copy of the version before is kept");
    is_int(number(copy, "SELECT count(*) FROM jobs"), 5, "the copy has all jobs");
    stat(copy, &st);
    is_int(st.st_mode & 0777, 0600, "only its owner can read the copy");
    is_int(sqlite_backup_check(copy, &err), 0, "the copy is sound");
    unlink(copy);
    is_int(bring(path, list, 2, &err), 0, "a database of the newest version is opened");
    ok(access(copy, F_OK) < 0, "a database of the newest version is not copied");
    sqlite_backup(path, copy, &err);
    sqlite_schema_drop_copies(path, 1001000);
    ok(access(copy, F_OK) == 0, "a new copy is not removed");
    utimensat(AT_FDCWD, copy, old, 0);
    sqlite_schema_drop_copies(path, 1001000);
    ok(access(copy, F_OK) < 0,
       "an old copy is removed, because it has texts that were erased since");
}

static void test_broken(void)
{
    static const char *const list[] = { first, second, broken };
    AUTO_FREE char *path = strdup(temp_path("broken.db"));
    struct err err;

    make_first(path);
    is_int(bring(path, list, 3, &err), -1, "a migration that fails is an error");
    ok(strstr(err.msg, "version 13"), "the error of a migration names its version: %s", err.msg);
    is_int(number(path, "PRAGMA user_version"), 11,
           "a migration that fails does not change the version");
    is_int(number(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"), 0,
           "migrations before one that fails are undone");
    is_int(bring(path, list, 2, &err), 0, "a migration that works succeeds after one that failed");
}

/* kill -9 in the middle of a long migration. */
static void test_killed(void)
{
    static const char *const list[] = { first, slow }, *const quick[] = { first, second };
    AUTO_FREE char *path = strdup(temp_path("killed.db"));
    AUTO_FREE char *log = strdup(temp_path("killed.db-wal"));
    struct stat st = { 0 };
    struct err err;
    int status;
    pid_t child;

    make_first(path);
    child = fork();
    if (child == 0)
        _exit(bring(path, list, 2, &err) < 0);
    while (st.st_size < 4000000 && waitpid(child, &status, WNOHANG) == 0)
        if (stat(log, &st) < 0)
            st.st_size = 0;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ok(WIFSIGNALED(status), "a server is killed in a migration");
    is_int(number(path, "PRAGMA user_version"), 11,
           "a killed migration does not change the version");
    is_int(number(path, "SELECT count(*) FROM jobs"), 5, "a killed migration loses no jobs");
    is_int(bring(path, quick, 2, &err), 0, "the next start migrates the database");
    is_int(number(path, "SELECT count(*) FROM extra"), 5, "the next start completes the migration");
    is_int(number(temp_path("killed.db.v11"), "SELECT count(*) FROM jobs"), 5,
           "the copy that is kept has all jobs");
}

static void test_newer(void)
{
    static const char *const list[] = { first, second };
    AUTO_FREE char *path = strdup(temp_path("newer.db"));
    struct err err;

    make_first(path);
    bring(path, list, 2, &err);
    is_int(bring(path, list, 1, &err), -1, "a database of a newer version is refused");
    ok(strstr(err.msg, "newer") && strstr(err.msg, "version 12"),
       "the error names the newer version: %s", err.msg);
    is_int(number(path, "PRAGMA user_version"), 12, "a database of a newer version is not changed");
}

/* Versions before the first that was released. */
static void test_older(void)
{
    AUTO_FREE char *path = strdup(temp_path("older.db"));
    struct err err = { 0 };
    int version;

    make_first(path);
    number(path, "PRAGMA user_version = 10");
    ok(!store_sqlite_open(path, &err), "a database of version 10 is refused");
    ok(strstr(err.msg, "version 10") && strstr(err.msg, "0.1.0"),
       "the error says which platen upgrades it: %s", err.msg);
    is_int(store_sqlite_examine(path, &version, &err), -1,
           "a database of version 10 is refused by store_sqlite_examine");
    is_int(number(path, "PRAGMA user_version"), 10, "a database of version 10 is not changed");
    ok(access(temp_path("older.db.v10"), F_OK) < 0, "a refused database is not copied");
}

/* What SQLite keeps of the statements that made all tables and indexes, without white space. */
static void schema(const char *path, struct buf *out)
{
    static const char query[] =
        "SELECT group_concat(replace(replace(sql, char(10), ''), ' ', ''), '; ')"
        " FROM (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name)";
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, query, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        buf_puts(out, (const char *) sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static void test_same_tables(void)
{
    AUTO_BUF struct buf old = BUF_EMPTY;
    AUTO_BUF struct buf new = BUF_EMPTY;
    struct err err;

    make_first(temp_path("old.db"));
    store_close(store_sqlite_open(temp_path("old.db"), &err));
    schema(temp_path("old.db"), &old);
    store_close(store_sqlite_open(temp_path("new.db"), &err));
    schema(temp_path("new.db"), &new);
    is_str(buf_text(&new), buf_text(&old), "a database of 0.1.0 gets the tables of a new one");
    is_int(number(temp_path("new.db"), "SELECT count(*) FROM accounts WHERE id = 0"), 1,
           "a new database has the account that counts all accounts");
}

int main(int argc, char **argv)
{
    AUTO_CLOSE int fd = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    struct err err;

    version11 = BUF_EMPTY;
    if (fd < 0 || fdio_read_all(fd, 1000000, &version11, &err) < 0)
        return 1;
    temp_open();
    test_first_version();
    test_webhooks();
    test_copy();
    test_broken();
    test_killed();
    test_newer();
    test_older();
    test_same_tables();
    temp_close();
    buf_free(&version11);
    return done_testing();
}
