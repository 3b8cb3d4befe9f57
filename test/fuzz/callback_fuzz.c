/*
 * Input: an address to be told at. One that is taken is of the one form an address has: it is taken
 * again and stays as it is, and leads to no host of digits that is not public.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "data/job/delivery.h"
#include "fuzz.h"
#include "server/webhook/callback.h"
#include "server/webhook/network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct net_list nothing;
    static const struct callback_rules rules = {
        .http = true, .code = ERR_INVALID_PARAMETER, .allowed = &nothing, .field = "callbackUrl"
    };
    AUTO_FREE char *url = strndup((const char *) data, size);
    char once[CALLBACK_URL], twice[CALLBACK_URL], host[DELIVERY_HOST];
    struct net_address address;
    struct err err;
    size_t n;

    if (!url || callback_check(&rules, url, once, &err) < 0)
        return 0;
    if (callback_check(&rules, once, twice, &err) < 0 || strcmp(once, twice) != 0)
        abort();
    delivery_host(once, host);
    n = strcspn(host, "/") + 2;
    if (strncmp(once, host, strlen(host)) != 0 || strchr(host, '@') || strlen(host) <= n)
        abort();
    if (net_read_node(host + n, strlen(host + n), &address) &&
        !network_may_reach(rules.allowed, &address))
        abort();
    return 0;
}
