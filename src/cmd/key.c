/* key: API keys: create, list, revoke, rotate. May run while the server does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "store/store.h"
#include "tool/text.h"

static int print_help(void)
{
    puts("platen key create --plan PLAN --name NAME   a new key; it is shown once, on the last "
         "line\n"
         "platen key list                             every key: prefix, plan, name, state\n"
         "platen key revoke PREFIX                    ends a key at once\n"
         "platen key rotate PREFIX                    a new key for the same account; the old one\n"
         "                                            works on for key_grace\n\n"
         "with --data DIR and --config FILE as for platen serve");
    return 0;
}

struct words {
    const char *plan, *name, *prefix;
};

static int parse_words(int argc, char **argv, struct words *words, struct err *err)
{
    for (int i = 2; i < argc; i++) {
        const char **into = strcmp(argv[i], "--plan") == 0   ? &words->plan
                            : strcmp(argv[i], "--name") == 0 ? &words->name
                                                             : NULL;

        if (into && i + 1 < argc)
            *into = argv[++i];
        else if (!into && argv[i][0] != '-' && !words->prefix)
            words->prefix = argv[i];
        else
            return err_set(err, ERR_UNKNOWN_FIELD, "key %s knows no %.60s", argv[1], argv[i]);
    }
    return 0;
}

/* Adds a key to an account (0: a new one) and prints it, alone on the last line. */
static int add(struct store *store, int64_t account, const char *plan, const char *name,
               struct err *err)
{
    struct key key = { .id = account, .created_at = clock_wall_ms() };
    char text[KEY_TEXT];

    key_make(text);
    key_split(text, key.prefix, key.digest);
    snprintf(key.name, sizeof key.name, "%s", name);
    snprintf(key.plan, sizeof key.plan, "%s", plan);
    if (store_key_add(store, &key, err) < 0)
        return -1;
    puts(text);
    return 0;
}

static int create(struct store *store, const struct config *config, const struct words *words,
                  struct err *err)
{
    size_t n;

    if (!words->plan || !plans_find(&config->plans, words->plan))
        return err_set(err, ERR_INVALID_PARAMETER,
                       "--plan must be one of the plans: pro, business%s",
                       config->plans.n > 2 ? " or one of the configuration" : "");
    if (!words->name || !text_count(words->name, strlen(words->name), &n) || n == 0 ||
        strlen(words->name) >= KEY_NAME)
        return err_set(err, ERR_INVALID_PARAMETER, "--name must have 1 to %d bytes of text",
                       KEY_NAME - 1);
    fprintf(stderr, "The key is shown only now. Keep it.\n");
    return add(store, 0, words->plan, words->name, err);
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

static int list(struct store *store, struct err *err)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };

    if (store_key_list(store, &keys, err) < 0)
        return -1;
    printf("%-12s %-8s %-10s %-26s %-26s %s\n", "PREFIX", "ACCOUNT", "PLAN", "CREATED",
           "STATE OR END", "NAME");
    for (size_t i = 0; i < keys.n; i++) {
        const struct key *key = &keys.list[i];
        char created[CLOCK_TEXT], until[CLOCK_TEXT];

        clock_format(key->created_at, created);
        printf("%-12s %-8lld %-10s %-26s %-26s %s\n", key->prefix, (long long) key->id, key->plan,
               created, state_of(key, until), key->name);
    }
    return 0;
}

static int end(struct store *store, const struct words *words, int64_t when, struct key *key,
               struct err *err)
{
    int found;

    if (!words->prefix)
        return err_set(err, ERR_MISSING_FIELD,
                       "which key? give its prefix; platen key list shows it");
    found = store_key_end(store, words->prefix, when, key, err);
    if (found == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no key with the prefix %.20s", words->prefix);
    return found < 0 ? -1 : 0;
}

static int rotate(struct store *store, const struct config *config, const struct words *words,
                  struct err *err)
{
    int64_t now = clock_wall_ms();
    struct key key = { 0 };

    if (end(store, words, now + config->key_grace, &key, err) < 0)
        return -1;
    if (key.valid_until <= now)
        return err_set(err, ERR_INVALID_PARAMETER, "this key has ended: create a new one");
    fprintf(stderr, "The old key works for %lld more hours. The new one is shown only now.\n",
            (long long) ((key.valid_until - now) / 3600000));
    return add(store, key.id, key.plan, key.name, err);
}

static int run(const char *verb, const struct config *config, const struct words *words,
               struct store *store, struct err *err)
{
    struct key key;

    if (strcmp(verb, "create") == 0)
        return create(store, config, words, err);
    if (strcmp(verb, "list") == 0)
        return list(store, err);
    if (strcmp(verb, "revoke") == 0)
        return end(store, words, clock_wall_ms(), &key, err);
    return rotate(store, config, words, err);
}

static bool is_verb(const char *word)
{
    static const char *const verbs[] = { "create", "list", "revoke", "rotate" };

    for (size_t i = 0; i < COUNT(verbs); i++)
        if (strcmp(word, verbs[i]) == 0)
            return true;
    return false;
}

int cmd_key(int argc, char **argv)
{
    struct config config;
    struct words words = { 0 };
    struct store *store;
    char path[4096];
    struct err err;
    int done;

    if (cmd_wants_help(argc, argv))
        return print_help();
    if (cmd_config(&config, &argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (argc < 2 || !is_verb(argv[1]))
        return cmd_fail(2, "key what? create, list, revoke or rotate; platen key --help says more");
    if (parse_words(argc, argv, &words, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (cmd_act_as_owner(&config, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    if (cmd_data_path(&config, "platen.db", path, sizeof path, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    store = store_sqlite_open(path, &err);
    if (!store)
        return cmd_fail(1, "%s", err.msg);
    done = run(argv[1], &config, &words, store, &err);
    store_close(store);
    if (done == 0)
        return 0;
    return cmd_fail(err.code == ERR_INTERNAL ? 1 : 2, "%s", err.msg);
}
