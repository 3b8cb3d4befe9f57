/* origin: who a request is from, and by which address it reached us, seen through the proxies that
 * the configuration trusts. */
#pragma once

#include <stdbool.h>

#include "config/config.h"
#include "http/forwarded.h"
#include "http/request.h"

struct origin {
    struct forwarded seen;
    /* It came through a proxy that is not trusted, or whose word cannot be read: where it is from
     * is not known, only that it is not from the peer itself. */
    bool relayed;
};

void origin_find(const struct http_request *req, const struct config *config,
                 struct origin *origin);
/* Whether an address is a trusted proxy's; `api` is the struct api. From any thread. */
bool origin_is_proxy(void *api, const struct net_address *address);
/* The client's address, for logs. */
void origin_client(const struct http_request *req, const struct config *config,
                   char out[static NET_TEXT]);
