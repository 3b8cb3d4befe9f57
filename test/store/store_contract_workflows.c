/* The contract of workflows of accounts. */
#include <stdio.h>
#include <string.h>

#include "data/store/store_workflows.h"
#include "store_contract.h"
#include "tap.h"

#define STEPS "[{\"params\":{},\"tool\":\"compress\"}]"

static struct store_workflow workflow_of(int64_t account, const char *name)
{
    struct store_workflow w = { .name = strdup(name),
                                .steps = strdup(STEPS),
                                .key_id = account,
                                .position = -1,
                                .created_at = NOW,
                                .updated_at = NOW };

    id_new(w.id);
    return w;
}

/* Adds a workflow of this name; its id. The code of a refusal, or -1. */
static int add(struct store *store, int64_t account, const char *name, char id[static ID_TEXT])
{
    AUTO_WORKFLOW struct store_workflow w = workflow_of(account, name);
    struct err err;

    snprintf(id, ID_TEXT, "%s", w.id);
    return store_workflow_add(store, &w, &err) < 0 ? (int) err.code : -1;
}

/* The names of an account's workflows in their order, each with a blank after it. */
static const char *names(struct store *store, int64_t account)
{
    static char text[400];
    AUTO_WORKFLOWS struct store_workflows all = { 0 };
    struct err err;
    size_t used = 0;

    text[0] = '\0';
    if (store_workflow_list(store, account, &all, &err) < 0)
        return "error";
    for (size_t i = 0; i < all.n && used < sizeof text; i++)
        used += (size_t) snprintf(text + used, sizeof text - used, "%s ", all.list[i].name);
    return text;
}

static void test_added(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    AUTO_WORKFLOW struct store_workflow found = { 0 };
    char first[ID_TEXT], id[ID_TEXT];
    struct err err;

    is_str(names(store, account), "", "a new account has no workflows");
    is_int(add(store, account, "b", first), -1, "a workflow can be added");
    is_int(add(store, account, "a", id), -1, "so can another one");
    is_str(names(store, account), "b a ", "workflows are listed in the order they were added");
    is_str(names(store, other), "", "another account does not see them");
    is_int(add(store, account, "b", id), ERR_WORKFLOW_EXISTS, "a name that is there is refused");
    is_int(add(store, other, "b", id), -1, "another account may have a workflow of that name");
    is_int(store_workflow_find(store, first, account, &found, &err), 0, "a workflow is found");
    ok(strcmp(found.id, first) == 0 && strcmp(found.name, "b") == 0 &&
           strcmp(found.steps, STEPS) == 0 && found.key_id == account && found.version == 1 &&
           found.position == 0 && found.created_at == NOW && found.updated_at == NOW,
       "what is found is what was added");
    store_workflow_free(&found);
    is_int(store_workflow_find(store, first, other, &found, &err), -1,
           "another account does not find it");
    is_int(err.code, ERR_WORKFLOW_NOT_FOUND, "the error says that there is none");
    is_int(add(store, 999999, "x", id), ERR_NOT_FOUND, "an account that is not there gets none");
}

/* The code of a refusal, or -1. */
static int replace(struct store *store, struct store_workflow *w, int64_t version)
{
    struct err err;

    return store_workflow_replace(store, w, version, &err) < 0 ? (int) err.code : -1;
}

static void test_replaced(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    AUTO_WORKFLOW struct store_workflow w = workflow_of(account, "c"), found = { 0 };
    char a[ID_TEXT], b[ID_TEXT];
    struct err err;

    add(store, account, "a", a);
    add(store, account, "b", b);
    snprintf(w.id, sizeof w.id, "%s", a);
    w.updated_at = NOW + 5;
    w.created_at = NOW + 5;
    is_int(replace(store, &w, 2), ERR_WORKFLOW_CHANGED, "another version is not replaced");
    is_str(names(store, account), "a b ", "nothing is changed by that");
    is_int(replace(store, &w, 1), -1, "a workflow of the version is replaced");
    ok(w.version == 2 && w.position == 0 && w.created_at == NOW,
       "its version grows, its place and the time it was made stay");
    store_workflow_find(store, a, account, &found, &err);
    ok(found.version == 2 && strcmp(found.name, "c") == 0 && found.updated_at == NOW + 5 &&
           found.created_at == NOW,
       "the change is found");
    w.position = 7;
    w.updated_at = NOW + 6;
    is_int(replace(store, &w, 0), -1, "without a version any is replaced");
    is_str(names(store, account), "b c ", "a position moves it");
    w.name[0] = 'b';
    is_int(replace(store, &w, 0), ERR_WORKFLOW_EXISTS, "the name of another one is refused");
    w.key_id = other;
    is_int(replace(store, &w, 0), ERR_WORKFLOW_NOT_FOUND, "another account cannot replace it");
    is_str(names(store, account), "b c ", "refused changes change nothing");
}

static void test_removed(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    char id[ID_TEXT];
    struct err err;

    add(store, account, "a", id);
    ok(store_workflow_remove(store, id, other, 0, &err) < 0 && err.code == ERR_WORKFLOW_NOT_FOUND,
       "another account cannot remove a workflow");
    ok(store_workflow_remove(store, id, account, 9, &err) < 0 && err.code == ERR_WORKFLOW_CHANGED,
       "another version is not removed");
    is_str(names(store, account), "a ", "it is still there");
    is_int(store_workflow_remove(store, id, account, 1, &err), 0, "it can be removed");
    is_str(names(store, account), "", "it is gone then");
    ok(store_workflow_remove(store, id, account, 0, &err) < 0 && err.code == ERR_WORKFLOW_NOT_FOUND,
       "it cannot be removed again");
}

static void test_many(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), other = contract_account(store);
    char name[16], id[ID_TEXT];
    int refused = 0;

    for (int i = 0; i < STORE_WORKFLOWS; i++) {
        snprintf(name, sizeof name, "w%d", i);
        refused += add(store, account, name, id) != -1;
    }
    is_int(refused, 0, "an account can have as many workflows as the limit says");
    is_int(add(store, account, "more", id), ERR_TOO_MANY_WORKFLOWS, "one more is refused");
    is_int(add(store, other, "more", id), -1, "another account is not concerned");
}

/* An account ends with its last key. */
static void test_account_ends(void)
{
    STORE *store = contract_open();
    char text[KEY_TEXT], id[ID_TEXT];
    struct key key = { .name = "Zoe", .plan = "pro", .created_at = NOW }, removed;
    struct err err;

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    store_key_add(store, &key, &err);
    add(store, key.id, "a", id);
    store_key_end(store, key.prefix, NOW, &removed, &err);
    is_str(names(store, key.id), "a ", "a key that ended leaves the workflows of its account");
    is_int(store_key_remove(store, key.prefix, NOW + 1, &removed, &err), 1,
           "the last key of an account is removed");
    is_str(names(store, key.id), "", "its workflows are erased with it");
}

void store_contract_workflows(void)
{
    test_added();
    test_replaced();
    test_removed();
    test_many();
    test_account_ends();
}
