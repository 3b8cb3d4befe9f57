/*
 * response: an HTTP response as a server sent it (RFC 9112), made ready for Chromium: its status,
 * and its headers but for those that its way has ended.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct response {
    int status;
    bool redirect;      /* it has a Location that belongs to its status */
    struct buf headers; /* lines, each with a NUL, as Fetch.fulfillRequest wants them */
    const char *body;   /* borrowed from the bytes that were read */
    size_t n_body;
};

/* False if it is not a response that can be shown. response_free in any case. */
bool response_read(struct response *response, const struct buf *bytes);
void response_free(struct response *response);
#define AUTO_RESPONSE __attribute__((cleanup(response_free)))
