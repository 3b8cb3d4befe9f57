/* The writer alone, with work that fails in every way it can. */
#include "data/store_sqlite/sqlite_writer.h"

#include <pthread.h>

#include "base/scope.h"
#include "store_sqlite_temp.h"
#include "tap.h"

#define ROUNDS  300
#define CALLERS 6

static int commits; /* written by the writer's thread while callers wait */

static int count_commit(void *arg)
{
    (void) arg;
    commits++;
    return 0;
}

static int add(struct sqlite_db *db, void *arg, struct err *err)
{
    const int64_t *id = arg;

    if (sqlite_db_run(db, "INSERT INTO t VALUES(?1, NULL)", BIND(V(*id)), err) < 0)
        return -1;
    return 7;
}

static int add_and_fail(struct sqlite_db *db, void *arg, struct err *err)
{
    add(db, arg, err);
    return err_set(err, ERR_QUOTA_EXCEEDED, "refused");
}

/* Breaks a foreign key in a way that SQLite notices when it commits. */
static int add_and_spoil(struct sqlite_db *db, void *arg, struct err *err)
{
    const int64_t *id = arg;

    if (sqlite_db_script(db, "PRAGMA defer_foreign_keys = ON", err) < 0 ||
        sqlite_db_run(db, "INSERT INTO t VALUES(?1, -1)", BIND(V(*id)), err) < 0)
        return -1;
    return 7;
}

/* What SQLite does by itself when it cannot go on. */
static int add_and_give_up(struct sqlite_db *db, void *arg, struct err *err)
{
    struct err ignored;

    add(db, arg, err);
    sqlite_db_script(db, "ROLLBACK", &ignored);
    return err_set(err, ERR_STORAGE_FULL, "given up");
}

static int add_much(struct sqlite_db *db, void *arg, struct err *err)
{
    (void) arg;
    return sqlite_db_run(db,
                         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                         " INSERT INTO t SELECT 1000000 + i, NULL FROM n",
                         NULL, 0, err);
}

static int has(struct sqlite_db *db, void *arg, struct err *err)
{
    const int64_t *id = arg;
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT 1 FROM t WHERE id = ?1", BIND(V(*id)), err);

    return stmt ? sqlite_db_next(stmt, err) : -1;
}

struct caller {
    struct sqlite_writer *writer;
    pthread_barrier_t *start;
    pthread_t thread;
    int (*work)(struct sqlite_db *db, void *arg, struct err *err);
    int64_t id;
    int result;
    struct err err;
};

static void *call(void *arg)
{
    struct caller *c = arg;

    pthread_barrier_wait(c->start);
    c->result = sqlite_writer_do(c->writer, c->work, &c->id, &c->err);
    return NULL;
}

/* One that is `odd` among those that are not; whether what each was told is true. */
static bool round_of(struct sqlite_writer *writer, int round, int *failed,
                     int (*odd)(struct sqlite_db *db, void *arg, struct err *err))
{
    struct caller callers[CALLERS];
    pthread_barrier_t start;
    bool told = true;
    struct err err;

    pthread_barrier_init(&start, NULL, CALLERS);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){ writer, &start, .work = i == 2 ? odd : add };
        callers[i].id = round * CALLERS + i + 1;
        pthread_create(&callers[i].thread, NULL, call, &callers[i]);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i].thread, NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < CALLERS; i++) {
        int there = sqlite_writer_do(writer, has, &callers[i].id, &err);

        told = told && there == (callers[i].result == 7) && (i != 2 || callers[i].result == -1);
        *failed += i != 2 && callers[i].result == -1;
    }
    return told;
}

static int rounds(struct sqlite_writer *writer, int *base, int *failed,
                  int (*odd)(struct sqlite_db *db, void *arg, struct err *err))
{
    int wrong = 0;

    *failed = 0;
    for (int i = 0; i < ROUNDS; i++)
        wrong += !round_of(writer, (*base)++, failed, odd);
    return wrong;
}

int main(void)
{
    int base = 0, failed;
    struct sqlite_db db;
    struct err err = { 0 };
    int64_t id = 999999;

    temp_open();
    FILE *file = fopen(temp_path("writer.db"), "w");
    fclose(file);
    sqlite_db_open(&db, temp_path("writer.db"), false, &err);
    sqlite_db_script(&db, "CREATE TABLE t(id INTEGER PRIMARY KEY, t INTEGER REFERENCES t(id))",
                     &err);
    sqlite_db_script(&db, "PRAGMA max_page_count = 200", &err);
    sqlite3_commit_hook(db.handle, count_commit, NULL);
    struct sqlite_writer *writer = sqlite_writer_start(&db, &err);
    ok(writer && !db.handle, "a writer takes a connection over");

    is_int(sqlite_writer_do(writer, add, &id, &err), 7,
           "the result of work is returned to its caller");
    is_int(rounds(writer, &base, &failed, add_and_fail), 0,
           "work that fails leaves nothing behind, and what others did at the same time stays");
    is_int(failed, 0, "work that fails does not make others' work fail");
    /* Each caller's answer was checked by one request more. */
    ok(commits < 2 * ROUNDS * CALLERS, "a commit is shared (%d commits for %d requests)", commits,
       2 * ROUNDS * CALLERS);
    is_int(sqlite_writer_do(writer, add_and_fail, &id, &err), -1,
           "work that fails is reported to its caller");
    is_str(err.msg, "refused", "work that fails gives its caller the error");
    is_int(rounds(writer, &base, &failed, add_and_spoil), 0,
           "when a commit fails no caller is told that its work was done");
    ok(failed > 0, "when a commit fails others' work fails, too (%d)", failed);
    is_int(rounds(writer, &base, &failed, add_and_give_up), 0,
           "when SQLite rolls a transaction back no caller is told that its work was done");
    is_int(sqlite_writer_do(writer, add_much, NULL, &err), -1,
           "work on a database that cannot grow fails");
    is_int(err.code, ERR_STORAGE_FULL,
           "the error of a database that cannot grow is ERR_STORAGE_FULL");
    id--;
    is_int(sqlite_writer_do(writer, add, &id, &err), 7,
           "a database that cannot grow accepts work that fits");
    sqlite_writer_stop(writer);
    temp_close();
    return done_testing();
}
