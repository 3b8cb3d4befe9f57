/* Prepared statements of a connection, against a PostgreSQL server that postgres.sh has started.
 * With the word "pooled" through the pooler that pgbouncer.sh has started. */
#include <inttypes.h>
#include <stdlib.h>

#include "data/store_postgres/postgres_db.h"
#include "tap.h"

#define COUNT_PREPARED                                                                             \
    "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT $1 + 1'"

static struct postgres_db *db;

static int64_t number(const char *sql, const struct postgres_value *values, size_t n)
{
    struct err err;
    int64_t value = -1;

    if (postgres_db_number(db, sql, values, n, &value, &err) < 0)
        printf("# %s: %s\n", sql, err.msg);
    return value;
}

static bool script(const char *sql)
{
    struct err err;

    if (postgres_db_script(db, sql, &err) == 0)
        return true;
    printf("# %s\n", err.msg);
    return false;
}

static void test_once(bool pooled)
{
    is_int(number("SELECT $1 + 1", BIND(V(4))), 5, "a statement runs for the first time");
    is_int(number("SELECT $1 + 1", BIND(V(5))), 6, "and again, with another value");
    is_int(number(COUNT_PREPARED, NULL, 0), pooled ? 0 : 1, "the session has it prepared %s",
           pooled ? "not at all" : "once");
}

static void test_stale(void)
{
    ok(script("DEALLOCATE ALL"), "what was prepared is gone");
    is_int(number("SELECT $1 + 1", BIND(V(6))), 7, "a statement that is gone runs all the same");
    is_int(number("SELECT $1 + 1", BIND(V(7))), 8, "and once more");
}

static void test_upgraded(void)
{
    ok(script("CREATE FUNCTION one(OUT a int) AS 'SELECT 1' LANGUAGE sql"), "there is a function");
    is_int(number("SELECT * FROM one()", NULL, 0), 1, "it is called");
    ok(script("DROP FUNCTION one(); CREATE FUNCTION one(OUT a bigint) AS 'SELECT 2::bigint'"
              " LANGUAGE sql"),
       "an upgrade makes it return another type");
    is_int(number("SELECT * FROM one()", NULL, 0), 2, "the new one is called");
}

/* With one connection, so that all statements reach the same session. */
static void open_db(const char *server)
{
    struct err err;

    db = postgres_db_open(server, 1, &err);
    if (!ok(db != NULL, "the database is opened"))
        exit(1);
}

int main(int argc, char **argv)
{
    const char *server = getenv("PLATEN_POSTGRES");
    bool pooled = argc > 1 && strcmp(argv[1], "pooled") == 0;

    if (!server) {
        puts("1..0 # SKIP PLATEN_POSTGRES names no server: run it by postgres.sh");
        return 0;
    }
    open_db(server);
    test_once(pooled);
    if (!pooled)
        test_stale();
    postgres_db_close(db);
    open_db(server);
    test_upgraded();
    postgres_db_close(db);
    return done_testing();
}
