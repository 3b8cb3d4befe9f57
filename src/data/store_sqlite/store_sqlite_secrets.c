/* The store in SQLite: webhook secrets. */
#include <stdio.h>

#include "data/store_sqlite/store_sqlite_parts.h"

static int list_secrets(struct sqlite_db *db, int64_t account, int64_t now,
                        struct store_secret secrets[static STORE_SECRETS], size_t *n,
                        struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db,
        "SELECT text, created_at, valid_until FROM webhook_secrets WHERE account = ?1"
        " AND (valid_until = 0 OR valid_until > ?2) ORDER BY row DESC LIMIT ?3",
        BIND(V(account), V(now), V(STORE_SECRETS)), err);
    int rc = -1;

    *n = 0;
    while (stmt && *n < STORE_SECRETS && (rc = sqlite_db_next(stmt, err)) == 1) {
        struct store_secret *secret = &secrets[(*n)++];

        snprintf(secret->text, STORE_SECRET, "%s", (const char *) sqlite3_column_text(stmt, 0));
        secret->created_at = sqlite3_column_int64(stmt, 1);
        secret->valid_until = sqlite3_column_int64(stmt, 2);
    }
    return rc < 0 ? -1 : 0;
}

int store_sqlite_secret_list(struct store *store, int64_t key_id, int64_t now,
                             struct store_secret secrets[static STORE_SECRETS], size_t *n,
                             struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? list_secrets(read.db, key_id, now, secrets, n, err) : -1;
}

struct adding {
    int64_t account, now, old_until;
    const char *text;
};

static int add_secret(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct adding *adding = arg;
    int rc;

    /* Expired secrets are useless; secure_delete overwrites them. */
    if (sqlite_db_run(db,
                      "DELETE FROM webhook_secrets WHERE account = ?1 AND valid_until > 0"
                      " AND valid_until <= ?2",
                      BIND(V(adding->account), V(adding->now)), err) < 0 ||
        sqlite_db_run(db,
                      "UPDATE webhook_secrets SET valid_until = ?2 WHERE account = ?1"
                      " AND (valid_until = 0 OR valid_until > ?2)",
                      BIND(V(adding->account), V(adding->old_until)), err) < 0)
        return -1;
    rc = sqlite_db_run(db,
                       "INSERT INTO webhook_secrets(account, text, created_at)"
                       " SELECT id, ?2, ?3 FROM accounts WHERE id = ?1 AND id > 0",
                       BIND(V(adding->account), V(adding->text), V(adding->now)), err);
    if (rc == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    return rc < 0 ? -1 : 0;
}

int store_sqlite_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                            int64_t old_until, struct err *err)
{
    struct adding adding = { key_id, now, old_until, text };

    return sqlite_writer_do(store_sqlite_of(store)->writer, add_secret, &adding, err);
}
