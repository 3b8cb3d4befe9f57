/* The store in SQLite: sessions of browsers. */
#include "data/store/store_sessions.h"

#include "data/store_sqlite/store_sqlite_parts.h"

struct adding {
    const struct store_session *session;
    int64_t now;
};

static int add_session(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct adding *adding = arg;
    const char *digest = adding->session->digest, *key = adding->session->key;
    int rc;

    if (sqlite_db_run(db, "DELETE FROM sessions WHERE expires_at <= ?1", BIND(V(adding->now)),
                      err) < 0)
        return -1;
    rc = sqlite_db_run(db,
                       "INSERT INTO sessions(digest, key, expires_at)"
                       " SELECT ?1, digest, ?3 FROM keys WHERE digest = ?2",
                       BIND(V(digest), V(key), V(adding->session->expires_at)), err);
    if (rc < 1)
        return rc < 0 ? -1 : store_refuse_session(err);
    rc = sqlite_db_run(db,
                       "DELETE FROM sessions WHERE row IN (SELECT row FROM sessions WHERE key = ?1"
                       " ORDER BY row DESC LIMIT -1 OFFSET ?2)",
                       BIND(V(key), V(STORE_SESSIONS)), err);
    return rc < 0 ? -1 : 0;
}

static int store_sqlite_session_add(struct store *store, const struct store_session *session,
                                    int64_t now, struct err *err)
{
    struct adding adding = { session, now };

    return sqlite_writer_do(store_sqlite_of(store)->writer, add_session, &adding, err);
}

static int find_session(struct sqlite_db *db, const char *digest, int64_t now, struct key *key,
                        int64_t *expires_at, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db,
        "SELECT " STORE_SQLITE_KEY ", expires_at FROM sessions JOIN keys ON keys.digest = key"
        " WHERE sessions.digest = ?1 AND expires_at > ?2",
        BIND(V(digest), V(now)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc == 1) {
        store_sqlite_read_key(stmt, key);
        *expires_at = sqlite3_column_int64(stmt, 10);
    }
    return rc;
}

static int store_sqlite_session_find(struct store *store, const char *digest, int64_t now,
                                     struct key *key, int64_t *expires_at, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? find_session(read.db, digest, now, key, expires_at, err) : -1;
}

static int end_session(struct sqlite_db *db, void *arg, struct err *err)
{
    const char *const *digest = arg;
    int rc = sqlite_db_run(db, "DELETE FROM sessions WHERE digest = ?1", BIND(V(*digest)), err);

    return rc < 0 ? -1 : 0;
}

static int store_sqlite_session_end(struct store *store, const char *digest, struct err *err)
{
    return sqlite_writer_do(store_sqlite_of(store)->writer, end_session, &digest, err);
}

const struct store_session_ops store_sqlite_sessions = {
    .add = store_sqlite_session_add,
    .find = store_sqlite_session_find,
    .end = store_sqlite_session_end,
};
