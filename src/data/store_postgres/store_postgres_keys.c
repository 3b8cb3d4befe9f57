/* The store in PostgreSQL: keys, usage of accounts, and webhook secrets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/store/store_rules.h"
#include "data/store_postgres/store_postgres_parts.h"

static void copy_column(const PGresult *r, int row, int column, char *out, size_t size)
{
    const char *text = postgres_text(r, row, column);

    snprintf(out, size, "%s", text ? text : "");
}

void store_postgres_read_key(const PGresult *r, int row, int column, struct key *key)
{
    *key = (struct key){
        .id = postgres_integer(r, row, column),
        .created_at = postgres_integer(r, row, column + 1),
        .valid_until = postgres_integer(r, row, column + 2),
    };
    copy_column(r, row, column + 3, key->prefix, sizeof key->prefix);
    copy_column(r, row, column + 4, key->digest, sizeof key->digest);
    copy_column(r, row, column + 5, key->name, sizeof key->name);
    copy_column(r, row, column + 6, key->plan, sizeof key->plan);
    key->parent = postgres_integer(r, row, column + 7);
    copy_column(r, row, column + 8, key->tools, sizeof key->tools);
    copy_column(r, row, column + 9, key->addresses, sizeof key->addresses);
}

/* 1: *key is the first row; 0: there is none; -1: failed. */
static int ask_key(struct store *store, const char *sql, const struct postgres_value *values,
                   size_t n, struct key *key, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(store_postgres_of(store)->db, sql, values, n, err);

    if (!r)
        return -1;
    if (PQntuples(r) == 0)
        return 0;
    store_postgres_read_key(r, 0, 0, key);
    return 1;
}

int store_postgres_key_add(struct store *store, struct key *key, struct err *err)
{
    int64_t account;

    if (postgres_db_number(store_postgres_of(store)->db,
                           "SELECT platen.key_add($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                           BIND(V(key->id), V(key->created_at), V(key->valid_until),
                                V((const char *) key->prefix), V((const char *) key->digest),
                                V((const char *) key->name), V((const char *) key->plan),
                                V(key->parent), V((const char *) key->tools),
                                V((const char *) key->addresses)),
                           &account, err) < 0)
        return -1;
    if (!account)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    key->id = account;
    return 0;
}

int store_postgres_key_find(struct store *store, const char *digest, struct key *key,
                            struct err *err)
{
    return ask_key(store, "SELECT " STORE_POSTGRES_KEY " FROM platen.keys WHERE digest = $1",
                   BIND(V(digest)), key, err);
}

int store_postgres_key_list(struct store *store, struct store_keys *keys, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db, "SELECT " STORE_POSTGRES_KEY " FROM platen.keys ORDER BY id",
        NULL, 0, err);
    int n = r ? PQntuples(r) : 0;

    if (!r)
        return -1;
    *keys = (struct store_keys){ 0 };
    if (n > 0 && !(keys->list = calloc((size_t) n, sizeof *keys->list)))
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (; keys->n < (size_t) n; keys->n++)
        store_postgres_read_key(r, (int) keys->n, 0, &keys->list[keys->n]);
    return 0;
}

int store_postgres_key_end(struct store *store, const char *prefix, int64_t valid_until,
                           struct key *key, struct err *err)
{
    /* Like store_earlier: 0 means no end. */
    return ask_key(store,
                   "UPDATE platen.keys SET valid_until = CASE WHEN $2::bigint = 0 THEN valid_until"
                   " WHEN valid_until = 0 THEN $2 ELSE least(valid_until, $2) END"
                   " WHERE prefix = $1 RETURNING " STORE_POSTGRES_KEY,
                   BIND(V(prefix), V(valid_until)), key, err);
}

int store_postgres_key_move(struct store *store, const char *prefix, const char *plan,
                            struct key *key, struct err *err)
{
    return ask_key(store,
                   "WITH one AS (SELECT account FROM platen.keys WHERE prefix = $1), moved AS"
                   " (UPDATE platen.keys k SET plan = $2 FROM one WHERE k.account = one.account"
                   " OR k.parent = one.account RETURNING k.*)"
                   " SELECT " STORE_POSTGRES_KEY " FROM moved AS keys WHERE prefix = $1",
                   BIND(V(prefix), V(plan)), key, err);
}

int store_postgres_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                              struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "SELECT verdict, (k).account, (k).created_at, (k).valid_until, (k).prefix, (k).digest,"
        " (k).name, (k).plan, (k).parent, (k).tools, (k).addresses"
        " FROM platen.key_remove($1, $2)",
        BIND(V(prefix), V(now)), err);

    if (!r)
        return -1;
    if (PQntuples(r) == 0)
        return 0;
    if (strcmp(postgres_text(r, 0, 0), "valid") == 0)
        return store_refuse_valid(err);
    if (strcmp(postgres_text(r, 0, 0), "busy") == 0)
        return store_refuse_busy(err);
    store_postgres_read_key(r, 0, 1, key);
    return 1;
}

int store_postgres_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                         struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db, "SELECT * FROM platen.usage_of($1, $2)",
                         BIND(V(key_id), V(month)), err);

    if (!r)
        return -1;
    *usage = (struct usage){ 0 };
    if (PQntuples(r))
        *usage = (struct usage){ postgres_integer(r, 0, 0), postgres_integer(r, 0, 1) };
    return 0;
}

int store_postgres_permit(struct store *store, int64_t account, int64_t limit, int64_t want,
                          struct store_permits *permits, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db, "SELECT * FROM platen.permit($1, $2, $3, $4, $5)",
        BIND(V(account), V(limit), V(want), V((int64_t) STORE_PERMIT_CELL_MS),
             V((int64_t) STORE_PERMIT_CELLS)),
        err);

    if (!r)
        return -1;
    *permits = (struct store_permits){ postgres_integer(r, 0, 0), postgres_integer(r, 0, 1),
                                       postgres_integer(r, 0, 2) };
    return 0;
}

int store_postgres_secret_list(struct store *store, int64_t key_id, int64_t now,
                               struct store_secret secrets[static STORE_SECRETS], size_t *n,
                               struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "SELECT text, created_at, valid_until FROM platen.webhook_secrets WHERE account = $1"
        " AND (valid_until = 0 OR valid_until > $2) ORDER BY row DESC LIMIT $3",
        BIND(V(key_id), V(now), V(STORE_SECRETS)), err);

    *n = 0;
    for (; r && *n < (size_t) PQntuples(r); ++*n) {
        copy_column(r, (int) *n, 0, secrets[*n].text, STORE_SECRET);
        secrets[*n].created_at = postgres_integer(r, (int) *n, 1);
        secrets[*n].valid_until = postgres_integer(r, (int) *n, 2);
    }
    return r ? 0 : -1;
}

int store_postgres_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                              int64_t old_until, struct err *err)
{
    int64_t done;

    if (postgres_db_number(store_postgres_of(store)->db, "SELECT platen.secret_add($1, $2, $3, $4)",
                           BIND(V(key_id), V(text), V(now), V(old_until)), &done, err) < 0)
        return -1;
    return done ? 0 : err_set(err, ERR_NOT_FOUND, "there is no such account");
}
