#include "store_sqlite/sqlite_schema.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/scope.h"
#include "job/delivery.h"
#include "job/job.h"
#include "store_sqlite/sqlite_backup.h"

#define SQLITE_SCHEMA_PATH 4096

/*
 * migrations[n] turns version n into version n + 1 (PRAGMA user_version). Only ever append:
 * released migrations must not change.
 *
 * The numbers of job_state are in the conditions of partial indexes, so that each contains only the
 * jobs that its query needs. That of the lists uses a column of its own instead: with the state in
 * its condition it would be rewritten whenever a job changes its state.
 */
_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_COMPLETED == 2 && JOB_FAILED == 3 &&
                   JOB_EXPIRED == 4,
               "the numbers of job_state are part of the file format");
_Static_assert(DELIVERY_WAITING == 0 && DELIVERY_SENDING == 1 && DELIVERY_DELIVERED == 2 &&
                   DELIVERY_FAILED == 3,
               "and those of delivery_state");

static const char *const migrations[] = {
    /* The numbers of an account's waiting and running jobs are counted as they change: counting
     * them on request would cost more the more there are. Account 0 belongs to no customer: it
     * counts all accounts together, and is in this table so that a change does not write another
     * page. */
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

    /* Accounts take turns (store_claim). Account 0's turn is the clock of all. The claimer walks
     * along the accounts that wait, and looks at the first of the two lines of each. */
    "ALTER TABLE accounts ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE accounts ADD COLUMN lean INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX accounts_waiting ON accounts(turn, id) WHERE pending > 0 AND id > 0;"
    "ALTER TABLE jobs ADD COLUMN cost INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE jobs ADD COLUMN long INTEGER NOT NULL DEFAULT 0;"
    "DROP INDEX jobs_waiting;"
    "CREATE INDEX jobs_waiting ON jobs(account, long, run_at, id) WHERE state = 0;",
    /* Webhooks. A host is in callback_hosts as long as a delivery to it waits or is being sent:
     * next_at is when its first may be claimed, NULL while it has as many in flight as allowed.
     * So one index lookup finds the next delivery, however many wait for an unreachable host. */
    "ALTER TABLE jobs ADD COLUMN client_ref TEXT;"
    "ALTER TABLE jobs ADD COLUMN callback_url TEXT;"
    "ALTER TABLE jobs ADD COLUMN callback_base TEXT;"
    "CREATE INDEX jobs_named ON jobs(account, client_ref, id) WHERE client_ref IS NOT NULL;"

    "CREATE TABLE deliveries("
    "  row INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE,"
    "  job TEXT NOT NULL UNIQUE,"
    "  account INTEGER NOT NULL,"
    "  host TEXT NOT NULL,"
    "  url TEXT NOT NULL,"
    "  state INTEGER NOT NULL DEFAULT 0,"
    "  attempts INTEGER NOT NULL DEFAULT 0,"
    "  tries INTEGER NOT NULL DEFAULT 0,"
    "  created_at INTEGER NOT NULL,"
    "  since INTEGER NOT NULL,"
    "  next_at INTEGER NOT NULL,"
    "  last_at INTEGER NOT NULL DEFAULT 0,"
    "  http_status INTEGER NOT NULL DEFAULT 0,"
    "  duration_ms INTEGER NOT NULL DEFAULT 0,"
    "  error TEXT,"
    "  excerpt TEXT"
    ") STRICT;"
    "CREATE INDEX deliveries_waiting ON deliveries(host, next_at, id) WHERE state = 0;"
    "CREATE INDEX deliveries_sending ON deliveries(host) WHERE state = 1;"

    "CREATE TABLE callback_hosts("
    "  host TEXT NOT NULL PRIMARY KEY,"
    "  next_at INTEGER,"
    "  failing INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    "CREATE INDEX callback_hosts_next ON callback_hosts(next_at) WHERE next_at IS NOT NULL;"

    "CREATE TABLE webhook_secrets("
    "  row INTEGER PRIMARY KEY,"
    "  account INTEGER NOT NULL REFERENCES accounts(id),"
    "  text TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  valid_until INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    "CREATE INDEX webhook_secrets_of ON webhook_secrets(account, row);",

    ("ALTER TABLE jobs ADD COLUMN reused_bytes INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE jobs ADD COLUMN retention_ms INTEGER NOT NULL DEFAULT 0;"),

    "ALTER TABLE jobs ADD COLUMN spared INTEGER NOT NULL DEFAULT 0;",

    /* Webhooks take turns by account first, then by host. An account is in callback_accounts as
     * long as one of its hosts is in callback_hosts; its next_at is the first of theirs, NULL
     * while it has as many deliveries in flight as allowed. `turn` is when it was last served. */
    ("DROP INDEX deliveries_waiting;"
     "DROP INDEX deliveries_sending;"
     "DROP TABLE callback_hosts;"
     "CREATE INDEX deliveries_waiting ON deliveries(account, host, next_at, id) WHERE state = 0;"
     "CREATE INDEX deliveries_sending ON deliveries(account, host) WHERE state = 1;"
     "CREATE TABLE callback_hosts("
     "  account INTEGER NOT NULL,"
     "  host TEXT NOT NULL,"
     "  next_at INTEGER,"
     "  failing INTEGER NOT NULL DEFAULT 0,"
     "  PRIMARY KEY(account, host)"
     ") STRICT;"
     "CREATE INDEX callback_hosts_next ON callback_hosts(account, next_at)"
     " WHERE next_at IS NOT NULL;"
     "CREATE TABLE callback_accounts("
     "  account INTEGER PRIMARY KEY,"
     "  next_at INTEGER,"
     "  turn INTEGER NOT NULL DEFAULT 0"
     ") STRICT;"
     "CREATE INDEX callback_accounts_turn ON callback_accounts(turn, account);"
     "CREATE INDEX callback_accounts_next ON callback_accounts(next_at) WHERE next_at IS NOT NULL;"
     "INSERT INTO callback_hosts(account, host, next_at)"
     " SELECT account, host, min(iif(state = 0, next_at, NULL)) FROM deliveries"
     " WHERE state IN (0, 1) GROUP BY account, host;"
     "INSERT INTO callback_accounts(account, next_at)"
     " SELECT account, min(next_at) FROM callback_hosts GROUP BY account;"),

    /* A deleted job also removes the content digest of its idempotency key. */
    "CREATE INDEX idempotency_job ON idempotency(job);",

    /* Files of small jobs (STORE_SMALL), by the job's row. in_store says which are here
     * (JOB_HAS_INPUTS, JOB_HAS_RESULT). */
    ("ALTER TABLE jobs ADD COLUMN in_store INTEGER NOT NULL DEFAULT 0;"
     "CREATE TABLE job_inputs(row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;"
     "CREATE TABLE job_results(row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;"),

    /* The parameter or form field that a failed job failed for. */
    "ALTER TABLE jobs ADD COLUMN error_field TEXT;",

    /* Files that clients send in pieces (store/store_uploads.h). */
    ("CREATE TABLE uploads("
     "row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL,"
     "size INTEGER NOT NULL, offset INTEGER NOT NULL, created_at INTEGER NOT NULL,"
     "expires_at INTEGER NOT NULL, name TEXT NOT NULL, pieces TEXT NOT NULL,"
     "complete INTEGER NOT NULL, kind TEXT NOT NULL) STRICT;"
     "CREATE INDEX uploads_of ON uploads(account);"
     "CREATE INDEX uploads_expiry ON uploads(expires_at);"),

    /* An account's deliveries are listed, the newest first. */
    "CREATE INDEX deliveries_of ON deliveries(account, id);",
};

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

static int migrate(struct sqlite_db *db, const char *const *list, int newest, struct err *err)
{
    int version = version_of(db, err);
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
    if (version > 0 && keep_copy(db, version, err) < 0)
        return -1;
    for (int i = version; i < newest; i++)
        if (sqlite_db_script(db, list[i], err) < 0)
            return err_wrap(err, "cannot bring the database to version %d", i + 1);
    snprintf(note, sizeof note, "PRAGMA user_version = %d", newest);
    return sqlite_db_script(db, note, err);
}

const char *const *sqlite_schema_migrations(void)
{
    return migrations;
}

int sqlite_schema_newest(void)
{
    return (int) COUNT(migrations);
}

int sqlite_schema_bring(struct sqlite_db *db, const char *const *list, size_t n, struct err *err)
{
    struct err ignored;

    if (sqlite_db_script(db, "BEGIN IMMEDIATE", err) < 0)
        return -1;
    if (migrate(db, list, (int) n, err) < 0 || sqlite_db_script(db, "COMMIT", err) < 0) {
        sqlite_db_script(db, "ROLLBACK", &ignored);
        return -1;
    }
    return 0;
}

int sqlite_schema_apply(struct sqlite_db *db, struct err *err)
{
    return sqlite_schema_bring(db, migrations, COUNT(migrations), err);
}

void sqlite_schema_drop_copies(const char *path, int64_t before)
{
    for (size_t version = 1; version <= COUNT(migrations); version++) {
        char copy[SQLITE_SCHEMA_PATH];
        struct stat st;

        snprintf(copy, sizeof copy, "%s.v%zu", path, version);
        if (stat(copy, &st) == 0 && (int64_t) st.st_mtime * 1000 < before && unlink(copy) == 0)
            log_info("store.copy_dropped", KV("copy", copy));
    }
}
