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
#include "declare/value/text.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/visitors.h"

#define FORM_BYTES 4096 /* of the JSON that names a key */

struct asking {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct buf form;
};

static int begin_account(struct http_request *req, struct err *err)
{
    struct asking *asking = calloc(1, sizeof *asking);

    req->state = asking;
    if (!asking)
        return err_sys(err, "keys");
    asking->req = req;
    if (call_begin(req, &asking->call, err) < 0)
        return -1;
    return visitors_is(&asking->call.key)
               ? err_set(err, ERR_FORBIDDEN,
                         "a visitor has no API keys: ask the operator of this "
                         "server for an account")
               : 0;
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

static json_t *to_json(const struct key *key)
{
    json_t *object = json_pack("{ss ss ss ss}", "keyId", key->prefix, "name", key->name, "scope",
                               key_scope_name(key_scope(key->prefix)), "state",
                               key->valid_until ? "ending" : "active");

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

        if (key->id != asking->call.key.id || !works(key, now))
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
    char oldest[KEY_PREFIX]; /* of those that have ended, the one that was made first */
};

static void count_key(struct count *count, const struct key *key, int64_t now)
{
    if (key->valid_until == 0) {
        count->lasting++;
        count->managing += key_scope(key->prefix) == KEY_MANAGE;
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

        if (key->id != asking->call.key.id)
            continue;
        count_key(count, key, now);
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
static int add_key(const struct asking *asking, const char *name, enum key_scope scope,
                   struct key *key, char text[static KEY_TEXT], struct err *err)
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
    *key = (struct key){ .id = asking->call.key.id, .created_at = clock_wall_ms() };
    key_make(scope, text);
    key_split(text, key->prefix, key->digest);
    snprintf(key->name, sizeof key->name, "%s", name);
    snprintf(key->plan, sizeof key->plan, "%s", asking->call.key.plan);
    return store_key_add(store, key, err);
}

static int read_form(const struct asking *asking, char name[static KEY_NAME], enum key_scope *scope,
                     struct err *err)
{
    json_t *form = json_loadb(buf_text(&asking->form), asking->form.len, 0, NULL);
    const char *given = NULL, *may = "manage";
    size_t characters;
    int done = 0;

    if (json_unpack(form, "{ss s?s !}", "name", &given, "scope", &may) < 0)
        done = err_set(err, ERR_INVALID_REQUEST,
                       "send a JSON object with name (text) and, if you like, scope");
    else if ((*scope = key_scope_find(may)) == KEY_SCOPES)
        done = err_field(err, ERR_INVALID_PARAMETER, "scope",
                         "scope must be one of: submit, read, manage");
    else if (!text_count(given, strlen(given), &characters) || characters == 0 ||
             strlen(given) >= KEY_NAME || !text_is_line(given))
        done = err_field(err, ERR_INVALID_PARAMETER, "name",
                         "name must be one line of text of 1 to %d bytes", KEY_NAME - 1);
    else
        snprintf(name, KEY_NAME, "%s", given);
    json_decref(form);
    return done;
}

/* The answer with the key's text, which is shown only now. */
static void show_new(struct asking *asking, const struct key *key, const char *text)
{
    struct http_response *resp = http_later(asking->req);
    json_t *object = to_json(key);

    json_object_set_new(object, "key", json_string(text));
    log_info("key.made", KV("key", key->prefix), KV("by", asking->call.key.prefix),
             KV("request", asking->req->id));
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    answer_json(resp, 201, object);
}

static void create_key(void *arg)
{
    struct asking *asking = arg;
    char name[KEY_NAME], text[KEY_TEXT];
    enum key_scope scope = KEY_SCOPES;
    struct key key = { 0 };
    struct err err;

    if (read_form(asking, name, &scope, &err) < 0 ||
        add_key(asking, name, scope, &key, text, &err) < 0)
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

static void roll_key(void *arg)
{
    struct asking *asking = arg;
    AUTO_CONFIG const struct config *config = live_hold(api_of(asking->req)->settings);
    char text[KEY_TEXT];
    struct key old = { 0 }, key = { 0 };
    struct count count;
    struct err err;

    /* The new one first: if the server is killed between the two, no key is lost. */
    if (find_key(asking, asking->req->args[0], &old, &count, &err) < 0 ||
        add_key(asking, old.name, key_scope(old.prefix), &key, text, &err) < 0 ||
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

    if (done == 0 && key.valid_until == 0 && key_scope(key.prefix) == KEY_MANAGE &&
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
