#include "server/api/webhook_secret.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/system/crew.h"
#include "base/system/log.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/visitors.h"
#include "server/webhook/signature.h"
#include "server/webhook/signed_request.h"

struct wish {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
};

static int begin_secret(struct http_request *req, struct err *err)
{
    struct wish *wish = calloc(1, sizeof *wish);
    const struct key *key;

    req->state = wish;
    if (!wish)
        return err_sys(err, "webhook secret");
    wish->req = req;
    if (call_begin(req, &wish->call, err) < 0)
        return -1;
    key = &wish->call.key;
    if (visitors_is(key))
        return err_set(err, ERR_FORBIDDEN, "a visitor has no webhooks");
    /* Whoever has the secret can sign as this server does. */
    if (key_scope(key->prefix) != KEY_MANAGE || *key->tools || *key->addresses)
        return err_set(err, ERR_OUTSIDE_SCOPE,
                       "only a key with the scope manage and without limits may see or change the "
                       "secret of webhooks");
    return 0;
}

enum http_next webhook_secret_begin(struct http_request *req, struct http_response *resp)
{
    struct err err;

    return begin_secret(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

void webhook_secret_done(struct http_request *req)
{
    free(req->state);
    req->state = NULL;
}

static void show_secrets(struct http_request *req, const struct store_secret *secrets, size_t n)
{
    struct http_response *resp = http_later(req);
    json_t *replaced = json_array();
    json_t *object = json_pack("{ss}", "secret", secrets[0].text);

    answer_set_time(object, "createdAt", secrets[0].created_at);
    for (size_t i = 1; i < n; i++) {
        json_t *old = json_object();

        answer_set_time(old, "createdAt", secrets[i].created_at);
        answer_set_time(old, "validUntil", secrets[i].valid_until);
        json_array_append_new(replaced, old);
    }
    json_object_set_new(object, "replaced", replaced);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    answer_json(resp, 200, object);
}

static int roll_secret(struct wish *wish, size_t n, struct err *err)
{
    struct api *api = api_of(wish->req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    int64_t now = clock_wall_ms(), account = wish->call.key.id;
    char text[STORE_SECRET];
    int done;

    if (n == STORE_SECRETS)
        return err_set(err, ERR_INVALID_REQUEST,
                       "webhooks are signed with %d secrets already: wait until one that was "
                       "replaced ends",
                       STORE_SECRETS);
    signature_secret(text);
    done = store_secret_add(api->store, account, text, now, now + config->key_grace, err);
    explicit_bzero(text, sizeof text);
    if (done == 0)
        log_info("webhook.secret_rolled", KV("by", (const char *) wish->call.key.prefix),
                 KV("request", wish->req->id));
    return done;
}

/* On a thread of the intake, which may wait for the disk. */
static void answer_secret(struct wish *wish, bool roll)
{
    struct store *store = api_of(wish->req)->store;
    int64_t account = wish->call.key.id;
    struct store_secret secrets[STORE_SECRETS];
    struct err err;
    size_t n = 0;
    int done = signed_request_secrets(store, account, clock_wall_ms(), secrets, &n, &err);

    if (done == 0 && roll && (done = roll_secret(wish, n, &err)) == 0)
        done = signed_request_secrets(store, account, clock_wall_ms(), secrets, &n, &err);
    if (done < 0)
        answer_error(wish->req, http_later(wish->req), &err);
    else
        show_secrets(wish->req, secrets, n);
    explicit_bzero(secrets, sizeof secrets);
    http_resume(wish->req);
}

static void do_show(void *arg)
{
    answer_secret(arg, false);
}

static void do_roll(void *arg)
{
    answer_secret(arg, true);
}

static enum http_next secret_later(struct http_request *req, struct http_response *resp,
                                   void (*work)(void *))
{
    struct err err;

    if (crew_add(api_of(req)->intake, work, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "webhook secret"), &err));
    return HTTP_LATER;
}

enum http_next webhook_secret_show(struct http_request *req, struct http_response *resp)
{
    return secret_later(req, resp, do_show);
}

enum http_next webhook_secret_roll(struct http_request *req, struct http_response *resp)
{
    return secret_later(req, resp, do_roll);
}
