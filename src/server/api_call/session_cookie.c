#include "server/api_call/session_cookie.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "data/store/store_sessions.h"
#include "server/api_call/api.h"
#include "server/api_call/origin.h"

#define KEPT_MS (30LL * 24 * 3600 * 1000)

bool session_cookie_is_offered(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return strcmp(config->web, "off") != 0;
}

static bool changes_nothing(const struct http_request *req)
{
    return strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0;
}

/* By https it is a name that browsers accept from this host alone, and only with Secure (RFC
 * 6265bis, 4.1.3.2): a neighbouring host cannot set it. */
static const char *cookie_name(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    struct origin origin;

    origin_find(req, config, &origin);
    return origin.seen.https ? "__Host-platen_session" : "platen_session";
}

const char *session_cookie_token(const struct http_request *req, char out[static SESSION_TOKEN])
{
    AUTO_BUF struct buf cookies = BUF_EMPTY;
    const char *name = cookie_name(req);
    size_t length = strlen(name), found = 0;

    if (!http_header_list(req, "Cookie", &cookies) || cookies.failed ||
        !session_cookie_is_offered(req) ||
        !(changes_nothing(req) || http_header(req, "Platen-Page")))
        return NULL;
    for (const char *at = buf_text(&cookies); *at; at += strspn(at, "; ,")) {
        size_t n = strcspn(at, ";,");

        if (n > length && strncmp(at, name, length) == 0 && at[length] == '=') {
            /* A longer value, such as the key that older cookies have, is not a token. */
            snprintf(out, SESSION_TOKEN, "%.*s",
                     n - length == SESSION_TOKEN ? SESSION_TOKEN - 1 : 0, at + length + 1);
            found++;
        }
        at += n;
    }
    /* A second one was set by a neighbouring host of the same domain: which is whose cannot be
     * told. */
    return found == 1 ? out : NULL;
}

void session_cookie_set(const struct http_request *req, struct http_response *resp,
                        const char *token, int64_t seconds)
{
    const char *name = cookie_name(req);

    http_response_header(resp, "Set-Cookie",
                         "%s=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=Strict%s", name, token,
                         (long long) seconds, strncmp(name, "__Host-", 7) == 0 ? "; Secure" : "");
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    resp->status = 204;
}

int session_cookie_begin(const struct http_request *req, struct http_response *resp,
                         const struct key *key, struct err *err)
{
    int64_t now = clock_wall_ms(), longest = now + KEPT_MS;
    struct store_session session = { .expires_at = key->valid_until };
    char token[SESSION_TOKEN];

    if (session_cookie_end(req, err) < 0)
        return -1;
    if (!key->valid_until || key->valid_until > longest)
        session.expires_at = longest;
    session_token_make(token);
    session_token_digest(token, session.digest);
    memcpy(session.key, key->digest, sizeof session.key);
    if (store_session_add(api_of(req)->store, &session, now, err) < 0)
        return -1;
    log_info("session.opened", KV("request", req->id), KV("key", (const char *) key->prefix));
    session_cookie_set(req, resp, token, (session.expires_at - now) / 1000);
    explicit_bzero(token, sizeof token);
    return 0;
}

int session_cookie_end(const struct http_request *req, struct err *err)
{
    char token[SESSION_TOKEN], digest[DIGEST_TEXT];

    if (!session_cookie_token(req, token) || !session_token_digest(token, digest))
        return 0;
    return store_session_end(api_of(req)->store, digest, err);
}
