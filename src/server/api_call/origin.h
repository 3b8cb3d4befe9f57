/* origin: the client of a request, and the address that it used, seen through trusted proxies. */
#pragma once

#include <stdbool.h>

#include "server/config/config.h"
#include "server/http/forwarded.h"
#include "server/http/request.h"

struct origin {
    struct forwarded seen;
    /* It came through a proxy that is not trusted, or one that does not name the client in a form
     * that can be read: the client is not known, only that it is not the peer. */
    bool relayed;
};

/* Finds the client and the address by the connection and, if its other side is a trusted proxy, by
 * the headers. */
void origin_find(const struct http_request *req, const struct config *config,
                 struct origin *origin);
/* Whether an address is a trusted proxy's; `api` is the struct api. From any thread. */
bool origin_is_proxy(void *api, const struct net_address *address);
/* The client's address, for logs. */
void origin_client(const struct http_request *req, const struct config *config,
                   char out[static NET_TEXT]);
