/*
 * request: the protocol between the server and platen-webhook. The server sends messages
 * (sandbox/protocol/message.h): first the terms, then requests. platen-webhook answers each request
 * with one packet, a struct webhook_response, in any order. A request posts a webhook, or gets a
 * file, which is written to a descriptor that comes with the message, or puts one, which is read
 * from such a descriptor.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "sandbox/protocol/message.h"

#define WEBHOOK_AT_ONCE 128 /* requests that platen-webhook has in flight at most */

/* Settings for all requests; texts point into the message that they were read from. */
struct webhook_terms {
    bool http;
    int64_t timeout_ms; /* for one request, from resolving the host to the last byte */
    /* hosts that are allowed besides the public ones, as base/system/net.h reads them */
    const char *allowed;
    const char *ca; /* file (PEM) of certificate authorities; "": the system's */
};

/* Terms that own their texts. */
struct webhook_own_terms {
    struct webhook_terms values; /* its texts are those below */
    char *texts[2];
};

/* Copies terms with their texts. ERR_INTERNAL without memory; there is nothing to free then. */
int webhook_own_terms_copy(struct webhook_own_terms *own, const struct webhook_terms *terms,
                           struct err *err);
/* Frees the texts; empty terms are allowed. */
void webhook_own_terms_free(struct webhook_own_terms *own);

/* One request: a POST with a body, a GET or a PUT. */
struct webhook_request {
    uint64_t ticket;
    int64_t max_bytes; /* GET: limit of the file; 0: it is another request */
    /* GET: of a page or a part of one. The response is written whatever its status is: its head, an
     * empty line and its body, decoded; a redirect is not followed. */
    bool page;
    bool head; /* a page: HEAD instead of GET */
    bool put;
    int64_t from, bytes; /* PUT: which part of the file is sent */
    const char *url;
    const char *headers; /* lines, separated by line feeds */
    const char *body;
    size_t body_bytes;
};

/* The result of a request. */
enum webhook_end {
    WEBHOOK_ANSWERED, /* http_status is valid */
    WEBHOOK_TIMEOUT,
    WEBHOOK_NO_HOST, /* the host was not found, or may not be reached: clients are not told which */
    WEBHOOK_UNREACHABLE,
    WEBHOOK_TLS,
    WEBHOOK_BROKEN, /* the response is not HTTP, or it broke off */
    WEBHOOK_LARGE,  /* GET: the file has more than max_bytes */
    WEBHOOK_CODED,  /* GET: the file is compressed for its way (Content-Encoding) */
    WEBHOOK_LOST,   /* GET, PUT: redirected too often, or to an address that is not allowed */
    WEBHOOK_UNKEPT, /* GET: the file could not be written; PUT: it could not be read */
    WEBHOOK_ENDS
};

#define WEBHOOK_EXCERPT 200 /* limit of the excerpt of a response in bytes */

struct webhook_response {
    uint64_t ticket;
    uint32_t end;        /* an enum webhook_end */
    int32_t http_status; /* 100 to 999 */
    int32_t duration_ms;
    int32_t after_s;    /* Retry-After in seconds; 0: none */
    int64_t bytes;      /* GET: of the file */
    uint32_t forbidden; /* the host has an address that may not be reached: for the log only */
    uint32_t excerpt_bytes;
    char excerpt[WEBHOOK_EXCERPT]; /* beginning of the body, as received */
};

/* Append a message's bytes to `out`; ERR_INTERNAL without memory. Unpacking fails with ERR_INTERNAL
 * for a malformed message; texts then point into the message. */
int webhook_terms_pack(const struct webhook_terms *terms, struct buf *out, struct err *err);
int webhook_terms_unpack(const struct message *message, struct webhook_terms *terms,
                         struct err *err);
int webhook_request_pack(const struct webhook_request *request, struct buf *out, struct err *err);
int webhook_request_unpack(const struct message *message, struct webhook_request *request,
                           struct err *err);

/* Whether a packet of n bytes is a response, with every field within its limits. */
bool webhook_response_read(const void *packet, size_t n, struct webhook_response *response);
