/* http_post: sends one HTTP POST and reads a bounded answer, without redirects, proxies, cookies.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct http_post {
    const char *url; /* http or https; certificates of https are judged by the system's */
    const char *content_type, *accept;
    size_t max; /* bytes of the answer */
    int64_t timeout_ms;
};

/* The body of an answer with status 200. ERR_INTERNAL for anything else; the error does not hold
 * the address, which may hold a password. */
int http_post_send(const struct http_post *post, const struct buf *body, struct buf *answer,
                   struct err *err);
