/*
 * framing: whether a request's header section is one that every reader understands the same way
 * (RFC 9112). libmicrohttpd is lenient where two servers in a row must not differ: that is how
 * requests are smuggled.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "base/buf.h"
#include "base/err.h"

struct framing {
    int64_t content_length; /* -1: chunked */
    size_t header_size;     /* with the first line */
    bool has_body;          /* known even if the check fails, as well as it can be */
    bool waits;             /* the client waits for "100 Continue" before it sends the body */
    bool too_long;          /* the error is 431 */
    struct framing_value *trimmed;
};

/* What the first line holds, as libmicrohttpd passes it on. */
struct framing_line {
    const char *method, *target, *version;
    size_t target_len; /* before libmicrohttpd cut it */
};

/*
 * 0, or -1 with ERR_INVALID_REQUEST: lines that do not end in CR LF, folded headers, NULs, names
 * that are no tokens, no or two Hosts, two Content-Lengths, a Content-Length with a
 * Transfer-Encoding, a Transfer-Encoding other than chunked; or too much of it all.
 * framing_free it either way.
 */
int framing_check(struct MHD_Connection *mhd, const struct framing_line *line,
                  struct framing *framing, struct err *err);

/* A header's value without the blanks around it, or NULL. Lives as long as the framing. */
const char *framing_header(struct MHD_Connection *mhd, const struct framing *framing,
                           const char *name);
/* Appends the values of all lines of a header, with ", " between them. How many there were. */
size_t framing_list(struct MHD_Connection *mhd, const char *name, struct buf *out);
void framing_free(struct framing *framing);

/* What libmicrohttpd may use for a connection: the headers, the head of the answer, and what is
 * read of a body at a time. libmicrohttpd maps it, as it is over 32 kB, so that it begins with a
 * page and an idle connection gives it back (http/pool.h). A multiple of any page's size. */
#define FRAMING_MEMORY ((size_t) 64 * 1024)
/* Of a connection with TLS, which keeps it. */
#define FRAMING_MEMORY_TLS ((size_t) 24 * 1024)
