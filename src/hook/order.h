/*
 * order: what passes between the server and platen-courier. To it go messages (worker/message.h):
 * first the terms, then orders. From it comes one packet for each order, in any order.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "worker/message.h"

#define ORDER_AT_ONCE 128 /* orders the courier has at most */

/* What holds for all orders; texts are of the message it was read from. */
struct order_terms {
    bool http;
    int64_t timeout_ms;  /* for one order, from looking the host up to the last byte */
    const char *allowed; /* hosts beside the public ones, as base/net.h reads them */
    const char *ca;      /* file (PEM) of authorities; "": the system's */
};

/* One POST. */
struct order {
    uint64_t ticket;
    const char *url;
    const char *headers; /* lines with line feeds between them */
    const char *body;
    size_t body_bytes;
};

/* How it went when no whole answer came. */
enum order_end {
    ORDER_ANSWERED, /* http_status counts */
    ORDER_TIMEOUT,
    ORDER_NO_HOST, /* not found, or none that may be reached: which of them is not told */
    ORDER_UNREACHABLE,
    ORDER_TLS,
    ORDER_BROKEN, /* what it answers is not HTTP */
    ORDER_ENDS
};

#define ORDER_EXCERPT 200

struct order_answer {
    uint64_t ticket;
    uint32_t end;        /* enum order_end */
    int32_t http_status; /* 100 to 999 */
    int32_t duration_ms;
    int32_t after_s;    /* Retry-After; 0: none */
    uint32_t forbidden; /* an address was found that may not be reached: for the log only */
    uint32_t excerpt_bytes;
    char excerpt[ORDER_EXCERPT]; /* as it came */
};

int order_pack_terms(const struct order_terms *terms, struct buf *out, struct err *err);
int order_unpack_terms(const struct message *message, struct order_terms *terms, struct err *err);
int order_pack(const struct order *order, struct buf *out, struct err *err);
int order_unpack(const struct message *message, struct order *order, struct err *err);

/* Whether a packet of n bytes is an answer, with every field within its bounds. */
bool order_read_answer(const void *packet, size_t n, struct order_answer *answer);
