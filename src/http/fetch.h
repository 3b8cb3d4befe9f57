/* fetch: one GET of a server on this machine, for the command line. Blocks, with a deadline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct fetch {
    const char *address; /* "0.0.0.0" and "::" are asked on the loopback */
    uint16_t port;
    bool tls;          /* the certificate is not judged: it names the server's public name */
    const char *path;  /* "/status" */
    const char *token; /* sent as Authorization: Bearer; "": none */
    int64_t patience_ms;
};

/* The HTTP status and the body; -1 if there was no answer. */
int fetch_get(const struct fetch *fetch, struct buf *body, struct err *err);
