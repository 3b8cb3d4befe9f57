/* The store in memory: keys and what they used. */
#include <stdlib.h>
#include <string.h>

#include "store/store_memory.h"

static int add_account(struct memory *m, int64_t *id, struct err *err)
{
    struct store_share *shares =
        memory_room(m->shares, (size_t) m->n_accounts, sizeof *shares, err);

    if (!shares)
        return -1;
    m->shares = shares;
    shares[m->n_accounts] = (struct store_share){ 0, 0 };
    *id = ++m->n_accounts;
    return 0;
}

int store_memory_key_add(struct store *store, struct key *key, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct key *keys;

    if (key->id < 0 || key->id > m->n_accounts)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    for (size_t i = 0; i < m->n_keys; i++)
        if (strcmp(m->keys[i].prefix, key->prefix) == 0 ||
            strcmp(m->keys[i].digest, key->digest) == 0)
            return err_set(err, ERR_INTERNAL, "the key is there already");
    if (!(keys = memory_room(m->keys, m->n_keys, sizeof *keys, err)))
        return -1;
    m->keys = keys;
    if (key->id == 0 && add_account(m, &key->id, err) < 0)
        return -1;
    keys[m->n_keys++] = *key;
    return 0;
}

int store_memory_key_find(struct store *store, const char *digest, struct key *key, struct err *err)
{
    LOCKED *m = memory_enter(store);

    (void) err;
    for (size_t i = 0; i < m->n_keys; i++)
        if (strcmp(m->keys[i].digest, digest) == 0) {
            *key = m->keys[i];
            return 1;
        }
    return 0;
}

int store_memory_key_list(struct store *store, struct store_keys *keys, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct key *copy = calloc(m->n_keys + 1, sizeof *copy);

    if (!copy)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (m->n_keys)
        memcpy(copy, m->keys, m->n_keys * sizeof *copy);
    *keys = (struct store_keys){ copy, m->n_keys };
    return 0;
}

int store_memory_key_end(struct store *store, const char *prefix, int64_t valid_until,
                         struct key *key, struct err *err)
{
    LOCKED *m = memory_enter(store);

    (void) err;
    for (size_t i = 0; i < m->n_keys; i++)
        if (strcmp(m->keys[i].prefix, prefix) == 0) {
            m->keys[i].valid_until = store_earlier(m->keys[i].valid_until, valid_until);
            *key = m->keys[i];
            return 1;
        }
    return 0;
}

int store_memory_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                       struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct count *count = memory_count(m, key_id, month, err);

    if (!count)
        return -1;
    *usage = count->usage;
    return 0;
}
