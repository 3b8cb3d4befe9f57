/*
 * forwarded: finds the client of a request that came through proxies, from X-Forwarded-For, -Proto
 * and -Host, or Forwarded (RFC 7239). Only what a trusted proxy wrote is used: a proxy appends to
 * what it got, and anything before may be the client's invention.
 */
#pragma once

#include <stdbool.h>

#include "base/system/net.h"

#define FORWARDED_HOST 256 /* room for a host with its port and a NUL */

struct forwarded {
    struct net_address client; /* the last address that is not a trusted proxy's; or the peer's */
    bool https;                /* as the proxy says; without it, that of the connection */
    char host[FORWARDED_HOST]; /* "" if none was given, or it is not a valid host */
};

/*
 * Reads X-Forwarded-For (`addresses`), X-Forwarded-Proto and X-Forwarded-Host. Values of repeated
 * headers are joined with commas (RFC 9110, 5.3); NULL: there is no such header. On entry *origin
 * has the peer, which is a trusted proxy, as the client, and the scheme of its connection. False
 * if an address that the trusted proxies wrote cannot be read: the client is then unknown.
 */
bool forwarded_x(const char *addresses, const char *proto, const char *host,
                 const struct net_list *trusted, struct forwarded *origin);
/* Reads Forwarded (`elements`), with the same rules. False also if an element is malformed. */
bool forwarded_read(const char *elements, const struct net_list *trusted, struct forwarded *origin);
