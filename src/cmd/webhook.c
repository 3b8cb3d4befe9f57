/* webhook: what an account's webhooks are signed with: show, rotate. May run while the server
 * does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "data/store/store.h"
#include "server/webhook/signature.h"
#include "server/webhook/signed_request.h"

static int find_account(struct store *store, const char *prefix, int64_t *account, struct err *err)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };

    if (store_key_list(store, &keys, err) < 0)
        return -1;
    for (size_t i = 0; i < keys.n; i++)
        if (strcmp(keys.list[i].prefix, prefix) == 0) {
            *account = keys.list[i].id;
            return 0;
        }
    return err_set(err, ERR_NOT_FOUND, "there is no key with the prefix %.20s", prefix);
}

static int run(bool rotate, const char *prefix, const struct config *config, struct store *store,
               struct err *err)
{
    struct store_secret secrets[STORE_SECRETS];
    int64_t account = 0, now = clock_wall_ms();
    char text[STORE_SECRET];
    size_t n;

    if (find_account(store, prefix, &account, err) < 0)
        return -1;
    if (rotate) {
        signature_secret(text);
        if (store_secret_add(store, account, text, now, now + config->key_grace, err) < 0)
            return -1;
        fprintf(stderr, "Webhooks are signed with the old secret too for %lld more hours.\n",
                (long long) (config->key_grace / 3600000));
    }
    if (signed_request_secrets(store, account, now, secrets, &n, err) < 0)
        return -1;
    puts(secrets[0].text);
    explicit_bzero(secrets, sizeof secrets);
    explicit_bzero(text, sizeof text);
    return 0;
}

int cmd_webhook(int argc, char **argv)
{
    static struct config config;
    struct command_words words;
    struct store *store;
    struct err err;
    int done;

    if (cmd_begin(&config, &words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    store = cmd_open_store(&config, false, &err);
    if (!store)
        return cmd_fail(1, "%s", err.msg);
    done = run(strcmp(words.form->verb, "rotate") == 0, words.operands[0], &config, store, &err);
    store_close(store);
    if (done == 0)
        return 0;
    return cmd_fail(err.code == ERR_INTERNAL ? 1 : 2, "%s", err.msg);
}
