/* key: API keys: create, list, change of plan, revoke, rotate, remove. May run while the server
 * does. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system/net.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "data/store/store.h"
#include "declare/value/text.h"
#include "sandbox/worker/catalog.h"
#include "sandbox/worker/declared.h"

/* Adds the key, whose prefix and digest are not set yet, and prints it, alone on the last line. */
static int add_key(struct store *store, struct key *key, enum key_scope scope, bool test,
                   struct err *err)
{
    char text[KEY_TEXT];

    key->created_at = clock_wall_ms();
    key->valid_until = 0;
    key_make(scope, test, text);
    key_split(text, key->prefix, key->digest);
    if (store_key_add(store, key, err) < 0)
        return -1;
    puts(text);
    return 0;
}

static int check_plan(const struct config *config, const char *plan, struct err *err)
{
    char known[160] = "";
    size_t n = 0;

    if (plan_list_find(&config->plans, plan))
        return 0;
    for (size_t i = 0; i < config->plans.n && n < sizeof known; i++)
        n += (size_t) snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "",
                               config->plans.list[i].name);
    return err_set(err, ERR_INVALID_PARAMETER, "there is no plan %.40s: the plans are %s", plan,
                   known);
}

/* A name is one line: key list shows a key on each. */
static int check_name(const char *name, struct err *err)
{
    size_t n;

    if (!text_count(name, strlen(name), &n) || n == 0 || strlen(name) >= KEY_NAME ||
        !text_is_line(name))
        return err_set(err, ERR_INVALID_PARAMETER,
                       "--name must be one line of text of 1 to %d bytes", KEY_NAME - 1);
    return 0;
}

static int scope_of(const struct command_words *words, enum key_scope *scope, struct err *err)
{
    const char *name = command_value(words, "scope");

    *scope = name ? key_scope_find(name) : KEY_MANAGE;
    if (*scope == KEY_SCOPES)
        return err_set(err, ERR_INVALID_PARAMETER, "--scope must be submit, read or manage");
    return 0;
}

static bool is_tool(const struct config *config, const char *name)
{
    const char *program;
    bool found = false;

    for (size_t i = 0; !found && (program = catalog_program(i)) != NULL; i++) {
        struct declared declared;
        struct err ignored;

        if (declared_read(config->programs, program, &declared, &ignored) < 0)
            continue;
        for (size_t k = 0; k < declared.n; k++)
            found |= !declared.tools[k]->hidden && strcmp(declared.tools[k]->name, name) == 0;
        declared_free(&declared);
    }
    return found;
}

static int read_tools(const struct config *config, const char *text, struct key *key,
                      struct err *err)
{
    char list[KEY_TOOLS], *rest;

    if (!key_tools_read(text, key->tools) || !*key->tools)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "--only-tools must be a list of tools with blanks between them");
    snprintf(list, sizeof list, "%s", key->tools);
    for (const char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        if (!is_tool(config, name))
            return err_set(err, ERR_INVALID_PARAMETER,
                           "--only-tools: there is no tool %.40s; platen tools lists them", name);
    return 0;
}

static int read_networks(const char *text, struct key *key, struct err *err)
{
    struct net_list nets;

    if (net_list_read(text, &nets, err) < 0)
        return err_wrap(err, "--from");
    if (nets.n == 0)
        return err_set(err, ERR_INVALID_PARAMETER, "--from names no address");
    snprintf(key->addresses, sizeof key->addresses, "%s", nets.text);
    return 0;
}

static int read_limits(const struct config *config, const struct command_words *words,
                       struct key *key, struct err *err)
{
    const char *tools = command_value(words, "only-tools"), *from = command_value(words, "from");

    if (tools && read_tools(config, tools, key, err) < 0)
        return -1;
    return from ? read_networks(from, key, err) : 0;
}

static int create(struct store *store, const struct config *config,
                  const struct command_words *words, bool made, struct err *err)
{
    char folder[4096];
    struct key key = { 0 };
    enum key_scope scope;

    if (scope_of(words, &scope, err) < 0 || read_limits(config, words, &key, err) < 0)
        return -1;
    snprintf(key.name, sizeof key.name, "%s", command_value(words, "name"));
    snprintf(key.plan, sizeof key.plan, "%s", command_value(words, "plan"));
    cmd_data_shown(config, folder);
    if (*config->store)
        fprintf(stderr, "A key for all servers of the database that `store` names.\n");
    else
        fprintf(stderr, "A key for the server of the data folder %s%s.\n", folder,
                made ? ", which is new" : "");
    fprintf(stderr, "The key is shown only now. Keep it.\n");
    return add_key(store, &key, scope, command_value(words, "test") != NULL, err);
}

static const char *state_of(const struct key *key, char until[static CLOCK_TEXT])
{
    if (key->valid_until == 0)
        return "active";
    if (key->valid_until <= clock_wall_ms())
        return "ended";
    clock_format(key->valid_until, until);
    return until;
}

/* What a key's account has used this month, with what its plan allows (0: the plan is gone). */
struct consumption {
    struct usage used;
    int64_t requests, bytes;
};

static int consumption_of(struct store *store, const struct config *config, const struct key *key,
                          struct consumption *out, struct err *err)
{
    const struct plan *plan = plan_list_find(&config->plans, key->plan);

    out->requests = plan ? plan->requests_per_month : 0;
    out->bytes = plan ? plan->bytes_per_month : 0;
    return store_usage(store, key->id, clock_month_start(clock_wall_ms()), &out->used, err);
}

static void print_row(const struct key *key, const struct consumption *month)
{
    char created[CLOCK_TEXT], until[CLOCK_TEXT], requests[48], bytes[64], name[KEY_NAME];

    clock_format(key->created_at, created);
    text_for_message(key->name, strlen(key->name), name, sizeof name); /* older ones had any text */
    snprintf(requests, sizeof requests, "%" PRId64 "/%" PRId64, month->used.requests,
             month->requests);
    snprintf(bytes, sizeof bytes, "%.1f/%.0f", (double) month->used.bytes / 1e6,
             (double) month->bytes / 1e6);
    printf("%-12s %-8" PRId64 " %-10s %.10s  %-24s %-15s %-15s %s\n", key->prefix,
           key->parent ? key->parent : key->id, key->plan, created, state_of(key, until), requests,
           bytes, name);
}

static json_t *in_json(const struct key *key, const struct consumption *month)
{
    char created[CLOCK_TEXT], until[CLOCK_TEXT];
    bool ended = key->valid_until != 0 && key->valid_until <= clock_wall_ms();

    clock_format(key->created_at, created);
    if (key->valid_until)
        clock_format(key->valid_until, until);
    return json_pack("{ss ss sb ss ss sI ss ss ss ss ss* s{s{sI sI} s{sI sI}}}", "prefix",
                     key->prefix, "scope", key_scope_name(key_scope(key->prefix)), "test",
                     key_is_test(key->prefix), "tools", key->tools, "addresses", key->addresses,
                     "account", (json_int_t) (key->parent ? key->parent : key->id), "plan",
                     key->plan, "name", key->name, "createdAt", created, "state",
                     ended              ? "ended"
                     : key->valid_until ? "ending"
                                        : "active",
                     "validUntil", key->valid_until ? until : NULL, "month", "requests", "used",
                     (json_int_t) month->used.requests, "limit", (json_int_t) month->requests,
                     "data", "used", (json_int_t) month->used.bytes, "limit",
                     (json_int_t) month->bytes);
}

static int print_json(const json_t *list, struct err *err)
{
    if (json_dumpf(list, stdout, JSON_INDENT(2)) < 0)
        return err_set(err, ERR_INTERNAL, "the list could not be written");
    putchar('\n');
    return 0;
}

static int list(struct store *store, const struct config *config, bool as_json, struct err *err)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    json_t *json = as_json ? json_array() : NULL;
    int done = 0;

    if (store_key_list(store, &keys, err) < 0)
        done = -1;
    else if (!as_json)
        printf("%-12s %-8s %-10s %-11s %-24s %-15s %-15s %s\n", "PREFIX", "ACCOUNT", "PLAN",
               "CREATED", "STATE OR END", "REQUESTS", "DATA (MB)", "NAME");
    for (size_t i = 0; i < keys.n && done == 0; i++) {
        struct consumption month;

        done = consumption_of(store, config, &keys.list[i], &month, err);
        if (done == 0 && as_json)
            json_array_append_new(json, in_json(&keys.list[i], &month));
        else if (done == 0)
            print_row(&keys.list[i], &month);
    }
    if (done == 0 && as_json)
        done = print_json(json, err);
    json_decref(json);
    return done;
}

/* Of the store's answers for a prefix. */
static int check(int found, const char *prefix, struct err *err)
{
    if (found == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no key with the prefix %.20s", prefix);
    return found < 0 ? -1 : 0;
}

static int end(struct store *store, const struct command_words *words, int64_t when,
               struct key *key, struct err *err)
{
    return check(store_key_end(store, words->operands[0], when, key, err), words->operands[0], err);
}

static int revoke_key(struct store *store, const struct command_words *words, struct err *err)
{
    int64_t now = clock_wall_ms();
    struct key key = { 0 };

    if (end(store, words, now, &key, err) < 0)
        return -1;
    fprintf(stderr, key.valid_until < now ? "%s had ended already.\n" : "%s is revoked.\n",
            key.prefix);
    return 0;
}

static int rotate(struct store *store, const struct config *config,
                  const struct command_words *words, struct err *err)
{
    int64_t now = clock_wall_ms();
    struct key key = { 0 };

    if (end(store, words, now + config->key_grace, &key, err) < 0)
        return -1;
    if (key.valid_until <= now)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "this key is not valid any more: create a new one");
    fprintf(stderr, "The old key works for %lld more hours. The new one is shown only now.\n",
            (long long) ((key.valid_until - now) / 3600000));
    return add_key(store, &key, key_scope(key.prefix), key_is_test(key.prefix), err);
}

static int move(struct store *store, const struct command_words *words, struct err *err)
{
    struct key key = { 0 };

    if (check(store_key_move(store, words->operands[0], words->operands[1], &key, err),
              words->operands[0], err) < 0)
        return -1;
    fprintf(stderr, "All keys of account %lld have the plan %s.\n", (long long) key.id, key.plan);
    return 0;
}

static int erase(struct store *store, const struct command_words *words, struct err *err)
{
    struct key key = { 0 };

    if (check(store_key_remove(store, words->operands[0], clock_wall_ms(), &key, err),
              words->operands[0], err) < 0)
        return -1;
    fprintf(stderr, "%s is removed.\n", key.prefix);
    return 0;
}

static int run(const struct config *config, const struct command_words *words, struct err *err)
{
    const char *verb = words->form->verb;
    bool make = strcmp(verb, "create") == 0, made = make && access(config->data, F_OK) < 0;
    struct store *store = cmd_open_store(config, make, err);
    int done;

    if (!store)
        return -1;
    if (make)
        done = create(store, config, words, made, err);
    else if (strcmp(verb, "list") == 0)
        done = list(store, config, command_value(words, "json"), err);
    else if (strcmp(verb, "plan") == 0)
        done = move(store, words, err);
    else if (strcmp(verb, "revoke") == 0)
        done = revoke_key(store, words, err);
    else if (strcmp(verb, "remove") == 0)
        done = erase(store, words, err);
    else
        done = rotate(store, config, words, err);
    store_close(store);
    return done;
}

int cmd_key(int argc, char **argv)
{
    static struct config config;
    struct command_words words;
    const char *plan, *name;
    struct err err;

    if (cmd_begin(&config, &words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    plan = words.operands[1] ? words.operands[1] : command_value(&words, "plan");
    name = command_value(&words, "name");
    if ((plan && check_plan(&config, plan, &err) < 0) || (name && check_name(name, &err) < 0))
        return cmd_fail(2, "%s", err.msg);
    if (run(&config, &words, &err) < 0)
        return cmd_fail(err.code == ERR_INTERNAL ? 1 : 2, "%s", err.msg);
    return 0;
}
