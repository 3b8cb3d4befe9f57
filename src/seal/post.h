/* post: one HTTP POST, one answer within bounds. No redirects, no proxy, no cookies. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct post {
    const char *url; /* http or https; certificates of https are judged by the system's */
    const char *content_type, *accept;
    size_t max; /* bytes of the answer */
    int64_t timeout_ms;
};

/* The body of an answer with status 200. ERR_INTERNAL for anything else; the error does not hold
 * the address, which may hold a password. */
int post_send(const struct post *post, const struct buf *body, struct buf *answer, struct err *err);
