/* Whether a database is sound, asked of SQLite itself. */
#include <sqlite3.h>
#include <string.h>

#include "data/store/store.h"
#include "data/store_sqlite/sqlite_schema.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "data/store_sqlite/store_sqlite_parts.h"

#define BUSY_MS 5000

static void close_db(sqlite3 **db)
{
    sqlite3_close(*db);
}

static void finish_statement(sqlite3_stmt **stmt)
{
    sqlite3_finalize(*stmt);
}

static int fail_examination(sqlite3 *db, struct err *err)
{
    return err_set(err, ERR_INTERNAL, "the database: %s",
                   db ? sqlite3_errmsg(db) : "out of memory");
}

static int check_integrity(sqlite3 *db, struct err *err)
{
    __attribute__((cleanup(finish_statement))) sqlite3_stmt *stmt = NULL;
    const char *said;

    if (sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        return fail_examination(db, err);
    said = (const char *) sqlite3_column_text(stmt, 0);
    return said && strcmp(said, "ok") == 0
               ? 0
               : err_set(err, ERR_INTERNAL, "the database is damaged: %s", said ? said : "?");
}

static int read_version(sqlite3 *db, int *version, struct err *err)
{
    __attribute__((cleanup(finish_statement))) sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        return fail_examination(db, err);
    *version = sqlite3_column_int(stmt, 0);
    return sqlite_schema_check(*version, err);
}

int store_sqlite_examine(const char *path, int *version, struct err *err)
{
    __attribute__((cleanup(close_db))) sqlite3 *db = NULL;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return fail_examination(db, err);
    sqlite3_busy_timeout(db, BUSY_MS);
    return check_integrity(db, err) < 0 || read_version(db, version, err) < 0 ? -1 : 0;
}
