/* http_post: sends one HTTP POST and reads a response of limited size, without redirects,
 * proxies and cookies. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct http_post {
    /* http or https; certificates of https are verified with the system's authorities */
    const char *url;
    const char *content_type, *accept;
    size_t max; /* limit of the response in bytes */
    int64_t timeout_ms;
};

/* Returns the body of a response with status 200. ERR_INTERNAL for anything else; the error does
 * not contain the address, which may contain a password. */
int http_post_send(const struct http_post *post, const struct buf *body, struct buf *response,
                   struct err *err);
