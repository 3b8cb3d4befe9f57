/*
 * request: the protocol between the server and platen-webhook. The server sends messages
 * (worker/message.h): first the terms, then requests. platen-webhook answers each request with one
 * packet, a struct webhook_response, in any order.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "worker/message.h"

#define WEBHOOK_AT_ONCE 128 /* requests that platen-webhook has in flight at most */

/* What holds for all requests; texts are of the message it was read from. */
struct webhook_terms {
    bool http;
    int64_t timeout_ms;  /* for one request, from looking the host up to the last byte */
    const char *allowed; /* hosts beside the public ones, as base/net.h reads them */
    const char *ca;      /* file (PEM) of authorities; "": the system's */
};

/* One POST. */
struct webhook_request {
    uint64_t ticket;
    const char *url;
    const char *headers; /* lines with line feeds between them */
    const char *body;
    size_t body_bytes;
};

/* How it went when no whole answer came. */
enum webhook_end {
    WEBHOOK_ANSWERED, /* http_status counts */
    WEBHOOK_TIMEOUT,
    WEBHOOK_NO_HOST, /* not found, or none that may be reached: which of them is not told */
    WEBHOOK_UNREACHABLE,
    WEBHOOK_TLS,
    WEBHOOK_BROKEN, /* what it answers is not HTTP */
    WEBHOOK_ENDS
};

#define WEBHOOK_EXCERPT 200

struct webhook_response {
    uint64_t ticket;
    uint32_t end;        /* enum webhook_end */
    int32_t http_status; /* 100 to 999 */
    int32_t duration_ms;
    int32_t after_s;    /* Retry-After; 0: none */
    uint32_t forbidden; /* an address was found that may not be reached: for the log only */
    uint32_t excerpt_bytes;
    char excerpt[WEBHOOK_EXCERPT]; /* as it came */
};

int webhook_terms_pack(const struct webhook_terms *terms, struct buf *out, struct err *err);
int webhook_terms_unpack(const struct message *message, struct webhook_terms *terms,
                         struct err *err);
int webhook_request_pack(const struct webhook_request *request, struct buf *out, struct err *err);
int webhook_request_unpack(const struct message *message, struct webhook_request *request,
                           struct err *err);

/* Whether a packet of n bytes is an answer, with every field within its bounds. */
bool webhook_response_read(const void *packet, size_t n, struct webhook_response *answer);
