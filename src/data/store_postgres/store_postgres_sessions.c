/* The store in PostgreSQL: sessions of browsers. */
#include "data/store/store_sessions.h"

#include "data/store_postgres/store_postgres_parts.h"

static int store_postgres_session_add(struct store *store, const struct store_session *session,
                                      int64_t now, struct err *err)
{
    int64_t done;

    if (postgres_db_number(store_postgres_of(store)->db,
                           "SELECT platen.session_add($1, $2, $3, $4, $5)",
                           BIND(V((const char *) session->digest), V((const char *) session->key),
                                V(now), V(session->expires_at), V(STORE_SESSIONS)),
                           &done, err) < 0)
        return -1;
    return done ? 0 : store_refuse_session(err);
}

static int store_postgres_session_find(struct store *store, const char *digest, int64_t now,
                                       struct key *key, int64_t *expires_at, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "SELECT " STORE_POSTGRES_KEY ", expires_at FROM platen.sessions JOIN platen.keys"
        " ON keys.digest = key WHERE sessions.digest = $1 AND expires_at > $2",
        BIND(V(digest), V(now)), err);

    if (!r || PQntuples(r) == 0)
        return r ? 0 : -1;
    store_postgres_read_key(r, 0, 0, key);
    *expires_at = postgres_integer(r, 0, 10);
    return 1;
}

static int store_postgres_session_end(struct store *store, const char *digest, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "DELETE FROM platen.sessions WHERE digest = $1", BIND(V(digest)), err);

    return r ? 0 : -1;
}

const struct store_session_ops store_postgres_sessions = {
    .add = store_postgres_session_add,
    .find = store_postgres_session_find,
    .end = store_postgres_session_end,
};
