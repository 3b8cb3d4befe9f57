/*
 * parts: the page and its parts that the server fetches (sandbox/protocol/page_ask.h), several at a
 * time, in the order in which Chromium asks for them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* A request of Chromium that waits for its response. The texts belong to it. */
struct part {
    char *id, *session; /* of the request, for its answer */
    char *address, *type;
    char *headers; /* lines, each with a line feed */
    bool head;     /* HEAD, not GET */
    bool main;     /* the page itself */
    uint32_t number;
    bool asked;
    struct buf response;
};

struct parts {
    int sock; /* borrowed; -1: nothing is fetched */
    struct part *items;
    size_t n, cap, in_flight;
    uint32_t number;
    struct buf piece;
    /* Called when a request ended; `why` is the reason of a failure, NULL with a response. */
    void (*arrived)(void *arg, const struct part *part, const char *why);
    void *arg;
};

void parts_free(struct parts *parts);
void parts_forget(struct part *part);
/* Asks for a part, now or when others are here. Owns the part afterwards. */
void parts_add(struct parts *parts, struct part *part);
/* Reads what the server has sent, when the socket is readable. If the server does not answer any
 * more, the process ends, as if Chromium had. */
void parts_read(struct parts *parts);
