#include "api/session.h"

#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/api.h"
#include "api/call.h"
#include "api/origin.h"

#define KEPT_SECONDS (30LL * 24 * 3600)

static bool is_offered(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return strcmp(config->web, "key") == 0;
}

static bool changes_nothing(const struct http_request *req)
{
    return strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0;
}

const char *session_key(const struct http_request *req, char out[static KEY_TEXT])
{
    const char *cookies = http_header(req, "Cookie");
    const size_t name = strlen(SESSION_COOKIE);

    if (!cookies || !is_offered(req) || !(changes_nothing(req) || http_header(req, "Platen-Page")))
        return NULL;
    for (const char *at = cookies; *at; at += strspn(at, "; ")) {
        size_t n = strcspn(at, ";");

        if (n > name && strncmp(at, SESSION_COOKIE "=", name + 1) == 0) {
            snprintf(out, KEY_TEXT, "%.*s", (int) (n - name - 1), at + name + 1);
            return out;
        }
        at += n;
    }
    return NULL;
}

static void set_cookie(const struct http_request *req, struct http_response *resp,
                       const char *value, long long seconds)
{
    char base[600];

    answer_base_url(req, base, sizeof base);
    http_response_header(resp, "Set-Cookie",
                         SESSION_COOKIE "=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=Strict%s",
                         value, seconds, strncmp(base, "https:", 6) == 0 ? "; Secure" : "");
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    resp->status = 204;
}

static enum http_next refuse(struct http_request *req, struct http_response *resp)
{
    struct err err;

    err_set(&err, ERR_NOT_FOUND, "this server offers no page for people: web is off");
    return answer_error(req, resp, &err);
}

enum http_next session_open(struct http_request *req, struct http_response *resp)
{
    const char *key = call_key_text(req);

    if (!is_offered(req))
        return refuse(req, resp);
    set_cookie(req, resp, key ? key : "", KEPT_SECONDS);
    return HTTP_ANSWER;
}

enum http_next session_end(struct http_request *req, struct http_response *resp)
{
    if (!is_offered(req))
        return refuse(req, resp);
    set_cookie(req, resp, "", 0);
    return HTTP_ANSWER;
}
