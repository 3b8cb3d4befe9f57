/* What only a store in a file must do: come back, refuse what it does not know, share, erase. */
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fdio.h"
#include "base/metric.h"
#include "base/scope.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "store_contract.h"
#include "store_sqlite_temp.h"
#include "tap.h"

static const char *current;

static struct store *reopen(struct err *err)
{
    return store_sqlite_open(temp_path(current), err);
}

static void execute(const char *name, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;

    if (sqlite3_open(temp_path(name), &db) || sqlite3_exec(db, sql, NULL, NULL, &message))
        printf("# %s: %s\n", sql, message ? message : "cannot open");
    sqlite3_free(message);
    sqlite3_close(db);
}

static int pragma(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;
    int value = -1;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

static int version_of(const char *name)
{
    sqlite3 *db;
    int version = sqlite3_open(temp_path(name), &db) ? -1 : pragma(db, "PRAGMA user_version");

    sqlite3_close(db);
    return version;
}

static void test_reopen(void)
{
    char waiting[ID_TEXT], ended[ID_TEXT], id[ID_TEXT];
    struct store_end end = contract_completed();
    struct stat st;
    struct err err;
    int64_t account;

    current = "reopen.db";
    umask(0);
    {
        STORE *store = reopen(&err);

        account = contract_account(store);
        contract_put(store, account, ended);
        contract_claim(store, id);
        store_finish(store, id, 1, &end, &err);
        contract_put(store, account, waiting);
        stat(temp_path("reopen.db"), &st);
        is_int(st.st_mode & 0777, 0600, "only its owner can read the database");
        stat(temp_path("reopen.db-wal"), &st);
        is_int(st.st_mode & 0777, 0600, "only its owner can read the database's log");
    }
    umask(022);
    ok(access(temp_path("reopen.db-wal"), F_OK) != 0, "a closed store has no log");
    STORE *store = reopen(&err);
    ok(store != NULL, "a store can be opened again");
    is_int(contract_state(store, waiting), JOB_PENDING, "a pending job is pending after reopening");
    is_int(contract_state(store, ended), JOB_COMPLETED,
           "a completed job is completed after reopening");
    is_int(contract_usage(store, account, MONTH).requests, 2,
           "the usage is the same after reopening");
    is_str(contract_depth(store), "1/0", "the queue is the same after reopening");
    is_int(contract_claim(store, id), 1, "a pending job can be claimed after reopening");
}

static void test_versions(void)
{
    struct err err = { 0 };
    struct stat before, after;
    char back[64];

    current = "newer.db";
    store_close(reopen(&err));
    int newest = version_of(current);
    execute(current, "PRAGMA user_version = 99");
    stat(temp_path(current), &before);
    ok(!reopen(&err), "a database of a newer version is refused");
    ok(strstr(err.msg, "newer") && strstr(err.msg, "99"), "the error names the newer version: %s",
       err.msg);
    stat(temp_path(current), &after);
    is_int(after.st_size, before.st_size, "a database of a newer version is not changed");
    snprintf(back, sizeof back, "PRAGMA user_version = %d", newest);
    execute(current, back);
    STORE *store = reopen(&err);
    ok(store != NULL, "a database of a known version is opened");
    current = "no/such/folder.db";
    ok(!reopen(&err), "a database in a missing folder is refused");
    current = "text.db";
    FILE *file = fopen(temp_path(current), "w");
    for (int i = 0; i < 1000; i++)
        fputs("This is no database.", file);
    fclose(file);
    ok(!reopen(&err), "a file that is not a database is refused");
}

static size_t count_in_file(const char *name, const char *text)
{
    AUTO_CLOSE int fd = open(temp_path(name), O_RDONLY);
    AUTO_BUF struct buf all = BUF_EMPTY;
    struct err err;
    size_t n = 0;

    if (fd < 0 || fdio_read_all(fd, 1 << 28, &all, &err) < 0 || all.len == 0)
        return 0;
    for (const char *p = all.data, *end = all.data + all.len;
         p && (p = memmem(p, (size_t) (end - p), text, strlen(text))); p++)
        n++;
    return n;
}

/* Puts a job whose texts all hold a mark, of a length that differs from job to job, and ends it. */
static void put_marked(struct store *store, int64_t account, int length, char id[static ID_TEXT])
{
    static char text[9000];
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct store_end end = contract_completed();
    struct err err;

    memset(text, '.', sizeof text);
    for (int i = 0; i + 8 < length; i += 40)
        memcpy(text + i, "MARKMARK", 8);
    text[length] = '\0';
    job.stem = job.params_json = job.inputs_json = text;
    end.output_name = end.outputs_json = end.warnings_json = text;
    memcpy(id, job.id, ID_TEXT);
    store_put(store, &job, &terms, &receipt, &err);
    contract_claim(store, id);
    store_finish(store, id, 1, &end, &err);
}

/* Texts grow when a job ends, so that rows move from page to page: all they leave behind counts. */
static void test_erased(void)
{
    struct store_jobs expired;
    struct err err;
    struct job job;
    char id[ID_TEXT];

    current = "erased.db";
    STORE *store = reopen(&err);
    int64_t account = contract_account(store);
    for (int i = 0; i < 300; i++) {
        put_marked(store, account, 20 + i * 37 % 1500 + (i % 20 == 0) * 7000, id);
        if (i % 3 == 0 && store_remove(store, id, account, &job, &err) == 1)
            job_free(&job);
    }
    execute(current, "PRAGMA wal_checkpoint(TRUNCATE)");
    ok(count_in_file(current, "MARKMARK") > 100, "texts of jobs are in the database file");
    is_int(store_expire(store, NOW + 5000, 1000, &expired, &err), 0, "the jobs can be expired");
    is_int(expired.n, 200, "all jobs expire");
    store_jobs_free(&expired);
    execute(current, "PRAGMA wal_checkpoint(TRUNCATE)");
    is_int(count_in_file(current, "MARKMARK"), 0,
           "no texts of expired or removed jobs are left in the database file");

    put_marked(store, account, 300, id);
    store_remove(store, id, account, &job, &err);
    job_free(&job);
    ok(count_in_file("erased.db-wal", "MARKMARK") > 0,
       "texts of a job that was just removed are in the log");
    store_forget(store, NOW, NOW, &err);
    is_int(count_in_file("erased.db-wal", "MARKMARK"), 0,
           "store_forget removes the texts from the log");
    is_int(count_in_file("erased.db", "MARKMARK"), 0,
           "store_forget leaves no texts in the database file");
}

/* Every connection that is opened, by SQLite's own hook for extensions. */
static sqlite3 *connections[16];
static size_t n_connections;

static int note_connection(sqlite3 *db, char **message, const void *api)
{
    (void) message;
    (void) api;
    if (n_connections < COUNT(connections))
        connections[n_connections++] = db;
    return SQLITE_OK;
}

/* Whether SQLite goes through a whole table for it, or sorts. */
static bool is_slow(sqlite3 *db, const char *sql)
{
    AUTO_BUF struct buf explain = BUF_EMPTY;
    sqlite3_stmt *stmt;
    bool slow = false;

    buf_printf(&explain, "EXPLAIN QUERY PLAN %s", sql);
    if (sqlite3_prepare_v2(db, buf_text(&explain), -1, &stmt, NULL))
        return true;
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const char *step = (const char *) sqlite3_column_text(stmt, 3);

        /* Keys are few, and listed all at once; along the accounts that wait a claim goes as far as
         * the first one with a job that may run. */
        slow = slow ||
               (strstr(step, "SCAN") && !strstr(step, "SCAN keys") &&
                !strstr(step, "INDEX accounts_waiting")) ||
               strstr(step, "TEMP B-TREE");
    }
    sqlite3_finalize(stmt);
    return slow;
}

static void use_everything(struct store *store)
{
    struct store_terms terms = contract_terms();
    struct store_end end = contract_completed();
    int64_t account = contract_account(store);
    AUTO_STORE_JOBS struct store_jobs expired = { 0 }, listed = { 0 };
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct job job = contract_job(account);
    char id[ID_TEXT];
    struct err err;

    terms.idempotency_key = terms.fingerprint = "x";
    contract_refusal(store, &job, &terms, &err);
    contract_claim(store, id);
    store_heartbeat(store, id, 1, NOW, 0.5, &err);
    store_reclaim(store, NOW + 1, &err);
    contract_claim(store, id);
    store_finish(store, id, 2, &end, &err);
    store_list(store, account, &(struct store_page){ .status = -1, .limit = 10 }, &listed, &err);
    store_expire(store, NOW + 5000, 10, &expired, &err);
    contract_put(store, account, id);
    if (store_remove(store, id, account, &job, &err) == 1)
        job_free(&job);
    contract_put(store, account, id);
    contract_claim(store, id);
    end = contract_failed(ERR_INTERNAL);
    store_finish(store, id, 1, &end, &err);
    contract_state(store, id);
    contract_depth(store);
    store_key_list(store, &keys, &err);
    store_forget(store, NOW + 1, NOW + 5001, &err);
}

static void test_plans(void)
{
    int n = 0, slow = 0;
    struct err err;

    current = "plans.db";
    sqlite3_auto_extension((void (*)(void)) note_connection);
    STORE *store = reopen(&err);
    use_everything(store);
    sqlite3_reset_auto_extension();
    /* The last one was store_forget's own and is closed. */
    for (size_t i = 0; i + 1 < n_connections; i++) {
        sqlite3_stmt *stmt = NULL;

        while ((stmt = sqlite3_next_stmt(connections[i], stmt))) {
            const char *sql = sqlite3_sql(stmt);

            n++;
            if (!is_slow(connections[i], sql))
                continue;
            slow++;
            printf("# %s\n", sql);
        }
    }
    ok(n_connections > 2 && pragma(connections[0], "PRAGMA synchronous") == 2 &&
           pragma(connections[0], "PRAGMA foreign_keys") == 1,
       "every commit is synced to the disk");
    ok(n > 25, "of all statements the store uses (%d)", n);
    is_int(slow, 0, "none goes through a whole table, however many jobs there are");
}

static void test_batch(void)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    metric_write(&out);
    ok(strstr(buf_text(&out), "platen_store_commit_size_count ") &&
           !strstr(buf_text(&out), "platen_store_commit_size_count 0"),
       "the number of requests in a commit is measured");
}

int main(void)
{
    temp_open();
    test_reopen();
    test_versions();
    test_erased();
    test_plans();
    test_batch();
    temp_close();
    return done_testing();
}
