/* The store in SQLite: keys and usage of accounts. */
#include <stdio.h>
#include <stdlib.h>

#include "data/store_sqlite/store_sqlite_parts.h"

#define KEY_SELECT "SELECT " STORE_SQLITE_KEY " FROM keys "

void store_sqlite_read_key(sqlite3_stmt *stmt, struct key *key)
{
    *key = (struct key){
        .id = sqlite3_column_int64(stmt, 0),
        .created_at = sqlite3_column_int64(stmt, 1),
        .valid_until = sqlite3_column_int64(stmt, 2),
    };
    sqlite_db_copy(stmt, 3, key->prefix, sizeof key->prefix);
    sqlite_db_copy(stmt, 4, key->digest, sizeof key->digest);
    sqlite_db_copy(stmt, 5, key->name, sizeof key->name);
    sqlite_db_copy(stmt, 6, key->plan, sizeof key->plan);
    key->parent = sqlite3_column_int64(stmt, 7);
    sqlite_db_copy(stmt, 8, key->tools, sizeof key->tools);
    sqlite_db_copy(stmt, 9, key->addresses, sizeof key->addresses);
}

static int find_key(struct sqlite_db *db, const char *sql, const char *text, struct key *key,
                    struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, sql, BIND(V(text)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc == 1)
        store_sqlite_read_key(stmt, key);
    return rc;
}

static int account_exists(struct sqlite_db *db, int64_t account, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db, "SELECT 1 FROM accounts WHERE id = ?1 AND id > 0", BIND(V(account)), err);

    return stmt ? sqlite_db_next(stmt, err) : -1;
}

static int add_key(struct sqlite_db *db, void *arg, struct err *err)
{
    struct key *key = arg;
    int rc;

    if (key->id == 0) {
        if (sqlite_db_run(db, "INSERT INTO accounts DEFAULT VALUES", NULL, 0, err) < 0)
            return -1;
        key->id = sqlite3_last_insert_rowid(db->handle);
    } else if ((rc = account_exists(db, key->id, err)) < 1)
        return rc < 0 ? -1 : err_set(err, ERR_NOT_FOUND, "there is no such account");
    rc = sqlite_db_run(db,
                       "INSERT INTO keys(account, created_at, valid_until, prefix, digest, name, "
                       "plan, parent, tools,"
                       " addresses) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                       BIND(V(key->id), V(key->created_at), V(key->valid_until), V(key->prefix),
                            V(key->digest), V(key->name), V(key->plan), V(key->parent),
                            V(key->tools), V(key->addresses)),
                       err);
    return rc < 0 ? -1 : 0;
}

int store_sqlite_key_add(struct store *store, struct key *key, struct err *err)
{
    struct key added = *key;

    if (sqlite_writer_do(store_sqlite_of(store)->writer, add_key, &added, err) < 0)
        return -1;
    *key = added;
    return 0;
}

int store_sqlite_key_find(struct store *store, const char *digest, struct key *key, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    if (!read.db)
        return -1;
    return find_key(read.db, KEY_SELECT "WHERE digest = ?1", digest, key, err);
}

static int list_keys(struct sqlite_db *db, struct store_keys *keys, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, KEY_SELECT "ORDER BY id", NULL, 0, err);
    AUTO_STORE_KEYS struct store_keys found = { 0 };
    int rc = -1;

    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1) {
        struct key *list = reallocarray(found.list, found.n + 1, sizeof *list);

        if (!list)
            return err_set(err, ERR_INTERNAL, "out of memory");
        found.list = list;
        store_sqlite_read_key(stmt, &list[found.n++]);
    }
    if (rc < 0)
        return -1;
    *keys = found;
    found = (struct store_keys){ 0 };
    return 0;
}

int store_sqlite_key_list(struct store *store, struct store_keys *keys, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    if (!read.db)
        return -1;
    return list_keys(read.db, keys, err);
}

struct ending {
    const char *prefix;
    int64_t valid_until;
    struct key key;
};

static int end_key(struct sqlite_db *db, void *arg, struct err *err)
{
    struct ending *ending = arg;
    struct key *key = &ending->key;
    int rc = find_key(db, KEY_SELECT "WHERE prefix = ?1", ending->prefix, key, err);

    if (rc < 1)
        return rc;
    key->valid_until = store_earlier(key->valid_until, ending->valid_until);
    return sqlite_db_run(db, "UPDATE keys SET valid_until = ?2 WHERE prefix = ?1",
                         BIND(V(ending->prefix), V(key->valid_until)), err);
}

int store_sqlite_key_end(struct store *store, const char *prefix, int64_t valid_until,
                         struct key *key, struct err *err)
{
    struct ending ending = { prefix, valid_until, { 0 } };
    int rc = sqlite_writer_do(store_sqlite_of(store)->writer, end_key, &ending, err);

    if (rc == 1)
        *key = ending.key;
    return rc;
}

struct moving {
    const char *prefix, *plan;
    struct key key;
};

static int move_account(struct sqlite_db *db, void *arg, struct err *err)
{
    struct moving *moving = arg;
    struct key *key = &moving->key;
    int rc = find_key(db, KEY_SELECT "WHERE prefix = ?1", moving->prefix, key, err);

    if (rc < 1)
        return rc;
    snprintf(key->plan, sizeof key->plan, "%s", moving->plan);
    rc = sqlite_db_run(db, "UPDATE keys SET plan = ?2 WHERE account = ?1 OR parent = ?1",
                       BIND(V(key->id), V(moving->plan)), err);
    return rc < 0 ? -1 : 1;
}

int store_sqlite_key_move(struct store *store, const char *prefix, const char *plan,
                          struct key *key, struct err *err)
{
    struct moving moving = { prefix, plan, { 0 } };
    int rc = sqlite_writer_do(store_sqlite_of(store)->writer, move_account, &moving, err);

    if (rc == 1)
        *key = moving.key;
    return rc;
}

/* Whether the query, whose parameter is the account, has a row. */
static int has_row(struct sqlite_db *db, const char *sql, int64_t account, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, sql, BIND(V(account)), err);

    return stmt ? sqlite_db_next(stmt, err) : -1;
}

/* Data that needs a key of the account to be used. */
static int forget_account(struct sqlite_db *db, int64_t account, struct err *err)
{
    int busy =
        has_row(db, "SELECT 1 FROM accounts WHERE id = ?1 AND pending + running > 0", account, err);

    if (busy == 0)
        busy = has_row(db, "SELECT 1 FROM deliveries WHERE account = ?1 AND state IN (0, 1)",
                       account, err);
    if (busy != 0)
        return busy < 0 ? -1 : store_refuse_busy(err);
    if (sqlite_db_run(db, "DELETE FROM usage WHERE account = ?1", BIND(V(account)), err) < 0)
        return -1;
    if (sqlite_db_run(db, "DELETE FROM workflows WHERE account = ?1", BIND(V(account)), err) < 0)
        return -1;
    return sqlite_db_run(db, "DELETE FROM webhook_secrets WHERE account = ?1", BIND(V(account)),
                         err);
}

static int remove_key(struct sqlite_db *db, void *arg, struct err *err)
{
    struct ending *ending = arg;
    struct key *key = &ending->key;
    int rc = find_key(db, KEY_SELECT "WHERE prefix = ?1", ending->prefix, key, err);

    if (rc < 1)
        return rc;
    if (key->valid_until == 0 || key->valid_until > ending->valid_until)
        return store_refuse_valid(err);
    if (sqlite_db_run(db, "DELETE FROM keys WHERE prefix = ?1", BIND(V(ending->prefix)), err) < 0 ||
        sqlite_db_run(db, "DELETE FROM sessions WHERE key = ?1",
                      BIND(V((const char *) key->digest)), err) < 0)
        return -1;
    rc = has_row(db, "SELECT 1 FROM keys WHERE account = ?1", key->id, err);
    if (rc < 0 || (rc == 0 && forget_account(db, key->id, err) < 0))
        return -1;
    return 1;
}

int store_sqlite_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                            struct err *err)
{
    struct ending ending = { prefix, now, { 0 } };
    int rc = sqlite_writer_do(store_sqlite_of(store)->writer, remove_key, &ending, err);

    if (rc == 1)
        *key = ending.key;
    return rc;
}

int store_sqlite_used(struct sqlite_db *db, int64_t key_id, int64_t month, struct usage *usage,
                      struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT requests, bytes FROM usage WHERE account = ?1 AND month = ?2",
                        BIND(V(key_id), V(month)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 0)
        return -1;
    *usage = (struct usage){ 0 };
    if (rc == 1)
        *usage = (struct usage){ sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1) };
    return 0;
}

int store_sqlite_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                       struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    if (!read.db)
        return -1;
    return store_sqlite_used(read.db, key_id, month, usage, err);
}
