#include "data/store_postgres/postgres_schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "data/job/delivery.h"
#include "data/job/job.h"
#include "data/store/store_shipments.h"

_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_COMPLETED == 2 && JOB_FAILED == 3 &&
                   JOB_EXPIRED == 4 && JOB_HAS_INPUTS == 1 && JOB_HAS_RESULT == 2,
               "the numbers of a job are part of the schema");
_Static_assert(DELIVERY_WAITING == 0 && DELIVERY_SENDING == 1 && DELIVERY_DELIVERED == 2 &&
                   DELIVERY_FAILED == 3,
               "and those of delivery_state");
_Static_assert(SHIPMENT_WAITING == 0 && SHIPMENT_SENDING == 1 && SHIPMENT_DONE == 2 &&
                   SHIPMENT_FAILED == 3,
               "and those of shipment_state");

/* Embedded by the build. */
extern const char postgres_schema_tables[], postgres_functions[];

/* steps[0] makes the tables of version POSTGRES_SCHEMA_FIRST, and steps[n] turns the version before
 * into version POSTGRES_SCHEMA_FIRST + n. Only append: a step that was released must not change. */
static const char *const steps[] = {
    postgres_schema_tables,
    "", /* other functions */
    "ALTER TABLE platen.keys ADD COLUMN parent bigint NOT NULL DEFAULT 0,"
    " ADD COLUMN tools text NOT NULL DEFAULT '', ADD COLUMN addresses text NOT NULL DEFAULT '';"
    "DROP FUNCTION IF EXISTS"
    " platen.key_add(bigint, bigint, bigint, text, text, text, text);"
    "CREATE UNLOGGED TABLE platen.permits(account bigint PRIMARY KEY, at bigint NOT NULL,"
    " cells int[] NOT NULL);",
    "CREATE TABLE platen.sessions(row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " digest text COLLATE \"C\" NOT NULL UNIQUE, key text COLLATE \"C\" NOT NULL,"
    " expires_at bigint NOT NULL);"
    "CREATE INDEX sessions_key ON platen.sessions(key, row);"
    "CREATE INDEX sessions_ended ON platen.sessions(expires_at);"
    "ALTER TABLE platen.nodes ADD COLUMN serves boolean NOT NULL DEFAULT true;",
    "CREATE TABLE platen.shipments(id text COLLATE \"C\" PRIMARY KEY,"
    " job text COLLATE \"C\" NOT NULL, account bigint NOT NULL, part int NOT NULL,"
    " host text NOT NULL, state int NOT NULL, attempts int NOT NULL DEFAULT 0,"
    " created_at bigint NOT NULL, next_at bigint NOT NULL, last_at bigint NOT NULL DEFAULT 0,"
    " duration_ms bigint NOT NULL DEFAULT 0, http_status int NOT NULL DEFAULT 0,"
    " error text NOT NULL);"
    "CREATE UNIQUE INDEX shipments_of ON platen.shipments(job, part);"
    "CREATE INDEX shipments_open ON platen.shipments(account, next_at) WHERE state < 2;"
    "CREATE INDEX shipments_next ON platen.shipments(next_at) WHERE state < 2;"
    "CREATE INDEX shipments_sending ON platen.shipments(account, next_at) WHERE state = 1;",
    "CREATE TABLE platen.workflows(id text COLLATE \"C\" PRIMARY KEY, account bigint NOT NULL,"
    " name text COLLATE \"C\" NOT NULL, steps text NOT NULL, position bigint NOT NULL,"
    " version bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL);"
    "CREATE UNIQUE INDEX workflows_of ON platen.workflows(account, name);",
};
#define NEWEST (POSTGRES_SCHEMA_FIRST + (int) COUNT(steps) - 1)

int postgres_schema_newest(void)
{
    return NEWEST;
}

int postgres_schema_check(int version, struct err *err)
{
    if (version > NEWEST)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the database is of version %d, and this platen knows versions up to %d: "
                       "use the newer platen that made it",
                       version, NEWEST);
    if (version > 0 && version < POSTGRES_SCHEMA_FIRST)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the database is of version %d, and this platen knows versions from %d on: "
                       "start the last platen 0.1.0 on it once, which brings it to version %d",
                       version, POSTGRES_SCHEMA_FIRST, POSTGRES_SCHEMA_FIRST);
    return 0;
}

int postgres_schema_version(struct postgres_db *db, struct err *err)
{
    int64_t there, version;

    if (postgres_db_number(db, "SELECT count(*) FROM pg_class WHERE oid = to_regclass($1)",
                           BIND(V("platen.version")), &there, err) < 0)
        return -1;
    if (!there)
        return 0;
    if (postgres_db_number(db, "SELECT version FROM platen.version", NULL, 0, &version, err) < 0)
        return -1;
    return (int) version;
}

/* The statements that upgrade a version to the newest. The lock excludes others that do the
 * same; a server that waited for it finds another version, fails at the first statement, and
 * checks again. */
static int upgrade(struct postgres_db *db, int version, struct err *err)
{
    AUTO_BUF struct buf script = BUF_EMPTY;
    struct err ignored;

    buf_printf(&script, "BEGIN; SELECT pg_advisory_xact_lock(8101160);");
    if (version == 0)
        buf_printf(&script, "CREATE SCHEMA IF NOT EXISTS platen;"
                            "CREATE TABLE platen.version(version int NOT NULL);"
                            "INSERT INTO platen.version VALUES(0);");
    buf_printf(&script,
               "DO $$ BEGIN IF (SELECT version FROM platen.version) <> %d THEN"
               " RAISE EXCEPTION 'another server has brought it to date'; END IF; END $$;",
               version);
    for (int i = version ? version + 1 : POSTGRES_SCHEMA_FIRST; i <= NEWEST; i++)
        buf_puts(&script, steps[i - POSTGRES_SCHEMA_FIRST]);
    buf_puts(&script, postgres_functions);
    buf_printf(&script, "UPDATE platen.version SET version = %d; COMMIT;", NEWEST);
    buf_put(&script, "", 1);
    if (script.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (postgres_db_script(db, script.data, err) == 0)
        return 0;
    postgres_db_script(db, "ROLLBACK", &ignored); /* the connection is used again */
    return -1;
}

int postgres_schema_apply(struct postgres_db *db, struct err *err)
{
    int version = postgres_schema_version(db, err);
    struct err first;

    if (version < 0 || postgres_schema_check(version, err) < 0)
        return -1;
    if (version == NEWEST)
        return 0;
    log_info("store.upgrade", KV("from", version), KV("to", NEWEST));
    if (upgrade(db, version, &first) == 0)
        return 0;
    /* Another server was faster, or it cannot be done. */
    if (postgres_schema_version(db, err) == NEWEST)
        return 0;
    *err = first;
    return err_wrap(err, "cannot make the tables of platen");
}
