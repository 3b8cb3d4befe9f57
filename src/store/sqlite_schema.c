#include "store/sqlite_schema.h"

#include <stdio.h>

#include "base/scope.h"
#include "job/job.h"

/*
 * migrations[n] turns version n into version n + 1 (PRAGMA user_version). Only ever append: what
 * was released stays as it is.
 *
 * The numbers of job_state stand in the partial indexes, so each of them holds only the jobs its
 * query looks for. That of the lists has a column of its own to look at: with the state in its
 * condition it would be written anew whenever a job moves.
 */
_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_COMPLETED == 2 && JOB_FAILED == 3 &&
                   JOB_EXPIRED == 4,
               "the numbers of job_state are part of the file format");

static const char *const migrations[] = {
    /* How many of an account's jobs wait and run is counted as they move: counting them when asked
     * would cost more the more there are. Account 0 is nobody's: it stands for all together, and
     * stands here so that one page more need not be written with every move. */
    "CREATE TABLE accounts("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  pending INTEGER NOT NULL DEFAULT 0 CHECK(pending >= 0),"
    "  running INTEGER NOT NULL DEFAULT 0 CHECK(running >= 0)"
    ") STRICT;"
    "INSERT INTO accounts(id) VALUES(0);"

    "CREATE TABLE keys("
    "  id INTEGER PRIMARY KEY,"
    "  digest TEXT NOT NULL UNIQUE,"
    "  prefix TEXT NOT NULL UNIQUE,"
    "  account INTEGER NOT NULL REFERENCES accounts(id),"
    "  name TEXT NOT NULL,"
    "  plan TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  valid_until INTEGER NOT NULL"
    ") STRICT;"

    "CREATE TABLE usage("
    "  account INTEGER NOT NULL REFERENCES accounts(id),"
    "  month INTEGER NOT NULL,"
    "  requests INTEGER NOT NULL CHECK(requests >= 0),"
    "  bytes INTEGER NOT NULL CHECK(bytes >= 0),"
    "  PRIMARY KEY(account, month)"
    ") STRICT, WITHOUT ROWID;"

    /* Outlives the job it names: a replay is answered with the first answer, whatever became of
     * the job. */
    "CREATE TABLE idempotency("
    "  account INTEGER NOT NULL REFERENCES accounts(id),"
    "  key TEXT NOT NULL,"
    "  fingerprint TEXT NOT NULL,"
    "  job TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  PRIMARY KEY(account, key)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX idempotency_age ON idempotency(created_at);"

    "CREATE TABLE jobs("
    "  row INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE,"
    "  account INTEGER NOT NULL REFERENCES accounts(id),"
    "  month INTEGER NOT NULL," /* where its quota was taken from */
    "  tool TEXT NOT NULL,"
    "  state INTEGER NOT NULL,"
    "  listed INTEGER NOT NULL DEFAULT 1," /* until it expires */
    "  n_inputs INTEGER NOT NULL,"
    "  has_secret INTEGER NOT NULL,"
    "  input_bytes INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  run_at INTEGER NOT NULL,"
    "  started_at INTEGER NOT NULL DEFAULT 0,"
    "  finished_at INTEGER NOT NULL DEFAULT 0,"
    "  expires_at INTEGER NOT NULL DEFAULT 0,"
    "  attempt INTEGER NOT NULL DEFAULT 0,"
    "  lease_until INTEGER NOT NULL DEFAULT 0,"
    "  progress REAL NOT NULL DEFAULT 0,"
    "  output_bytes INTEGER NOT NULL DEFAULT 0,"
    "  duration_ms INTEGER NOT NULL DEFAULT 0,"
    "  stem TEXT,"
    "  params TEXT,"
    "  inputs TEXT,"
    "  output_name TEXT,"
    "  outputs TEXT,"
    "  warnings TEXT,"
    "  error TEXT,"
    "  message TEXT"
    ") STRICT;"
    "CREATE INDEX jobs_waiting ON jobs(run_at, id) WHERE state = 0;"
    "CREATE INDEX jobs_leased ON jobs(lease_until) WHERE state = 1;"
    "CREATE INDEX jobs_ended ON jobs(expires_at) WHERE state IN (2, 3);"
    "CREATE INDEX jobs_expired ON jobs(expires_at) WHERE state = 4;"
    "CREATE INDEX jobs_listed ON jobs(account, id) WHERE listed = 1;",
};

static int version_of(struct sqlite_db *db, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, "PRAGMA user_version", NULL, 0, err);

    if (!stmt || sqlite_db_next(stmt, err) < 1)
        return -1;
    return sqlite3_column_int(stmt, 0);
}

static int migrate(struct sqlite_db *db, struct err *err)
{
    int newest = COUNT(migrations), version = version_of(db, err);
    char note[64];

    if (version < 0)
        return -1;
    if (version > newest)
        return err_set(err, ERR_INTERNAL,
                       "the database is of version %d, of a newer platen than this one, which "
                       "knows versions up to %d: install the newer one again",
                       version, newest);
    if (version == newest)
        return 0;
    for (int i = version; i < newest; i++)
        if (sqlite_db_script(db, migrations[i], err) < 0)
            return err_wrap(err, "cannot bring the database to version %d", i + 1);
    snprintf(note, sizeof note, "PRAGMA user_version = %d", newest);
    return sqlite_db_script(db, note, err);
}

int sqlite_schema_apply(struct sqlite_db *db, struct err *err)
{
    struct err ignored;

    if (sqlite_db_script(db, "BEGIN IMMEDIATE", err) < 0)
        return -1;
    if (migrate(db, err) < 0 || sqlite_db_script(db, "COMMIT", err) < 0) {
        sqlite_db_script(db, "ROLLBACK", &ignored);
        return -1;
    }
    return 0;
}
