/* callback: the address a client wants to be told at (callbackUrl), judged when it is submitted. */
#pragma once

#include <stdbool.h>

#include "base/net.h"

struct callback_rules {
    bool http;                      /* not only https */
    const struct net_list *allowed; /* hosts beside the public ones */
};

#define CALLBACK_URL 2001 /* with its end */

/*
 * An absolute http or https address (RFC 3986) of a host that is a name or an address callbacks may
 * reach (webhook/network.h), without user name, password and fragment, its port 80, 443 or one from
 * 1024 on. A host of digits and dots must be an IPv4 address as it is usually written. `out` is the
 * same address in its one form: scheme and host in small letters, no port that goes without saying.
 * ERR_INVALID_PARAMETER of the field callbackUrl.
 *
 * What a name stands for is judged when the connection is made, not here.
 */
int callback_check(const struct callback_rules *rules, const char *url,
                   char out[static CALLBACK_URL], struct err *err);
