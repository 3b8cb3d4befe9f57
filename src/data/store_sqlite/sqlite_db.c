#include "data/store_sqlite/sqlite_db.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/scope.h"

/* How long a connection waits for another process's transaction. */
#define BUSY_STEP_MS 2
#define BUSY_STEPS   5000

static const char reader_settings[] = "PRAGMA temp_store = MEMORY;"
                                      "PRAGMA cache_size = -1024;";
static const char writer_settings[] =
    "PRAGMA synchronous = FULL;"
    "PRAGMA secure_delete = ON;"
    "PRAGMA foreign_keys = ON;"
    "PRAGMA temp_store = MEMORY;"
    "PRAGMA cache_size = -8192;"
    /* The log is cut back to this once its content is in the file. */
    "PRAGMA journal_size_limit = 16777216;";

/* SQLite's own busy_timeout ends in steps of 100 ms: a command that adds a key would hardly ever
 * meet the short gap between two commits of a busy server. */
static int wait_for_others(void *arg, int waited)
{
    struct timespec step = { .tv_nsec = BUSY_STEP_MS * 1000000L };

    (void) arg;
    if (waited >= BUSY_STEPS)
        return 0;
    nanosleep(&step, NULL);
    return 1;
}

int sqlite_db_fail(sqlite3 *handle, const char *context, struct err *err)
{
    int code = sqlite3_extended_errcode(handle), number = sqlite3_system_errno(handle);

    switch (code & 0xff) {
    case SQLITE_FULL:
        return err_set(err, ERR_STORAGE_FULL, "the server's disk is full");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        if (number == EROFS)
            return err_set(err, ERR_STORAGE_FULL, "the server's disk has become read-only");
        if (number == ENOSPC || number == EDQUOT)
            return err_set(err, ERR_STORAGE_FULL, "the server's disk is full");
        break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set(err, ERR_OVERLOADED, "the server's database is busy: try again");
    default:
        break;
    }
    return err_set(err, ERR_INTERNAL, "%s: %s (SQLite %d)", context, sqlite3_errmsg(handle), code);
}

static int use_wal(struct sqlite_db *db, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, "PRAGMA journal_mode = WAL", NULL, 0, err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 0)
        return -1;
    if (rc == 0 || strcmp((const char *) sqlite3_column_text(stmt, 0), "wal") != 0)
        return err_set(err, ERR_INTERNAL, "its file system cannot hold a write-ahead log");
    return 0;
}

/* If several processes switch a new database to WAL at once, SQLite refuses all but one without
 * calling wait_for_others: each holds a lock that the others wait for. */
static int use_wal_in_turn(struct sqlite_db *db, struct err *err)
{
    struct err last;

    for (int waited = 0;; waited++) {
        if (use_wal(db, &last) == 0)
            return 0;
        if (last.code != ERR_OVERLOADED || !wait_for_others(NULL, waited)) {
            *err = last;
            return -1;
        }
    }
}

static int set_up(struct sqlite_db *db, bool read_only, struct err *err)
{
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_handler(db->handle, wait_for_others, NULL);
    if (!read_only && use_wal_in_turn(db, err) < 0)
        return -1;
    return sqlite_db_script(db, read_only ? reader_settings : writer_settings, err);
}

int sqlite_db_open(struct sqlite_db *db, const char *path, bool read_only, struct err *err)
{
    int flags = SQLITE_OPEN_NOMUTEX | (read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);

    *db = (struct sqlite_db){ 0 };
    if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK) {
        sqlite_db_fail(db->handle, "cannot open the database", err);
        sqlite_db_close(db);
        return -1;
    }
    if (set_up(db, read_only, err) < 0) {
        sqlite_db_close(db);
        return err_wrap(err, "cannot use the database %s", path);
    }
    return 0;
}

void sqlite_db_close(struct sqlite_db *db)
{
    for (size_t i = 0; i < db->n_cached; i++)
        sqlite3_finalize(db->cache[i].stmt);
    sqlite3_close(db->handle);
    *db = (struct sqlite_db){ 0 };
}

int sqlite_db_script(struct sqlite_db *db, const char *sql, struct err *err)
{
    if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_db_fail(db->handle, "the database refused", err);
    return 0;
}

static sqlite3_stmt *prepared(struct sqlite_db *db, const char *sql, struct err *err)
{
    sqlite3_stmt *stmt;

    for (size_t i = 0; i < db->n_cached; i++)
        if (db->cache[i].sql == sql)
            return db->cache[i].stmt;
    if (db->n_cached == COUNT(db->cache)) {
        err_set(err, ERR_INTERNAL, "SQLITE_DB_STATEMENTS is too small");
        return NULL;
    }
    if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL)) {
        sqlite_db_fail(db->handle, "cannot prepare a statement", err);
        return NULL;
    }
    db->cache[db->n_cached].sql = sql;
    db->cache[db->n_cached++].stmt = stmt;
    return stmt;
}

static int bind(sqlite3_stmt *stmt, int at, const struct sqlite_value *value)
{
    switch (value->kind) {
    case SQLITE_VALUE_INTEGER:
        return sqlite3_bind_int64(stmt, at, value->integer);
    case SQLITE_VALUE_REAL:
        return sqlite3_bind_double(stmt, at, value->real);
    case SQLITE_VALUE_TEXT:
        return sqlite3_bind_text(stmt, at, value->text, -1, SQLITE_STATIC);
    case SQLITE_VALUE_BYTES:
        return sqlite3_bind_blob64(stmt, at, value->text, (sqlite3_uint64) value->integer,
                                   SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

sqlite3_stmt *sqlite_db_query(struct sqlite_db *db, const char *sql,
                              const struct sqlite_value *values, size_t n, struct err *err)
{
    sqlite3_stmt *stmt = prepared(db, sql, err);

    for (size_t i = 0; stmt && i < n; i++)
        if (bind(stmt, (int) i + 1, &values[i]) != SQLITE_OK) {
            sqlite_db_fail(db->handle, "cannot bind a parameter", err);
            sqlite_db_done(&stmt);
        }
    return stmt;
}

int sqlite_db_next(sqlite3_stmt *stmt, struct err *err)
{
    switch (sqlite3_step(stmt)) {
    case SQLITE_ROW:
        return 1;
    case SQLITE_DONE:
        return 0;
    default:
        return sqlite_db_fail(sqlite3_db_handle(stmt), "the database failed", err);
    }
}

void sqlite_db_done(sqlite3_stmt **stmt)
{
    if (!*stmt)
        return;
    sqlite3_reset(*stmt);
    sqlite3_clear_bindings(*stmt);
    *stmt = NULL;
}

bool sqlite_db_text(sqlite3_stmt *stmt, int column, char **out)
{
    const char *text = (const char *) sqlite3_column_text(stmt, column);

    *out = text ? strdup(text) : NULL;
    return *out || sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

void sqlite_db_copy(sqlite3_stmt *stmt, int column, char *out, size_t size)
{
    const char *text = (const char *) sqlite3_column_text(stmt, column);

    snprintf(out, size, "%s", text ? text : "");
}

int sqlite_db_run(struct sqlite_db *db, const char *sql, const struct sqlite_value *values,
                  size_t n, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, sql, values, n, err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    return rc < 0 ? -1 : sqlite3_changes(db->handle);
}
