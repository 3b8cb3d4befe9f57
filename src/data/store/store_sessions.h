/*
 * store_sessions: the sessions of browsers on the web page. Each is a token, of which the store has
 * the digest, that is valid instead of an API key until it expires, is ended, or the key is
 * removed. A separate part of the store's interface; the promises of store.h hold here, too.
 */
#pragma once

#include "data/store/store.h"

#define STORE_SESSIONS 100 /* limit of the sessions of one key: a newer one ends the oldest */

struct store_session {
    char digest[DIGEST_TEXT]; /* of the token */
    char key[DIGEST_TEXT];    /* the digest of its key */
    int64_t expires_at;
};

struct store_session_ops {
    int (*add)(struct store *store, const struct store_session *session, int64_t now,
               struct err *err);
    int (*find)(struct store *store, const char *digest, int64_t now, struct key *key,
                int64_t *expires_at, struct err *err);
    int (*end)(struct store *store, const char *digest, struct err *err);
};

/* Adds a session, and erases those that have expired. ERR_NOT_FOUND if there is no such key. */
int store_session_add(struct store *store, const struct store_session *session, int64_t now,
                      struct err *err);
/* Finds the key, valid or not, of a session by the digest of its token. 1: both are set; 0: it
 * was not found, or it has expired (expires_at <= now). */
int store_session_find(struct store *store, const char *digest, int64_t now, struct key *key,
                       int64_t *expires_at, struct err *err);
/* Erases a session, if there is one. */
int store_session_end(struct store *store, const char *digest, struct err *err);

/* The implementations. */
extern const struct store_session_ops store_sqlite_sessions, store_postgres_sessions;
/* Sets ERR_NOT_FOUND, and returns -1. */
int store_refuse_session(struct err *err);
