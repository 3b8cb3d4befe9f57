#include "data/store/store_sessions.h"

int store_refuse_session(struct err *err)
{
    return err_set(err, ERR_NOT_FOUND, "the key of this session is gone");
}

int store_session_add(struct store *store, const struct store_session *session, int64_t now,
                      struct err *err)
{
    return store->ops->sessions->add(store, session, now, err);
}

int store_session_find(struct store *store, const char *digest, int64_t now, struct key *key,
                       int64_t *expires_at, struct err *err)
{
    return store->ops->sessions->find(store, digest, now, key, expires_at, err);
}

int store_session_end(struct store *store, const char *digest, struct err *err)
{
    return store->ops->sessions->end(store, digest, err);
}
