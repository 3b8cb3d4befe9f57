/* callback: validates the addresses that a job names when it is submitted: of its webhook
 * (callbackUrl), of files to fetch (fileUrl), and for results (outputUrl). */
#pragma once

#include <stdbool.h>

#include "base/system/net.h"

struct callback_rules {
    bool http;                      /* http is allowed, too */
    const struct net_list *allowed; /* hosts that are allowed besides the public ones */
    const char *field;              /* of the form that has the address, for messages */
    enum err_code code;             /* of an address that is refused */
};

#define CALLBACK_URL 2001 /* room for an address with its NUL */

/*
 * Accepts an absolute http or https address (RFC 3986) whose host is a name, or an address that
 * callbacks may reach (server/webhook/network.h), without user name, password and fragment, and
 * with port 80, 443 or one from 1024 on. A host of digits and dots must be an IPv4 address in the
 * usual notation. `out` is the same address in normal form: scheme and host in lower case, no
 * default port. Fails with the code and field of the rules. The address of a name is checked
 * when the connection is made, not here.
 */
int callback_check(const struct callback_rules *rules, const char *url,
                   char out[static CALLBACK_URL], struct err *err);
