#include "store_postgres/postgres_schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/scope.h"
#include "job/delivery.h"
#include "job/job.h"
#include "store/store.h"

_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_COMPLETED == 2 && JOB_FAILED == 3 &&
                   JOB_EXPIRED == 4 && JOB_HAS_INPUTS == 1 && JOB_HAS_RESULT == 2,
               "the numbers of a job are part of the schema");
_Static_assert(DELIVERY_WAITING == 0 && DELIVERY_SENDING == 1 && DELIVERY_DELIVERED == 2 &&
                   DELIVERY_FAILED == 3,
               "and those of delivery_state");

/* Embedded by the build. */
extern const char postgres_schema_1[], postgres_schema_2[], postgres_uploads[],
    postgres_snapshots[], store_postgres_callbacks[], postgres_batches[], postgres_functions[];

/* An account's deliveries are listed, the newest first. */
static const char deliveries_of[] = "CREATE INDEX deliveries_of ON platen.deliveries(account, id);";

/* steps[n] turns version n into version n + 1. Only ever append. */
static const char *const steps[] = { postgres_schema_1, postgres_schema_2,
                                     postgres_uploads,  postgres_snapshots,
                                     deliveries_of,     store_postgres_callbacks,
                                     postgres_batches };
#define NEWEST ((int) COUNT(steps))

int postgres_schema_newest(void)
{
    return NEWEST;
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
    for (int i = version; i < NEWEST; i++)
        buf_puts(&script, steps[i]);
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

    if (version < 0)
        return -1;
    if (version > NEWEST)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the database is of version %d, and this platen knows versions up to %d: "
                       "use the newer platen that made it",
                       version, NEWEST);
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
