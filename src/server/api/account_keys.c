#include "server/api/account_keys.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/system/crew.h"
#include "base/system/log.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/key_form.h"

#define FORM_BYTES 4096 /* of the JSON that describes a key */

struct asking {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct buf form;
};

static bool is_limited(const struct key *key)
{
    return key_is_test(key->prefix) || *key->tools || *key->addresses;
}

static int begin_account(struct http_request *req, struct err *err)
{
    struct asking *asking = calloc(1, sizeof *asking);

    req->state = asking;
    if (!asking)
        return err_sys(err, "keys");
    asking->req = req;
    if (call_begin(req, &asking->call, err) < 0)
        return -1;
    if (visitors_is(&asking->call.key))
        return err_set(err, ERR_FORBIDDEN,
                       "a visitor has no API keys: ask the operator of this server for an account");
    /* It could make a key without its limits. */
    if (is_limited(&asking->call.key) && strcmp(req->method, "GET") != 0)
        return err_set(
            err, ERR_FORBIDDEN,
            "a test key, and one that is limited to tools or addresses, manages no keys");
    return 0;
}

enum http_next account_keys_begin(struct http_request *req, struct http_response *resp)
{
    struct err err;

    return begin_account(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

enum http_next account_keys_begin_new(struct http_request *req, struct http_response *resp)
{
    const char *type = http_header(req, "Content-Type");
    struct err err;

    if (begin_account(req, &err) < 0)
        return answer_error(req, resp, &err);
    if (!type || strncasecmp(type, "application/json", 16) != 0) {
        err_set(&err, ERR_UNSUPPORTED_MEDIA_TYPE, "send the key's name as application/json");
        return answer_error(req, resp, &err);
    }
    return HTTP_CONTINUE;
}

enum http_next account_keys_body(struct http_request *req, const void *data, size_t n,
                                 struct http_response *resp)
{
    struct asking *asking = req->state;
    struct err err;

    if (asking->form.len + n > FORM_BYTES) {
        err_set(&err, ERR_INVALID_REQUEST, "the JSON has more than %d bytes", FORM_BYTES);
        return answer_error(req, resp, &err);
    }
    buf_put(&asking->form, data, n);
    return HTTP_CONTINUE;
}

void account_keys_done(struct http_request *req)
{
    struct asking *asking = req->state;

    if (asking)
        buf_free(&asking->form);
    free(asking);
    req->state = NULL;
}

static bool works(const struct key *key, int64_t now)
{
    return key->valid_until == 0 || key->valid_until > now;
}

/* Test keys belong to the account that they were made for. */
static bool is_of(const struct key *key, int64_t account)
{
    return key->id == account || key->parent == account;
}

static json_t *to_json(const struct key *key)
{
    json_t *object = json_pack("{ss ss ss}", "keyId", key->prefix, "name", key->name, "state",
                               key->valid_until ? "ending" : "active");

    key_form_show(object, key);
    answer_set_time(object, "createdAt", key->created_at);
    answer_set_time(object, "validUntil", key->valid_until);
    return object;
}

enum http_next account_keys_list(struct http_request *req, struct http_response *resp)
{
    const struct asking *asking = req->state;
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    int64_t now = clock_wall_ms();
    struct err err;
    json_t *list;

    if (store_key_list(api_of(req)->store, &keys, &err) < 0)
        return answer_error(req, resp, &err);
    list = json_array();
    for (size_t i = 0; i < keys.n; i++) {
        const struct key *key = &keys.list[i];
        json_t *object;

        if (!is_of(key, asking->call.key.id) || !works(key, now))
            continue;
        object = to_json(key);
        json_object_set_new(object, "current",
                            json_boolean(strcmp(key->prefix, asking->call.key.prefix) == 0));
        json_array_append_new(list, object);
    }
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, json_pack("{so}", "keys", list));
}

/* How many keys an account has. */
struct count {
    size_t lasting;  /* that work without end */
    size_t managing; /* of these, those of the scope manage */
    size_t ending;   /* that work for a while */
    size_t ended;
    int64_t tests;           /* the account of its test keys; 0: it has none yet */
    char oldest[KEY_PREFIX]; /* of those that have ended, the one that was made first */
};

static void count_key(struct count *count, const struct key *key, int64_t now)
{
    if (key->valid_until == 0) {
        count->lasting++;
        count->managing += !key->parent && key_scope(key->prefix) == KEY_MANAGE;
    } else if (key->valid_until > now)
        count->ending++;
    else if (count->ended++ == 0)
        snprintf(count->oldest, sizeof count->oldest, "%s", key->prefix);
}

/* The account's key of that prefix that still works, and how many keys it has. */
static int find_key(const struct asking *asking, const char *prefix, struct key *found,
                    struct count *count, struct err *err)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    int64_t now = clock_wall_ms();
    bool there = false;

    *count = (struct count){ 0 };
    if (store_key_list(api_of(asking->req)->store, &keys, err) < 0)
        return -1;
    for (size_t i = 0; i < keys.n; i++) {
        const struct key *key = &keys.list[i];

        if (!is_of(key, asking->call.key.id))
            continue;
        count_key(count, key, now);
        if (key->parent)
            count->tests = key->id;
        if (prefix && works(key, now) && strcmp(key->prefix, prefix) == 0) {
            *found = *key;
            there = true;
        }
    }
    return !prefix || there ? 0
                            : err_set(err, ERR_NOT_FOUND,
                                      "this account has no such key: GET "
                                      "/api/v1/account/keys lists those it has");
}

/* Only a key of the scope manage comes here: no key makes one that may more than it. */
static int add_key(const struct asking *asking, const struct key_form *form, struct key *key,
                   char text[static KEY_TEXT], struct err *err)
{
    struct store *store = api_of(asking->req)->store;
    struct count count;
    struct key removed;
    struct err ignored;

    if (find_key(asking, NULL, NULL, &count, err) < 0)
        return -1;
    if (count.lasting >= ACCOUNT_KEYS)
        return err_set(err, ERR_INVALID_REQUEST,
                       "an account has at most %d keys: revoke one that is not used", ACCOUNT_KEYS);
    if (count.ending >= ACCOUNT_KEYS)
        return err_set(err, ERR_INVALID_REQUEST,
                       "at most %d keys of an account may be about to end: revoke some of them",
                       ACCOUNT_KEYS);
    /* Or an account could make keys and end them until the database is full of them. */
    if (count.ended >= ACCOUNT_KEYS)
        store_key_remove(store, count.oldest, clock_wall_ms(), &removed, &ignored);
    *key = (struct key){ .id = form->test ? count.tests : asking->call.key.id,
                         .parent = form->test ? asking->call.key.id : 0,
                         .created_at = clock_wall_ms() };
    key_make(form->scope, form->test, text);
    key_split(text, key->prefix, key->digest);
    snprintf(key->name, sizeof key->name, "%s", form->name);
    snprintf(key->tools, sizeof key->tools, "%s", form->tools);
    snprintf(key->addresses, sizeof key->addresses, "%s", form->addresses);
    snprintf(key->plan, sizeof key->plan, "%s", asking->call.key.plan);
    return store_key_add(store, key, err);
}

/* The answer with the key's text, which is shown only now. */
static void show_new(struct asking *asking, const struct key *key, const char *text)
{
    struct http_response *resp = http_later(asking->req);
    json_t *object = to_json(key);

    json_object_set_new(object, "key", json_string(text));
    log_info("key.made", KV("key", key->prefix), KV("by", asking->call.key.prefix),
             KV("tools", key->tools), KV("addresses", key->addresses),
             KV("request", asking->req->id));
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    answer_json(resp, 201, object);
}

static void create_key(void *arg)
{
    struct asking *asking = arg;
    char text[KEY_TEXT];
    struct key_form form;
    struct key key = { 0 };
    struct err err;

    if (key_form_read(&asking->form, api_of(asking->req)->catalog, &form, &err) < 0 ||
        add_key(asking, &form, &key, text, &err) < 0)
        answer_error(asking->req, http_later(asking->req), &err);
    else
        show_new(asking, &key, text);
    explicit_bzero(text, sizeof text);
    http_resume(asking->req);
}

static int end_key(struct asking *asking, const char *prefix, int64_t when, struct err *err)
{
    struct key key = { 0 };
    int found = store_key_end(api_of(asking->req)->store, prefix, when, &key, err);

    if (found == 0)
        return err_set(err, ERR_NOT_FOUND, "the key was removed at this moment");
    return found < 0 ? -1 : 0;
}

/* A new key that may do what the old one may. */
static void like(const struct key *old, struct key_form *form)
{
    *form = (struct key_form){ .scope = key_scope(old->prefix), .test = key_is_test(old->prefix) };
    snprintf(form->name, sizeof form->name, "%s", old->name);
    snprintf(form->tools, sizeof form->tools, "%s", old->tools);
    snprintf(form->addresses, sizeof form->addresses, "%s", old->addresses);
}

static void roll_key(void *arg)
{
    struct asking *asking = arg;
    AUTO_CONFIG const struct config *config = live_hold(api_of(asking->req)->settings);
    char text[KEY_TEXT];
    struct key old = { 0 }, key = { 0 };
    struct key_form form;
    struct count count;
    struct err err;

    /* The new one first: if the server is killed between the two, no key is lost. */
    if (find_key(asking, asking->req->args[0], &old, &count, &err) < 0 ||
        (like(&old, &form), add_key(asking, &form, &key, text, &err)) < 0 ||
        end_key(asking, old.prefix, clock_wall_ms() + config->key_grace, &err) < 0)
        answer_error(asking->req, http_later(asking->req), &err);
    else
        show_new(asking, &key, text);
    explicit_bzero(text, sizeof text);
    http_resume(asking->req);
}

static void revoke_key(void *arg)
{
    struct asking *asking = arg;
    struct http_response *resp = http_later(asking->req);
    struct key key = { 0 };
    struct count count;
    struct err err;
    int done = find_key(asking, asking->req->args[0], &key, &count, &err);

    if (done == 0 && key.valid_until == 0 && !key.parent && key_scope(key.prefix) == KEY_MANAGE &&
        count.managing == 1)
        done =
            err_set(&err, ERR_INVALID_REQUEST,
                    "this is the account's last key that may manage it: roll it, or create another "
                    "one first");
    if (done == 0)
        done = end_key(asking, key.prefix, clock_wall_ms(), &err);
    if (done < 0) {
        answer_error(asking->req, resp, &err);
    } else {
        log_info("key.revoked", KV("key", key.prefix), KV("by", asking->call.key.prefix),
                 KV("request", asking->req->id));
        resp->status = 204;
    }
    http_resume(asking->req);
}

/* On a thread of the intake, which may wait for the disk. */
static enum http_next later(struct http_request *req, struct http_response *resp,
                            void (*work)(void *))
{
    struct err err;

    if (crew_add(api_of(req)->intake, work, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "keys"), &err));
    return HTTP_LATER;
}

enum http_next account_keys_create(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, create_key);
}

enum http_next account_keys_roll(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, roll_key);
}

enum http_next account_keys_revoke(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, revoke_key);
}
