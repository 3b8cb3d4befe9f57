#include "server/api_call/origin.h"

#include <string.h>

#include "server/api_call/api.h"

/* Headers that a request has only if a proxy or a network in front of it passed it on. */
static const char *const of_proxies[] = {
    "X-Forwarded-For",
    "Forwarded",
    "Via",
    "X-Real-IP",
    "X-Forwarded",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Port",
    "X-Forwarded-Server",
    "X-Forwarded-Scheme",
    "X-Forwarded-Prefix",
    "X-Forwarded-Ssl",
    "X-Forwarded-By",
    "X-Original-Forwarded-For",
    "X-Original-Host",
    "X-Original-URL",
    "X-Original-URI",
    "X-Rewrite-URL",
    "X-Scheme",
    "X-Proxy-Id",
    "X-ProxyUser-Ip",
    "Proxy-Connection",
    "X-Client-IP",
    "Client-IP",
    "True-Client-IP",
    "X-Cluster-Client-IP",
    "X-Remote-IP",
    "X-Remote-Addr",
    "X-Host",
    "X-Envoy-External-Address",
    "X-Envoy-Internal",
    "X-Varnish",
    "CF-Connecting-IP",
    "CF-Ray",
    "CF-Visitor",
    "CDN-Loop",
    "Fastly-Client-IP",
    "Fly-Client-IP",
    "X-Amz-Cf-Id",
    "X-Amzn-Trace-Id",
    "X-Azure-ClientIP",
    "X-Azure-SocketIP",
    "X-Appengine-User-IP",
    "X-Cloud-Trace-Context",
    "X-Nf-Client-Connection-Ip",
};

/* Programs of this machine that ask the server speak HTTP/1.1. Simple proxies speak HTTP/1.0, and
 * say nothing of themselves. */
static bool is_relayed(const struct http_request *req)
{
    for (size_t i = 0; i < COUNT(of_proxies); i++)
        if (http_header(req, of_proxies[i]))
            return true;
    return req->old;
}

void origin_find(const struct http_request *req, const struct config *config, struct origin *origin)
{
    AUTO_BUF struct buf addresses = BUF_EMPTY, proto = BUF_EMPTY, host = BUF_EMPTY;
    bool rfc = strcmp(config->forwarded_header, "forwarded") == 0;
    bool any;

    *origin = (struct origin){ .seen = { .client = req->peer, .https = req->secure } };
    if (!net_list_has(&config->trusted_proxies, &req->peer)) {
        origin->relayed = is_relayed(req);
        return;
    }
    any = http_header_list(req, rfc ? "Forwarded" : "X-Forwarded-For", &addresses);
    if (rfc) {
        origin->relayed =
            !any || addresses.failed ||
            !forwarded_read(buf_text(&addresses), &config->trusted_proxies, &origin->seen);
        return;
    }
    http_header_list(req, "X-Forwarded-Proto", &proto);
    http_header_list(req, "X-Forwarded-Host", &host);
    /* forwarded_x reads the scheme and the host in any case. */
    origin->relayed =
        addresses.failed ||
        !forwarded_x(any ? buf_text(&addresses) : NULL, proto.len ? buf_text(&proto) : NULL,
                     host.len ? buf_text(&host) : NULL, &config->trusted_proxies, &origin->seen) ||
        !any || buf_text(&addresses)[strspn(buf_text(&addresses), " \t,")] == '\0';
}

bool origin_is_proxy(void *api, const struct net_address *address)
{
    AUTO_CONFIG const struct config *config = live_hold(((struct api *) api)->settings);

    return net_list_has(&config->trusted_proxies, address);
}

void origin_client(const struct http_request *req, const struct config *config,
                   char out[static NET_TEXT])
{
    struct origin origin;

    origin_find(req, config, &origin);
    net_format(&origin.seen.client, out);
}
