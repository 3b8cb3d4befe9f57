/* The contract of sessions of browsers. */
#include <stdio.h>
#include <string.h>

#include "data/account/session_token.h"
#include "data/store/store_sessions.h"
#include "store_contract.h"
#include "tap.h"

static struct key add_key(struct store *store)
{
    char text[KEY_TEXT];
    struct key key = { .name = "Zoe", .plan = "pro", .created_at = NOW };
    struct err err;

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    is_int(store_key_add(store, &key, &err), 0, "a key for sessions is added");
    return key;
}

static struct store_session session_of(const struct key *key, int64_t expires_at)
{
    struct store_session session = { .expires_at = expires_at };
    char token[SESSION_TOKEN];

    session_token_make(token);
    session_token_digest(token, session.digest);
    memcpy(session.key, key->digest, sizeof session.key);
    return session;
}

/* Whether the session stands for the key at that time. */
static bool stands(struct store *store, const struct store_session *session, int64_t now,
                   const struct key *key)
{
    struct key found;
    int64_t until = 0;
    struct err err;

    return store_session_find(store, session->digest, now, &found, &until, &err) == 1 &&
           until == session->expires_at && strcmp(found.digest, key->digest) == 0 &&
           strcmp(found.prefix, key->prefix) == 0 && strcmp(found.plan, key->plan) == 0 &&
           found.id == key->id && found.valid_until == key->valid_until;
}

static void test_life(void)
{
    STORE *store = contract_open();
    struct key key = add_key(store), other = add_key(store), found;
    struct store_session one = session_of(&key, NOW + 1000), two = session_of(&key, NOW + 5000),
                         strange = session_of(&other, NOW + 5000);
    int64_t until;
    struct err err;

    is_int(store_session_find(store, one.digest, NOW, &found, &until, &err), 0,
           "an unknown session is not found");
    is_int(store_session_add(store, &one, NOW, &err), 0, "a session can be added");
    store_session_add(store, &two, NOW, &err);
    store_session_add(store, &strange, NOW, &err);
    ok(stands(store, &one, NOW + 999, &key), "a session stands for its key until it expires");
    ok(!stands(store, &one, NOW + 1000, &key), "an expired session is not found");
    ok(stands(store, &strange, NOW, &other), "another session stands for another key");
    is_int(store_session_find(store, key.digest, NOW, &found, &until, &err), 0,
           "a session is not found by the digest of its key");
    is_int(store_session_end(store, two.digest, &err), 0, "a session can be ended");
    ok(!stands(store, &two, NOW, &key), "a session that was ended is not found");
    is_int(store_session_end(store, two.digest, &err), 0, "it can be ended again");
    ok(stands(store, &one, NOW, &key), "other sessions of the key go on");
    snprintf(other.digest, sizeof other.digest, "%064d", 7);
    two = session_of(&other, NOW + 5000);
    is_int(store_session_add(store, &two, NOW, &err), -1, "a session of no key is refused");
    is_int(err.code, ERR_NOT_FOUND, "the error of a session of no key is ERR_NOT_FOUND");
}

static void test_key_ends(void)
{
    STORE *store = contract_open();
    struct key key = add_key(store), other = add_key(store);
    struct store_session session = session_of(&key, NOW + 5000),
                         kept = session_of(&other, NOW + 5000);
    struct err err;

    store_session_add(store, &session, NOW, &err);
    store_session_add(store, &kept, NOW, &err);
    store_key_end(store, key.prefix, NOW + 10, &key, &err);
    ok(key.valid_until == NOW + 10 && stands(store, &session, NOW, &key),
       "a session gives its key with the end that was set since");
    store_key_remove(store, key.prefix, NOW + 10, &key, &err);
    ok(!stands(store, &session, NOW, &key), "sessions of a removed key are gone");
    store_key_add(store, &key, &err);
    ok(!stands(store, &session, NOW, &key), "they do not come back with the key");
    ok(stands(store, &kept, NOW, &other), "sessions of another key are kept");
}

static void test_limit(void)
{
    STORE *store = contract_open();
    struct key key = add_key(store), other = add_key(store);
    struct store_session first = session_of(&key, NOW + 5000), second, last,
                         strange = session_of(&other, NOW + 5000);
    struct err err;

    store_session_add(store, &strange, NOW, &err);
    store_session_add(store, &first, NOW, &err);
    second = last = session_of(&key, NOW + 5000);
    store_session_add(store, &second, NOW, &err);
    for (int i = 2; i < STORE_SESSIONS; i++) {
        last = session_of(&key, NOW + 5000);
        store_session_add(store, &last, NOW, &err);
    }
    ok(stands(store, &first, NOW, &key), "a key may have STORE_SESSIONS sessions");
    last = session_of(&key, NOW + 5000);
    store_session_add(store, &last, NOW, &err);
    ok(!stands(store, &first, NOW, &key), "one more ends the oldest");
    ok(stands(store, &second, NOW, &key) && stands(store, &last, NOW, &key),
       "the others of the key go on");
    ok(stands(store, &strange, NOW, &other), "those of another key do not count");
}

void store_contract_sessions(void)
{
    test_life();
    test_key_ends();
    test_limit();
}
