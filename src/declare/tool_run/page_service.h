/*
 * page_service: the server's service for tools that show pages of the web (`fetches` in
 * declare/tool/tool.h): it asks other servers for the page and its parts, because the process that
 * shows the page has no network. A hostile page may have taken that process over, so that nothing
 * it asks for is trusted: every address is checked by the rules for addresses of clients
 * (server/webhook/callback.h) and every connection by those for networks, and redirects are not
 * followed but returned.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define PAGE_AT_ONCE    8                     /* requests of one page at the same time */
#define PAGE_REQUESTS   2000                  /* limit of the requests of one page */
#define PAGE_PART_BYTES ((int64_t) 32 << 20)  /* limit of one response, decoded */
#define PAGE_BYTES      ((int64_t) 256 << 20) /* limit of all responses */

/* The page of a job. `headers` and `cookies` are for the origin of `url` alone, and never in the
 * process that shows the page. */
struct page_address {
    const char *url;
    const char *headers; /* as declare/value/header_lines.h reads them; NULL: none */
    const char *cookies; /* as a Cookie header has them; NULL: none */
};

struct page_question {
    uint32_t number; /* of the request, for the answer */
    bool head;       /* HEAD, not GET */
    const char *url;
    const char
        *headers; /* lines, each with a line feed; those that a page cannot set are left out */
};

struct page_answer {
    uint32_t number;
    int fd; /* the response: its head, an empty line, its body decoded; owned by the receiver; -1 if
               the request failed */
    int64_t bytes;
    bool forbidden;  /* an address may not be reached: for the log only */
    const char *why; /* why the request failed; a constant */
};

struct page_session;

/* A session is for one job and used by one thread. */
struct page_service {
    void *arg;
    /* Fails if pages cannot be fetched at all, or not from this address. */
    struct page_session *(*begin)(void *arg, const struct page_address *page, struct err *err);
    /* Sends a request whose response may have max_bytes. -1: it is refused, for the reason in
     * err. At most PAGE_AT_ONCE may be in flight. */
    int (*ask)(struct page_session *session, const struct page_question *question,
               int64_t max_bytes, struct err *err);
    int (*fd)(const struct page_session *session); /* to poll for reading; -1: none */
    /* 1: there is an answer; 0: not yet. -1: no request will be answered any more. */
    int (*receive)(struct page_session *session, struct page_answer *answer, struct err *err);
    void (*end)(struct page_session *session);
};
