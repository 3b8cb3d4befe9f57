/* What only a store in a file must do: come back, refuse what it does not know, share, erase. */
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fdio.h"
#include "base/metric.h"
#include "base/scope.h"
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
        is_int(st.st_mode & 0777, 0600, "or its log");
    }
    umask(022);
    ok(access(temp_path("reopen.db-wal"), F_OK) != 0, "a store that was closed leaves no log");
    STORE *store = reopen(&err);
    ok(store != NULL, "a store can be opened again");
    is_int(contract_state(store, waiting), JOB_PENDING, "what waited waits");
    is_int(contract_state(store, ended), JOB_COMPLETED, "what was completed is completed");
    is_int(contract_usage(store, account, MONTH).requests, 2, "what was used is used");
    is_str(contract_depth(store), "1/0", "the queue is as long as it was");
    is_int(contract_claim(store, id), 1, "and can be worked on");
}

static void test_versions(void)
{
    struct err err = { 0 };
    struct stat before, after;

    current = "newer.db";
    store_close(reopen(&err));
    execute(current, "PRAGMA user_version = 99");
    stat(temp_path(current), &before);
    ok(!reopen(&err), "a database of a newer version is refused");
    ok(strstr(err.msg, "newer") && strstr(err.msg, "99"), "with a clear error: %s", err.msg);
    stat(temp_path(current), &after);
    is_int(after.st_size, before.st_size, "and left as it is");
    execute(current, "PRAGMA user_version = 1");
    STORE *store = reopen(&err);
    ok(store != NULL, "one of a version that is known is not");
    current = "no/such/folder.db";
    ok(!reopen(&err), "a database in a folder that is not there cannot be made");
    current = "text.db";
    FILE *file = fopen(temp_path(current), "w");
    for (int i = 0; i < 1000; i++)
        fputs("This is no database.", file);
    fclose(file);
    ok(!reopen(&err), "a file that is no database is refused");
}

static size_t count_in_file(const char *name, const char *text)
{
    AUTO_CLOSE int fd = open(temp_path(name), O_RDONLY);
    AUTO_BUF struct buf all = BUF_EMPTY;
    struct err err;
    size_t n = 0;

    if (fd < 0 || fdio_read_all(fd, 1 << 28, &all, &err) < 0)
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
    ok(count_in_file(current, "MARKMARK") > 100, "what a client sent is in the file");
    is_int(store_expire(store, NOW + 5000, 1000, &expired, &err), 0, "its jobs expire");
    is_int(expired.n, 200, "all of them");
    store_jobs_free(&expired);
    execute(current, "PRAGMA wal_checkpoint(TRUNCATE)");
    is_int(count_in_file(current, "MARKMARK"), 0,
           "nothing of what expired or was removed is left in it");

    put_marked(store, account, 300, id);
    store_remove(store, id, account, &job, &err);
    job_free(&job);
    ok(count_in_file("erased.db-wal", "MARKMARK") > 0, "what was just removed is still in the log");
    store_forget(store, NOW, NOW, &err);
    is_int(count_in_file("erased.db-wal", "MARKMARK"), 0, "until store_forget");
    is_int(count_in_file("erased.db", "MARKMARK"), 0, "which leaves it nowhere");
}

static void test_plans(void)
{
    static const char *const queries[] = {
        "SELECT * FROM jobs WHERE state = 0 AND run_at <= 5 ORDER BY run_at, id LIMIT 1",
        "SELECT * FROM jobs WHERE state = 1 AND lease_until < 5 LIMIT 1",
        "SELECT * FROM jobs WHERE state IN (2, 3) AND expires_at <= 5 ORDER BY expires_at LIMIT 1",
        "SELECT row FROM jobs WHERE state = 4 AND expires_at < 5 LIMIT 500",
        ("SELECT * FROM jobs WHERE account = 1 AND id < '~' AND state < 4 AND (15 >> state) & 1"
         " ORDER BY id DESC LIMIT 5"),
        "SELECT account, key FROM idempotency WHERE created_at < 5 LIMIT 500",
    };
    static const char *const indexes[] = { "jobs_waiting", "jobs_leased", "jobs_ended",
                                           "jobs_expired", "jobs_listed", "idempotency_age" };
    sqlite3 *db;
    struct err err;

    current = "plans.db";
    store_close(reopen(&err));
    sqlite3_open(temp_path(current), &db);
    for (size_t i = 0; i < COUNT(queries); i++) {
        AUTO_BUF struct buf sql = BUF_EMPTY, plan = BUF_EMPTY;
        sqlite3_stmt *stmt;

        buf_printf(&sql, "EXPLAIN QUERY PLAN %s", queries[i]);
        sqlite3_prepare_v2(db, buf_text(&sql), -1, &stmt, NULL);
        while (sqlite3_step(stmt) == SQLITE_ROW)
            buf_printf(&plan, "%s;", (const char *) sqlite3_column_text(stmt, 3));
        sqlite3_finalize(stmt);
        ok(strstr(buf_text(&plan), indexes[i]) && !strstr(buf_text(&plan), "TEMP B-TREE"),
           "what is looked for is found by its index: %s", buf_text(&plan));
    }
    sqlite3_close(db);
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
