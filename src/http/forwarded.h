/*
 * forwarded: who a request is from when it came through proxies: X-Forwarded-For, -Proto and -Host,
 * or Forwarded (RFC 7239). Only what a trusted proxy wrote is believed: it adds to the end of what
 * it got, and anything before may be the client's invention.
 */
#pragma once

#include <stdbool.h>

#include "base/net.h"

#define FORWARDED_HOST 256

struct forwarded {
    struct net_address client; /* the last address that no trusted proxy has; or the peer's */
    bool https;                /* as the proxy said; else as it was */
    char host[FORWARDED_HOST]; /* "" if none was said, or it is no host */
};

/* *said holds what is known without the headers: the peer, which is a trusted proxy, as client.
 * Values are of all header lines of a name, with commas between them; NULL: there was none. False:
 * a trusted proxy's word on who it is from cannot be read, and the client is not known. */
bool forwarded_x(const char *addresses, const char *proto, const char *host,
                 const struct net_list *trusted, struct forwarded *said);
bool forwarded_read(const char *elements, const struct net_list *trusted, struct forwarded *said);
