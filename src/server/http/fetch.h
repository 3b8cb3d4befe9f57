/* fetch: sends one GET to a server on this machine, for the command line. Blocks, with a
 * deadline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct fetch {
    const char *address; /* for "0.0.0.0" and "::" the loopback is used */
    uint16_t port;
    bool tls;          /* the certificate is not verified: it has the server's public name */
    const char *path;  /* "/status" */
    const char *token; /* sent as Authorization: Bearer; "": none */
    int64_t timeout_ms;
};

/* Sends the request. Returns the HTTP status, and appends the body of the response; -1 if there was
 * no response. */
int fetch_get(const struct fetch *fetch, struct buf *body, struct err *err);
