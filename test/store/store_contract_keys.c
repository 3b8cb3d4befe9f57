/* The contract of the keys. */
#include "store_contract.h"
#include "tap.h"

static struct key new_key(void)
{
    char text[KEY_TEXT];
    struct key key = { .name = "Zo\xc3\xab's", .plan = "business", .created_at = NOW };

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    return key;
}

static bool same(const struct key *a, const struct key *b)
{
    return a->id == b->id && strcmp(a->prefix, b->prefix) == 0 &&
           strcmp(a->digest, b->digest) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->plan, b->plan) == 0 && a->created_at == b->created_at &&
           a->valid_until == b->valid_until && a->parent == b->parent &&
           strcmp(a->tools, b->tools) == 0 && strcmp(a->addresses, b->addresses) == 0;
}

static void test_add(void)
{
    STORE *store = contract_open();
    struct key first = new_key(), second = new_key(), found, bad;
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct err err;

    is_int(store_key_list(store, &keys, &err), 0, "the keys of a new store can be listed");
    is_int(keys.n, 0, "a new store has no keys");
    store_keys_free(&keys);
    is_int(store_key_find(store, first.digest, &found, &err), 0, "an unknown key is not found");
    is_int(store_key_add(store, &first, &err), 0, "a key can be added");
    ok(first.id > 0, "a key without an account gets a new account");
    is_int(store_key_find(store, first.digest, &found, &err), 1, "a key is found by its digest");
    ok(same(&found, &first), "a key is found as it was added");
    is_int(store_key_find(store, first.prefix, &found, &err), 0,
           "a key is not found by its prefix");
    second.valid_until = NOW - 1;
    second.parent = first.id;
    snprintf(second.tools, sizeof second.tools, "merge to-png");
    snprintf(second.addresses, sizeof second.addresses, "192.0.2.0/24 2001:db8::/32");
    is_int(store_key_add(store, &second, &err), 0, "another key can be added");
    ok(second.id > 0 && second.id != first.id, "another key gets another account");
    is_int(store_key_find(store, second.digest, &found, &err), 1, "a key that has ended is found");
    ok(same(&found, &second), "a key that has ended is found with its end");

    bad = new_key();
    memcpy(bad.prefix, first.prefix, sizeof bad.prefix);
    is_int(store_key_add(store, &bad, &err), -1, "a prefix can be used once");
    is_int(bad.id, 0, "a refused key gets no account");
    bad = new_key();
    memcpy(bad.digest, first.digest, sizeof bad.digest);
    is_int(store_key_add(store, &bad, &err), -1, "a digest can be used once");
    bad = new_key();
    bad.id = second.id + 7;
    is_int(store_key_add(store, &bad, &err), -1, "a key of an unknown account is refused");
    is_int(err.code, ERR_NOT_FOUND, "the error of an unknown account is ERR_NOT_FOUND");
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
    is_int(store_key_end(store, "pk_nosuch00", NOW, &found, &err), 0,
           "an unknown key cannot be ended");
    is_int(store_key_end(store, key.prefix, NOW + 9, &found, &err), 1, "a key can be ended");
    ok(strcmp(found.digest, key.digest) == 0 && found.valid_until == NOW + 9,
       "a key is ended by its prefix");
    store_key_end(store, key.prefix, NOW + 10, &found, &err);
    is_int(found.valid_until, NOW + 9, "a key does not end later than before");
    store_key_end(store, key.prefix, NOW + 3, &found, &err);
    is_int(found.valid_until, NOW + 3, "a key can end earlier than before");
    store_key_end(store, key.prefix, 0, &found, &err);
    is_int(found.valid_until, NOW + 3, "a key that ends cannot have no end");
    store_key_find(store, key.digest, &found, &err);
    is_int(found.valid_until, NOW + 3, "an ended key is found with its end");
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
    is_int(new.id, old.id, "another key of an account has the same account");
    store_key_end(store, old.prefix, NOW + 9, &found, &err);
    store_key_find(store, new.digest, &found, &err);
    ok(found.valid_until == 0 && found.id == old.id, "the new key does not end with the old one");
    is_int(contract_usage(store, found.id, MONTH).requests, 1,
           "the new key has the usage of its account");
    AUTO_STORE_JOBS struct store_jobs jobs = { 0 };
    store_list(store, found.id, &(struct store_page){ .status = -1, .limit = 9 }, &jobs, &err);
    is_int(jobs.n, 1, "the new key has the jobs of its account");
}

static void test_move(void)
{
    STORE *store = contract_open();
    struct key old = new_key(), new = new_key(), other = new_key(), test = new_key(), found;
    struct err err;

    store_key_add(store, &old, &err);
    new.id = test.parent = old.id;
    store_key_add(store, &new, &err);
    store_key_add(store, &test, &err);
    store_key_add(store, &other, &err);
    is_int(store_key_move(store, "pk_nosuch00", "pro", &found, &err), 0,
           "an unknown key cannot get a plan");
    is_int(store_key_move(store, old.prefix, "pro", &found, &err), 1, "a key can get another plan");
    is_str(found.plan, "pro", "the key is returned with its new plan");
    store_key_find(store, old.digest, &found, &err);
    is_str(found.plan, "pro", "the key is found with its new plan");
    store_key_find(store, new.digest, &found, &err);
    is_str(found.plan, "pro", "the other keys of the account have the new plan");
    store_key_find(store, test.digest, &found, &err);
    is_str(found.plan, "pro", "so have its test keys");
    store_key_find(store, other.digest, &found, &err);
    is_str(found.plan, "business", "keys of other accounts keep their plan");
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
    is_int(store_key_remove(store, old.prefix, NOW, &found, &err), -1,
           "a valid key cannot be removed");
    is_int(err.code, ERR_INVALID_REQUEST, "the error of a valid key is ERR_INVALID_REQUEST");
    store_key_end(store, old.prefix, NOW, &found, &err);
    is_int(store_key_remove(store, old.prefix, NOW - 1, &found, &err), -1,
           "a key cannot be removed before its end");
    is_int(store_key_remove(store, old.prefix, NOW, &found, &err), 1,
           "a key that has ended can be removed");
    is_str(found.digest, old.digest, "a removed key is returned");
    is_int(store_key_find(store, old.digest, &found, &err), 0, "a removed key is not found");
    is_int(contract_usage(store, old.id, MONTH).requests, 1,
           "the account of a removed key keeps its usage");

    store_key_end(store, new.prefix, NOW, &found, &err);
    is_int(store_key_remove(store, new.prefix, NOW, &found, &err), -1,
           "the last key cannot be removed while a job waits");
    is_int(err.code, ERR_INVALID_REQUEST, "the error of a last key is ERR_INVALID_REQUEST");
    is_int(store_key_find(store, new.digest, &found, &err), 1,
           "a last key that was not removed is found");
    store_remove(store, id, new.id, &job, &err);
    job_free(&job);
    is_int(store_key_remove(store, new.prefix, NOW, &found, &err), 1,
           "the last key can be removed when no job waits");
    store_key_list(store, &keys, &err);
    is_int(keys.n, 0, "an account without keys has none listed");
    is_int(contract_usage(store, new.id, MONTH).requests, 0, "a removed account has no usage");
    store_secret_list(store, new.id, NOW, secrets, &n, &err);
    is_int(n, 0, "a removed account has no secrets");
}

void store_contract_keys(void)
{
    test_move();
    test_remove();
    test_add();
    test_end();
    test_rotate();
}
