#include "server/api_call/scope.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/scope.h"
#include "base/system/net.h"
#include "server/api_call/origin.h"

#define CODE 12 /* letters at the end of an id */

/* What a key of the scope `submit` may ask for. */
static const struct {
    const char *method, *route;
} submits[] = {
    { "POST", "/api/v1/tools/pdf/{tool}" },
    { "POST", "/api/v1/tools/pdf/{tool}/dry-run" },
    { "GET", "/api/v1/jobs/{id}" },
    { "GET", "/api/v1/jobs/{id}/events" },
    { "GET", "/api/v1/jobs/{id}/document" },
    { "GET", "/api/v1/jobs/{id}/pages/{page}" },
    { "POST", "/api/v1/uploads" },
    { "POST", "/api/v1/uploads/tickets" },
    { "PATCH", "/api/v1/uploads/{id}" },
    { "GET", "/api/v1/uploads/{id}" },
    { "DELETE", "/api/v1/uploads/{id}" },
    { "GET", "/api/v1/uploads/{id}/document" },
    { "GET", "/api/v1/uploads/{id}/pages/{page}" },
    { "GET", "/api/v1/session" },
};

static bool reads(const struct http_request *req)
{
    return strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0;
}

static bool may_submit(const struct http_request *req)
{
    const char *method = reads(req) ? "GET" : req->method;

    for (size_t i = 0; i < COUNT(submits); i++)
        if (strcmp(submits[i].method, method) == 0 && strcmp(submits[i].route, req->route) == 0)
            return true;
    return false;
}

/* The code of an id, from its first letters. */
static void code_of(const struct api *api, const struct key *key, const char *id,
                    char out[static CODE + 1])
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    char digest[DIGEST_TEXT];

    buf_printf(&text, "made by %s %.*s", key->prefix, ID_TEXT - 1 - CODE, id);
    digest_hmac(api->url_key, strlen(api->url_key), buf_text(&text), text.len, digest);
    memcpy(out, digest, CODE);
    out[CODE] = '\0';
}

void scope_new_id(const struct api *api, const struct key *key, char id[static ID_TEXT])
{
    id_new(id);
    if (key_scope(key->prefix) == KEY_SUBMIT)
        code_of(api, key, id, id + ID_TEXT - 1 - CODE);
}

static bool is_own(const struct api *api, const struct key *key, const char *id)
{
    char code[CODE + 1];

    if (key_scope(key->prefix) != KEY_SUBMIT)
        return true;
    if (!id_is_valid(id))
        return false;
    code_of(api, key, id, code);
    return digest_equal(code, id + ID_TEXT - 1 - CODE);
}

static int refuse_id(bool of_upload, const char *field, struct err *err)
{
    return err_field(err, of_upload ? ERR_UPLOAD_NOT_FOUND : ERR_JOB_NOT_FOUND, field,
                     of_upload ? "this key has made no upload with that id"
                               : "this key has made no job with that id");
}

static int check_address(const struct http_request *req, const struct key *key, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    struct net_list nets;
    struct origin origin;
    struct err ignored;
    char client[NET_TEXT];

    if (!*key->addresses)
        return 0;
    origin_find(req, config, &origin);
    if (!origin.relayed && net_list_read(key->addresses, &nets, &ignored) == 0 &&
        net_list_has(&nets, &origin.seen.client))
        return 0;
    net_format(&origin.seen.client, client);
    return err_set(err, ERR_OUTSIDE_ADDRESSES, "this key may not be used from the address %s",
                   origin.relayed ? "of a proxy that is not in trusted_proxies" : client);
}

int scope_check_tool(const struct key *key, const char *tool, struct err *err)
{
    return key_may_use(key, tool) ? 0
                                  : err_set(err, ERR_OUTSIDE_SCOPE,
                                            "this key may not use %s, only: %s", tool, key->tools);
}

int scope_check(const struct http_request *req, const struct key *key, struct err *err)
{
    enum key_scope scope = key_scope(key->prefix);

    if (check_address(req, key, err) < 0)
        return -1;
    /* What its tools ask for is checked as a request of its own (server/http/inner.h). */
    if (strcmp(req->route, "/mcp") == 0)
        return 0;
    if (scope == KEY_MANAGE || (scope == KEY_READ && reads(req)))
        return 0;
    if (scope != KEY_SUBMIT || !may_submit(req))
        return err_set(err, ERR_OUTSIDE_SCOPE,
                       "this key may only %s: use one with the scope manage",
                       scope == KEY_SUBMIT ? "submit jobs and read its own" : "read");
    if (strstr(req->route, "{id}") && !is_own(api_of(req), key, req->args[0]))
        return refuse_id(strstr(req->route, "/uploads/") != NULL, "", err);
    return 0;
}

int scope_check_reference(const struct api *api, const struct key *key, const char *text,
                          const char *field, struct err *err)
{
    const char *colon = strchr(text, ':');
    char id[ID_TEXT];

    if (key_scope(key->prefix) != KEY_SUBMIT)
        return 0;
    snprintf(id, sizeof id, "%.*s", ID_TEXT - 1, colon ? colon + 1 : "");
    return is_own(api, key, id) ? 0 : refuse_id(strncmp(text, "upload:", 7) == 0, field, err);
}
