/* The contract of the keys. */
#include "store_contract.h"
#include "tap.h"

static struct key new_key(void)
{
    char text[KEY_TEXT];
    struct key key = { .name = "Zo\xc3\xab's", .plan = "business", .created_at = NOW };

    key_make(text);
    key_split(text, key.prefix, key.digest);
    return key;
}

static bool same(const struct key *a, const struct key *b)
{
    return a->id == b->id && strcmp(a->prefix, b->prefix) == 0 &&
           strcmp(a->digest, b->digest) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->plan, b->plan) == 0 && a->created_at == b->created_at &&
           a->valid_until == b->valid_until;
}

static void test_add(void)
{
    STORE *store = contract_open();
    struct key first = new_key(), second = new_key(), found, bad;
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct err err;

    is_int(store_key_list(store, &keys, &err), 0, "a new store");
    is_int(keys.n, 0, "has no keys");
    store_keys_free(&keys);
    is_int(store_key_find(store, first.digest, &found, &err), 0, "an unknown key is not found");
    is_int(store_key_add(store, &first, &err), 0, "a key can be added");
    ok(first.id > 0, "and is of a new account");
    is_int(store_key_find(store, first.digest, &found, &err), 1, "it is found by its digest");
    ok(same(&found, &first), "as it was added");
    is_int(store_key_find(store, first.prefix, &found, &err), 0, "but not by its prefix");
    second.valid_until = NOW - 1;
    is_int(store_key_add(store, &second, &err), 0, "another key");
    ok(second.id > 0 && second.id != first.id, "is of another account");
    is_int(store_key_find(store, second.digest, &found, &err), 1, "one that has ended is found");
    ok(same(&found, &second), "with its end");

    bad = new_key();
    memcpy(bad.prefix, first.prefix, sizeof bad.prefix);
    is_int(store_key_add(store, &bad, &err), -1, "a prefix can be used once");
    is_int(bad.id, 0, "who is refused gets no account");
    bad = new_key();
    memcpy(bad.digest, first.digest, sizeof bad.digest);
    is_int(store_key_add(store, &bad, &err), -1, "and so can a digest");
    bad = new_key();
    bad.id = second.id + 7;
    is_int(store_key_add(store, &bad, &err), -1, "an account that is not there");
    is_int(err.code, ERR_NOT_FOUND, "gets no other key");
    store_key_list(store, &keys, &err);
    ok(keys.n == 2 && same(&keys.list[0], &first) && same(&keys.list[1], &second),
       "keys are listed as they were added");
}

static void test_end(void)
{
    STORE *store = contract_open();
    struct key key = new_key(), found;
    struct err err;

    store_key_add(store, &key, &err);
    is_int(store_key_end(store, "pk_nosuch00", NOW, &found, &err), 0, "an unknown key has no end");
    is_int(store_key_end(store, key.prefix, NOW + 9, &found, &err), 1, "a key can be ended");
    ok(strcmp(found.digest, key.digest) == 0 && found.valid_until == NOW + 9, "by its prefix");
    store_key_end(store, key.prefix, NOW + 10, &found, &err);
    is_int(found.valid_until, NOW + 9, "no later than it ended before");
    store_key_end(store, key.prefix, NOW + 3, &found, &err);
    is_int(found.valid_until, NOW + 3, "but earlier");
    store_key_end(store, key.prefix, 0, &found, &err);
    is_int(found.valid_until, NOW + 3, "and no end is later than any");
    store_key_find(store, key.digest, &found, &err);
    is_int(found.valid_until, NOW + 3, "it is found with its end");
}

static void test_rotate(void)
{
    STORE *store = contract_open();
    struct key old = new_key(), new = new_key(), found;
    char id[ID_TEXT];
    struct err err;

    store_key_add(store, &old, &err);
    contract_put(store, old.id, id);
    new.id = old.id;
    is_int(store_key_add(store, &new, &err), 0, "an account can have another key");
    is_int(new.id, old.id, "and is the same account");
    store_key_end(store, old.prefix, NOW + 9, &found, &err);
    store_key_find(store, new.digest, &found, &err);
    ok(found.valid_until == 0 && found.id == old.id, "the new key goes on when the old one ends");
    is_int(contract_usage(store, found.id, MONTH).requests, 1, "and shares what was used");
    AUTO_STORE_JOBS struct store_jobs jobs = { 0 };
    store_list(store, found.id, &(struct store_page){ .status = -1, .limit = 9 }, &jobs, &err);
    is_int(jobs.n, 1, "and the jobs");
}

static void test_move(void)
{
    STORE *store = contract_open();
    struct key old = new_key(), new = new_key(), other = new_key(), found;
    struct err err;

    store_key_add(store, &old, &err);
    new.id = old.id;
    store_key_add(store, &new, &err);
    store_key_add(store, &other, &err);
    is_int(store_key_move(store, "pk_nosuch00", "pro", &found, &err), 0,
           "an unknown key has no plan");
    is_int(store_key_move(store, old.prefix, "pro", &found, &err), 1, "a key can get another plan");
    is_str(found.plan, "pro", "which it has from then on");
    store_key_find(store, old.digest, &found, &err);
    is_str(found.plan, "pro", "when it is found too");
    store_key_find(store, new.digest, &found, &err);
    is_str(found.plan, "pro", "as have the other keys of its account");
    store_key_find(store, other.digest, &found, &err);
    is_str(found.plan, "business", "but not those of others");
}

static void test_remove(void)
{
    STORE *store = contract_open();
    struct key old = new_key(), new = new_key(), found;
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct store_secret secrets[STORE_SECRETS];
    char id[ID_TEXT];
    struct job job;
    struct err err;
    size_t n = 0;

    store_key_add(store, &old, &err);
    new.id = old.id;
    store_key_add(store, &new, &err);
    contract_put(store, old.id, id);
    store_secret_add(store, old.id, "whsec_x", NOW, NOW, &err);
    is_int(store_key_remove(store, "pk_nosuch00", NOW, &found, &err), 0,
           "an unknown key cannot be removed");
    is_int(store_key_remove(store, old.prefix, NOW, &found, &err), -1, "nor one that works");
    is_int(err.code, ERR_INVALID_REQUEST, "which is the caller's fault");
    store_key_end(store, old.prefix, NOW, &found, &err);
    is_int(store_key_remove(store, old.prefix, NOW - 1, &found, &err), -1, "nor before its end");
    is_int(store_key_remove(store, old.prefix, NOW, &found, &err), 1, "but one that has ended");
    is_str(found.digest, old.digest, "which is told once more");
    is_int(store_key_find(store, old.digest, &found, &err), 0, "is found no more");
    is_int(contract_usage(store, old.id, MONTH).requests, 1, "the account keeps its use");

    store_key_end(store, new.prefix, NOW, &found, &err);
    is_int(store_key_remove(store, new.prefix, NOW, &found, &err), -1,
           "the last key stays while a job waits");
    is_int(err.code, ERR_INVALID_REQUEST, "which is the caller's fault too");
    is_int(store_key_find(store, new.digest, &found, &err), 1, "and nothing is changed");
    store_remove(store, id, new.id, &job, &err);
    job_free(&job);
    is_int(store_key_remove(store, new.prefix, NOW, &found, &err), 1,
           "and can be removed when none does");
    store_key_list(store, &keys, &err);
    is_int(keys.n, 0, "then there is no key");
    is_int(contract_usage(store, new.id, MONTH).requests, 0, "nor what the account has used");
    store_secret_list(store, new.id, NOW, secrets, &n, &err);
    is_int(n, 0, "nor its secrets");
}

void store_contract_keys(void)
{
    test_move();
    test_remove();
    test_add();
    test_end();
    test_rotate();
}
