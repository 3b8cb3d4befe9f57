#include "server/api_call/origin.h"

#include <string.h>

#include "server/api_call/api.h"

/* Headers that a request has only if a proxy passed it on. */
static const char *const of_proxies[] = { "X-Forwarded-For", "Forwarded", "Via", "X-Real-IP" };

void origin_find(const struct http_request *req, const struct config *config, struct origin *origin)
{
    AUTO_BUF struct buf addresses = BUF_EMPTY, proto = BUF_EMPTY, host = BUF_EMPTY;
    bool rfc = strcmp(config->forwarded_header, "forwarded") == 0;
    bool any;

    *origin = (struct origin){ .seen = { .client = req->peer, .https = req->secure } };
    if (!net_list_has(&config->trusted_proxies, &req->peer)) {
        for (size_t i = 0; i < COUNT(of_proxies) && !origin->relayed; i++)
            origin->relayed = http_header(req, of_proxies[i]) != NULL;
        return;
    }
    any = http_header_list(req, rfc ? "Forwarded" : "X-Forwarded-For", &addresses);
    if (rfc) {
        origin->relayed =
            any && (addresses.failed ||
                    !forwarded_read(buf_text(&addresses), &config->trusted_proxies, &origin->seen));
        return;
    }
    http_header_list(req, "X-Forwarded-Proto", &proto);
    http_header_list(req, "X-Forwarded-Host", &host);
    origin->relayed =
        addresses.failed ||
        !forwarded_x(any ? buf_text(&addresses) : NULL, proto.len ? buf_text(&proto) : NULL,
                     host.len ? buf_text(&host) : NULL, &config->trusted_proxies, &origin->seen);
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
