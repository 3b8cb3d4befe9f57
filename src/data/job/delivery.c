#include "data/job/delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *delivery_status(enum delivery_state state)
{
    static const char *const names[DELIVERY_STATES] = {
        [DELIVERY_WAITING] = "pending",
        [DELIVERY_SENDING] = "pending",
        [DELIVERY_DELIVERED] = "delivered",
        [DELIVERY_FAILED] = "failed",
    };

    return names[state];
}

void delivery_free(struct delivery *delivery)
{
    free(delivery->url);
    free(delivery->error);
    free(delivery->excerpt);
    *delivery = (struct delivery){ 0 };
}

void delivery_host(const char *url, char out[static DELIVERY_HOST])
{
    const char *slashes = strstr(url, "//");
    size_t n = slashes ? (size_t) (slashes - url) + 2 : 0;

    n += strcspn(url + n, "/?#");
    snprintf(out, DELIVERY_HOST, "%.*s", (int) (n < DELIVERY_HOST ? n : DELIVERY_HOST - 1), url);
}
