#include "data/store_sqlite/sqlite_backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "data/store_sqlite/sqlite_db.h"

#define AUTO_DB __attribute__((cleanup(sqlite_db_close))) struct sqlite_db

/* The owner of the old one keeps the new one too, when root copies. */
static int make_file(const char *path, const char *to, struct err *err)
{
    AUTO_CLOSE int fd = open(to, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    struct stat st;

    if (fd < 0)
        return err_sys(err, "make %s", to);
    if (geteuid() == 0 && (stat(path, &st) < 0 || fchown(fd, st.st_uid, st.st_gid) < 0))
        return err_sys(err, "give %s its owner", to);
    return 0;
}

/* All pages, in one step: the reading transaction holds them as they were. */
static int copy_pages(struct sqlite_db *from, const char *to, struct err *err)
{
    sqlite3 *target = NULL;
    sqlite3_backup *backup = NULL;
    int rc = sqlite3_open_v2(to, &target, SQLITE_OPEN_READWRITE, NULL);

    if (rc == SQLITE_OK)
        backup = sqlite3_backup_init(target, "main", from->handle, "main");
    if (backup) {
        sqlite3_backup_step(backup, -1);
        rc = sqlite3_backup_finish(backup);
    }
    if (!backup || rc != SQLITE_OK)
        sqlite_db_fail(target, "cannot copy the database", err);
    sqlite3_close(target);
    return backup && rc == SQLITE_OK ? 0 : -1;
}

/* Fixes the state that the connection sees from now on. */
static int fix_snapshot(const char *path, struct sqlite_db *reader, struct err *err)
{
    if (sqlite_db_open(reader, path, true, err) < 0)
        return -1;
    return sqlite_db_script(reader, "BEGIN; SELECT count(*) FROM sqlite_schema", err);
}

/* The same at a moment without a writer. */
static int freeze(const char *path, struct sqlite_db *reader,
                  int (*frozen)(void *arg, struct err *err), void *arg, struct err *err)
{
    AUTO_DB writer = { 0 };

    if (sqlite_db_open(&writer, path, false, err) < 0 ||
        sqlite_db_script(&writer, "BEGIN IMMEDIATE", err) < 0 ||
        fix_snapshot(path, reader, err) < 0 || frozen(arg, err) < 0)
        return -1;
    return sqlite_db_script(&writer, "ROLLBACK", err);
}

static int back_up(const char *path, const char *to, int (*frozen)(void *arg, struct err *err),
                   void *arg, struct err *err)
{
    AUTO_DB reader = { 0 };
    int fixed;

    if (make_file(path, to, err) < 0)
        return -1;
    fixed = frozen ? freeze(path, &reader, frozen, arg, err) : fix_snapshot(path, &reader, err);
    if (fixed == 0 && copy_pages(&reader, to, err) == 0)
        return 0;
    unlink(to);
    return -1;
}

int sqlite_backup(const char *path, const char *to, struct err *err)
{
    return back_up(path, to, NULL, NULL, err);
}

int sqlite_backup_frozen(const char *path, const char *to,
                         int (*frozen)(void *arg, struct err *err), void *arg, struct err *err)
{
    return back_up(path, to, frozen, arg, err);
}

int sqlite_backup_check(const char *path, struct err *err)
{
    AUTO_DB db = { 0 };

    if (sqlite_db_open(&db, path, false, err) < 0)
        return -1;
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(&db, "PRAGMA quick_check(1)", NULL, 0, err);
    if (!stmt || sqlite_db_next(stmt, err) < 0)
        return -1;
    if (strcmp((const char *) sqlite3_column_text(stmt, 0), "ok") != 0)
        return err_set(err, ERR_CORRUPT_FILE, "the database %s is damaged: %.150s", path,
                       (const char *) sqlite3_column_text(stmt, 0));
    return 0;
}

static void read_job(sqlite3_stmt *stmt, struct job *job)
{
    *job = (struct job){ .state = (enum job_state) sqlite3_column_int(stmt, 1),
                         .n_inputs = sqlite3_column_int(stmt, 2),
                         .has_secret = sqlite3_column_int(stmt, 3) != 0,
                         .attempt = sqlite3_column_int(stmt, 4),
                         .output_bytes = sqlite3_column_int64(stmt, 5),
                         .inputs_json = (char *) (uintptr_t) sqlite3_column_text(stmt, 6),
                         .in_store = sqlite3_column_int(stmt, 7) };
    snprintf(job->id, sizeof job->id, "%s", (const char *) sqlite3_column_text(stmt, 0));
}

int sqlite_backup_jobs(const char *path,
                       int (*each)(void *arg, const struct job *job, struct err *err), void *arg,
                       struct err *err)
{
    AUTO_DB db = { 0 };
    int rc = -1;

    if (sqlite_db_open(&db, path, false, err) < 0)
        return -1;
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(&db,
                        "SELECT id, state, n_inputs, has_secret, attempt, output_bytes, inputs,"
                        " in_store"
                        " FROM jobs WHERE state IN (0, 1, 2)",
                        NULL, 0, err);
    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1) {
        struct job job;

        read_job(stmt, &job);
        if (each(arg, &job, err) < 0)
            return -1;
    }
    return rc;
}
