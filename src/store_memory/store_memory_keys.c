/* The store in memory: keys and usage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store_memory/store_memory.h"

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

static struct key *find_prefix(struct memory *m, const char *prefix)
{
    for (size_t i = 0; i < m->n_keys; i++)
        if (strcmp(m->keys[i].prefix, prefix) == 0)
            return &m->keys[i];
    return NULL;
}

int store_memory_key_move(struct store *store, const char *prefix, const char *plan,
                          struct key *key, struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct key *found = find_prefix(m, prefix);

    (void) err;
    if (!found)
        return 0;
    for (size_t i = 0; i < m->n_keys; i++)
        if (m->keys[i].id == found->id)
            snprintf(m->keys[i].plan, sizeof m->keys[i].plan, "%s", plan);
    *key = *found;
    return 1;
}

static size_t keys_of(const struct memory *m, int64_t account)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n_keys; i++)
        n += m->keys[i].id == account;
    return n;
}

static bool is_busy(const struct memory *m, int64_t account)
{
    for (size_t i = 0; i < m->n_jobs; i++) {
        const struct job *job = &m->jobs[i].job;

        if (job->key_id == account && (job->state == JOB_PENDING || job->state == JOB_RUNNING))
            return true;
    }
    for (size_t i = 0; i < m->n_deliveries; i++) {
        const struct delivery *delivery = &m->deliveries[i].delivery;

        if (delivery->key_id == account &&
            (delivery->state == DELIVERY_WAITING || delivery->state == DELIVERY_SENDING))
            return true;
    }
    return false;
}

static void forget_account(struct memory *m, int64_t account)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n_counts; i++)
        if (m->counts[i].account != account)
            m->counts[n++] = m->counts[i];
    m->n_counts = n;
    n = 0;
    for (size_t i = 0; i < m->n_secrets; i++)
        if (m->secrets[i].account != account)
            m->secrets[n++] = m->secrets[i];
    m->n_secrets = n;
}

int store_memory_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                            struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct key *found = find_prefix(m, prefix);
    bool last = found && keys_of(m, found->id) == 1;

    if (!found)
        return 0;
    if (found->valid_until == 0 || found->valid_until > now)
        return store_refuse_valid(err);
    if (last && is_busy(m, found->id))
        return store_refuse_busy(err);
    *key = *found;
    if (last)
        forget_account(m, key->id);
    m->n_keys--;
    memmove(found, found + 1, (size_t) (m->keys + m->n_keys - found) * sizeof *found);
    return 1;
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
