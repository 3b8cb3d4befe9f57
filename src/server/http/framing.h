/*
 * framing: checks that a request's header section is one that every reader understands in the same
 * way (RFC 9112). libmicrohttpd is lenient where two servers in a row must not differ: such
 * differences allow request smuggling.
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
    bool has_body;          /* set as well as possible even if the check fails */
    bool waits;             /* the client waits for "100 Continue" before it sends the body */
    bool too_long;          /* the error is 431 */
    bool last;              /* what follows on the connection must not be read */
    struct framing_value *trimmed;
};

/* The parts of the first line, as libmicrohttpd passes them on. */
struct framing_line {
    const char *method, *target, *version;
    size_t target_len; /* length before libmicrohttpd cut it */
};

/*
 * Returns 0, or -1 with ERR_INVALID_REQUEST for: lines that do not end in CR LF, folded headers,
 * NULs, names that are not tokens, no Host or two, two Content-Lengths, a Content-Length with a
 * Transfer-Encoding, a Transfer-Encoding other than chunked, or a section that is too long. Call
 * framing_free in both cases.
 */
int framing_check(struct MHD_Connection *mhd, const struct framing_line *line,
                  struct framing *framing, struct err *err);

/* A header's value without the blanks around it, or NULL. Lives as long as the framing. */
const char *framing_header(struct MHD_Connection *mhd, const struct framing *framing,
                           const char *name);
/* Appends the values of all lines of a header, with ", " between them. Returns how many there
 * were. */
size_t framing_list(struct MHD_Connection *mhd, const char *name, struct buf *out);
void framing_free(struct framing *framing);

/* The memory that libmicrohttpd may use for a connection: the request's headers, the head of the
 * response, and the piece of the body that is being read. Above 32 kB libmicrohttpd maps it, so
 * that it begins with a page and an idle connection gives it back (server/http/pool.h). A multiple
 * of any page size. */
#define FRAMING_MEMORY ((size_t) 64 * 1024)
/* The same for a connection with TLS, which keeps it. */
#define FRAMING_MEMORY_TLS ((size_t) 24 * 1024)
