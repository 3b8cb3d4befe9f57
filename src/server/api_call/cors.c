#include "server/api_call/cors.h"

#include <string.h>
#include <strings.h>

#include "server/api_call/api.h"

#define BLANKS " \t,"
#define ANY    "*"

/* What a page may send, and what it may read, beyond what every page may. */
static const char methods[] = "GET, HEAD, POST, PUT, PATCH, DELETE";
static const char sent[] =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, "
    "Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Prefer, "
    "Range, Upload-Offset, X-API-Key, "
    "X-Input-Password, X-Test-Outcome";
static const char readable[] =
    "Accept-Ranges, Allow, Content-Disposition, Content-Location, Content-Range, ETag, "
    "Idempotent-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, "
    "Upload-Offset, "
    "WWW-Authenticate, X-RateLimit-Data-Remaining, X-RateLimit-Limit, X-RateLimit-Remaining, "
    "X-RateLimit-Reset, "
    "X-Request-Id";

static bool is_open(const char *path)
{
    /* What the operator sees is for no other page, whatever its address may read. */
    return path && strncmp(path, "/api/v1/operator/", 17) != 0 &&
           (strncmp(path, "/api/", 5) == 0 || strcmp(path, "/openapi.json") == 0 ||
            strcmp(path, "/mcp") == 0);
}

/* An upload ticket's address is all that its sender needs, and no cookie counts there: whichever
 * page has it may send the file. */
static bool is_ticket(const char *path)
{
    return path && strncmp(path, "/api/v1/tickets/", 16) == 0;
}

static bool has_origin(const char *list, const char *origin)
{
    size_t wanted = strlen(origin);

    for (const char *at = list + strspn(list, BLANKS); *at; at += strspn(at, BLANKS)) {
        size_t n = strcspn(at, BLANKS);

        if (n == wanted && strncasecmp(at, origin, n) == 0)
            return true;
        at += n;
    }
    return false;
}

/*
 * Adds Access-Control-Allow-Origin if the page is allowed. The response then depends on the origin,
 * also for pages that are not allowed, so that caches must be told (Vary).
 */
static bool allow(const struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *origin, *list = config->cors_origins;

    if (is_ticket(req->path)) {
        http_response_header(resp, "Access-Control-Allow-Origin", "%s", ANY);
        return true;
    }
    if (!*list || !is_open(req->path))
        return false;
    if (has_origin(list, ANY)) {
        http_response_header(resp, "Access-Control-Allow-Origin", "%s", ANY);
        return true;
    }
    http_response_header(resp, "Vary", "%s", "Origin");
    origin = http_header(req, "Origin");
    if (!origin || !has_origin(list, origin))
        return false;
    http_response_header(resp, "Access-Control-Allow-Origin", "%s", origin);
    return true;
}

bool cors_answer_preflight(const struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *origin = http_header(req, "Origin");

    if (strcmp(req->method, "OPTIONS") != 0 || !is_open(req->path) || !origin ||
        !http_header(req, "Access-Control-Request-Method") ||
        !(is_ticket(req->path) || has_origin(config->cors_origins, ANY) ||
          has_origin(config->cors_origins, origin)))
        return false;
    http_response_header(resp, "Access-Control-Allow-Methods", "%s", methods);
    http_response_header(resp, "Access-Control-Allow-Headers", "%s", sent);
    http_response_header(resp, "Access-Control-Max-Age", "%d", 7200);
    resp->status = 204;
    return true;
}

bool cors_is_allowed(const struct http_request *req, const char *origin)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return has_origin(config->cors_origins, ANY) || has_origin(config->cors_origins, origin);
}

void cors_headers(const struct http_request *req, struct http_response *resp)
{
    if (allow(req, resp) && strcmp(req->method, "OPTIONS") != 0)
        http_response_header(resp, "Access-Control-Expose-Headers", "%s", readable);
}
