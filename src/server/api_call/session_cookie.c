#include "server/api_call/session_cookie.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "server/api_call/api.h"
#include "server/api_call/origin.h"

bool session_cookie_is_offered(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return strcmp(config->web, "off") != 0;
}

static bool changes_nothing(const struct http_request *req)
{
    return strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0;
}

const char *session_cookie_name(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    struct origin origin;

    origin_find(req, config, &origin);
    return origin.seen.https ? "__Host-platen_session" : "platen_session";
}

const char *session_cookie_key(const struct http_request *req, char out[static KEY_TEXT])
{
    AUTO_BUF struct buf cookies = BUF_EMPTY;
    const char *name = session_cookie_name(req);
    size_t length = strlen(name), found = 0;

    if (!http_header_list(req, "Cookie", &cookies) || cookies.failed ||
        !session_cookie_is_offered(req) ||
        !(changes_nothing(req) || http_header(req, "Platen-Page")))
        return NULL;
    for (const char *at = buf_text(&cookies); *at; at += strspn(at, "; ,")) {
        size_t n = strcspn(at, ";,");

        if (n > length && strncmp(at, name, length) == 0 && at[length] == '=') {
            snprintf(out, KEY_TEXT, "%.*s", (int) (n - length - 1), at + length + 1);
            found++;
        }
        at += n;
    }
    /* A second one was set by a neighbouring host of the same domain: which is whose cannot be
     * told. */
    return found == 1 ? out : NULL;
}
