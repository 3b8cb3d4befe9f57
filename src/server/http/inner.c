#include "server/http/inner.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/http/router.h"
#include "server/http/target.h"

struct inner {
    struct http_request req; /* first: the functions of `inside` find the rest by it */
    const struct http_request *outer;
    const struct inner_ask *ask;
    const struct inner_host *host;
    const struct http_route *route;
    struct target target;
    struct http_response resp;
    void (*answered)(void *arg, struct http_response *resp);
    void *arg;
};

static const struct inner *inner_of(const struct http_request *req)
{
    return (const struct inner *) (const void *) req;
}

static bool is_withheld(const struct inner_ask *ask, const char *name)
{
    for (const char *const *each = ask->withheld; each && *each; each++)
        if (strcasecmp(*each, name) == 0)
            return true;
    return false;
}

static const char *find_header(const struct http_request *req, const char *name)
{
    const struct inner *inner = inner_of(req);
    const struct inner_header *own = inner->ask->headers;

    for (size_t i = 0; i < INNER_HEADERS && own[i].name; i++)
        if (strcasecmp(own[i].name, name) == 0)
            return own[i].value;
    return is_withheld(inner->ask, name) ? NULL : http_header(inner->outer, name);
}

static bool list_header(const struct http_request *req, const char *name, struct buf *out)
{
    const struct inner *inner = inner_of(req);

    return !is_withheld(inner->ask, name) && http_header_list(inner->outer, name, out);
}

static const char *find_query(const struct http_request *req, const char *name)
{
    return target_query(&inner_of(req)->target, name);
}

static struct http_response *own_response(struct http_request *req)
{
    return &((struct inner *) (void *) req)->resp;
}

static void hand_over(struct http_request *req)
{
    struct inner *inner = (struct inner *) (void *) req;

    if (inner->resp.status == 0)
        inner->resp.status = 200;
    if (inner->route && inner->route->done)
        inner->route->done(req);
    inner->answered(inner->arg, &inner->resp);
    http_response_clear(&inner->resp);
    target_free(&inner->target);
    free(inner);
}

static const struct http_inside inside = { find_header, list_header, find_query, own_response,
                                           hand_over };

/* Finds the route and checks the query, as for a request that comes over a connection. */
static int route_inner(struct inner *inner, struct err *err)
{
    struct router_match match;

    if (target_read(&inner->target, inner->ask->target, err) < 0)
        return -1;
    inner->req.path = inner->target.path;
    router_find(inner->host->routes, inner->host->n_routes, inner->req.method, &inner->target,
                &match);
    if (!match.route)
        return err_set(err, ERR_NOT_FOUND, "there is no such address");
    inner->req.route = match.route->pattern;
    memcpy(inner->req.args, match.args, sizeof match.args);
    if (match.route->query && target_query_check(&inner->target, match.route->query, err) < 0)
        return -1;
    inner->route = match.route;
    return 0;
}

/* HTTP_LATER: another thread will answer, or has done so already. */
static enum http_next serve_inner(struct inner *inner)
{
    const struct http_route *route = inner->route;
    struct http_request *req = &inner->req;

    if (route->begin && route->begin(req, &inner->resp) == HTTP_ANSWER)
        return HTTP_ANSWER;
    if (route->body && inner->ask->body_bytes &&
        route->body(req, inner->ask->body, inner->ask->body_bytes, &inner->resp) == HTTP_ANSWER)
        return HTTP_ANSWER;
    return route->end ? route->end(req, &inner->resp) : HTTP_ANSWER;
}

void inner_start(const struct http_request *outer, const struct inner_host *host,
                 const struct inner_ask *ask,
                 void (*answered)(void *arg, struct http_response *resp), void *arg)
{
    struct inner *inner = calloc(1, sizeof *inner);
    struct http_response none = { .status = 500 };
    struct err err;

    if (!inner) {
        answered(arg, &none);
        return;
    }
    inner->req = *outer;
    inner->req.method = ask->method;
    inner->req.route = "none";
    inner->req.path = "/";
    inner->req.content_length = (int64_t) ask->body_bytes;
    inner->req.state = NULL;
    inner->req.exchange = NULL;
    inner->req.inside = &inside;
    memset(inner->req.args, 0, sizeof inner->req.args);
    inner->outer = outer;
    inner->ask = ask;
    inner->host = host;
    inner->answered = answered;
    inner->arg = arg;
    if (route_inner(inner, &err) < 0) {
        host->problem(&inner->req, &err, &inner->resp);
        hand_over(&inner->req);
    } else if (serve_inner(inner) == HTTP_ANSWER) {
        hand_over(&inner->req);
    }
}
