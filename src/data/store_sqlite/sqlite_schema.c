#include "data/store_sqlite/sqlite_schema.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/log.h"
#include "data/job/delivery.h"
#include "data/job/job.h"
#include "data/store/store_shipments.h"
#include "data/store_sqlite/sqlite_backup.h"

#define SQLITE_SCHEMA_PATH 4096

_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_COMPLETED == 2 && JOB_FAILED == 3 &&
                   JOB_EXPIRED == 4,
               "the numbers of job_state are part of the file format");
_Static_assert(DELIVERY_WAITING == 0 && DELIVERY_SENDING == 1 && DELIVERY_DELIVERED == 2 &&
                   DELIVERY_FAILED == 3,
               "and those of delivery_state");
_Static_assert(SHIPMENT_WAITING == 0 && SHIPMENT_SENDING == 1 && SHIPMENT_DONE == 2 &&
                   SHIPMENT_FAILED == 3,
               "and those of shipment_state");

/* Embedded by the build. */
extern const char sqlite_schema_tables[];

/* steps[0] makes the tables of version SQLITE_SCHEMA_FIRST, and steps[n] turns the version before
 * into version SQLITE_SCHEMA_FIRST + n (PRAGMA user_version). Only append: a step that was released
 * must not change. */
static const char *const steps[] = {
    sqlite_schema_tables,
    "ALTER TABLE keys ADD COLUMN parent INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE keys ADD COLUMN tools TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE keys ADD COLUMN addresses TEXT NOT NULL DEFAULT '';",
    "CREATE TABLE sessions(row INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,"
    " key TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;"
    "CREATE INDEX sessions_key ON sessions(key, row);"
    "CREATE INDEX sessions_ended ON sessions(expires_at);",
    "CREATE TABLE shipments(row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, job TEXT NOT NULL,"
    " account INTEGER NOT NULL, part INTEGER NOT NULL, host TEXT NOT NULL,"
    " state INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,"
    " next_at INTEGER NOT NULL, last_at INTEGER NOT NULL DEFAULT 0,"
    " duration_ms INTEGER NOT NULL DEFAULT 0, http_status INTEGER NOT NULL DEFAULT 0,"
    " error TEXT NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX shipments_of ON shipments(job, part);"
    "CREATE INDEX shipments_open ON shipments(account, next_at) WHERE state < 2;"
    "CREATE INDEX shipments_next ON shipments(next_at) WHERE state < 2;"
    "CREATE INDEX shipments_sending ON shipments(account, next_at) WHERE state = 1;",
    "CREATE TABLE workflows(row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " account INTEGER NOT NULL, name TEXT NOT NULL, steps TEXT NOT NULL,"
    " position INTEGER NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL,"
    " updated_at INTEGER NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX workflows_of ON workflows(account, name);",
};
#define NEWEST (SQLITE_SCHEMA_FIRST + (int) COUNT(steps) - 1)

static int version_of(struct sqlite_db *db, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, "PRAGMA user_version", NULL, 0, err);

    if (!stmt || sqlite_db_next(stmt, err) < 1)
        return -1;
    return sqlite3_column_int(stmt, 0);
}

/* Makes a copy of the committed database next to it, which gets its final name only when it is
 * complete. */
static int keep_copy(const struct sqlite_db *db, int version, struct err *err)
{
    const char *path = sqlite3_db_filename(db->handle, "main");
    char copy[SQLITE_SCHEMA_PATH], part[SQLITE_SCHEMA_PATH];

    if (!path || !*path)
        return 0; /* in memory */
    if ((size_t) snprintf(part, sizeof part, "%s.v%d.part", path, version) >= sizeof part)
        return err_set(err, ERR_INTERNAL, "the path of the database is too long");
    snprintf(copy, sizeof copy, "%s.v%d", path, version);
    if (unlink(part) < 0 && errno != ENOENT)
        return err_sys(err, "remove %s", part);
    if (sqlite_backup(path, part, err) < 0)
        return err_wrap(err, "cannot keep a copy of version %d", version);
    if (rename(part, copy) < 0)
        return err_sys(err, "keep %s", copy);
    log_warn("store.migrating", KV("from", version), KV("copy", copy));
    return 0;
}

/* Whether this platen knows the version of a database. */
static int check_version(int version, int newest, struct err *err)
{
    if (version > newest)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the database is of version %d, of a newer platen than this one, which "
                       "knows versions up to %d: install the newer one again",
                       version, newest);
    if (version > 0 && version < SQLITE_SCHEMA_FIRST)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the database is of version %d, and this platen knows versions from %d on: "
                       "start the last platen 0.1.0 on it once, which brings it to version %d",
                       version, SQLITE_SCHEMA_FIRST, SQLITE_SCHEMA_FIRST);
    return 0;
}

static int migrate(struct sqlite_db *db, const char *const *list, int newest, struct err *err)
{
    int version = version_of(db, err);
    char note[64];

    if (version < 0 || check_version(version, newest, err) < 0)
        return -1;
    if (version == newest)
        return 0;
    if (version > 0 && keep_copy(db, version, err) < 0)
        return -1;
    for (int i = version ? version + 1 : SQLITE_SCHEMA_FIRST; i <= newest; i++)
        if (sqlite_db_script(db, list[i - SQLITE_SCHEMA_FIRST], err) < 0)
            return err_wrap(err, "cannot bring the database to version %d", i);
    snprintf(note, sizeof note, "PRAGMA user_version = %d", newest);
    return sqlite_db_script(db, note, err);
}

int sqlite_schema_check(int version, struct err *err)
{
    return check_version(version, NEWEST, err);
}

int sqlite_schema_bring(struct sqlite_db *db, const char *const *list, size_t n, struct err *err)
{
    struct err ignored;

    if (sqlite_db_script(db, "BEGIN IMMEDIATE", err) < 0)
        return -1;
    if (migrate(db, list, SQLITE_SCHEMA_FIRST + (int) n - 1, err) < 0 ||
        sqlite_db_script(db, "COMMIT", err) < 0) {
        sqlite_db_script(db, "ROLLBACK", &ignored);
        return -1;
    }
    return 0;
}

int sqlite_schema_apply(struct sqlite_db *db, struct err *err)
{
    return sqlite_schema_bring(db, steps, COUNT(steps), err);
}

void sqlite_schema_drop_copies(const char *path, int64_t before)
{
    for (int version = 1; version <= NEWEST; version++) {
        char copy[SQLITE_SCHEMA_PATH];
        struct stat st;

        snprintf(copy, sizeof copy, "%s.v%d", path, version);
        if (stat(copy, &st) == 0 && (int64_t) st.st_mtime * 1000 < before && unlink(copy) == 0)
            log_info("store.copy_dropped", KV("copy", copy));
    }
}
