/* response: what a handler answers. A zeroed response is "200 with an empty body". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct http_header_line {
    const char *name; /* a literal; it must live for ever */
    char *value;
};

/* A body that is made while it is sent, of unknown length. */
struct http_source {
    /*
     * Writes the next 1 to cap bytes and returns their number. 0: there is nothing now; the
     * response sleeps until http_stream_wake. -1: the body has ended. Called by one of the server's
     * threads, at least once after each wake, but not after the route's `done`.
     */
    ssize_t (*read)(void *arg, char *out, size_t cap);
    void *arg;
};

struct http_response {
    int status; /* 0: 200 */
    struct http_header_line headers[24];
    size_t n_headers;
    struct buf body; /* used unless there is a file or a source */
    struct http_source source;
    const void *shared; /* a body that outlives the response, used instead of `body`; or NULL */
    size_t shared_bytes;
    bool has_file; /* the members below are set (http_response_file) */
    int file;
    int64_t file_offset, file_bytes;
};

/* Adds a header; the value is copied. A value with a control character (CR, LF) is left out. */
__attribute__((format(printf, 3, 4))) void
http_response_header(struct http_response *resp, const char *name, const char *fmt, ...);
/* Makes the body `bytes` bytes of a file, from `offset` on. The response owns fd. */
void http_response_file(struct http_response *resp, int fd, int64_t offset, int64_t bytes);
/* Makes the body bytes that live as long as the server: they are not copied. */
void http_response_shared(struct http_response *resp, const void *bytes, size_t n);
/* Frees what it holds and zeroes it. */
void http_response_clear(struct http_response *resp);
