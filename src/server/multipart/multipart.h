/*
 * multipart: a streaming parser for multipart/form-data (RFC 7578, RFC 2046 section 5.1). Limits
 * come first; it never holds more of a part's data than a delimiter's length.
 *
 * It accepts what real clients send: quoted and unquoted parameters in any order and any case, \"
 * and \\ inside quotes as well as %22 (WHATWG), `filename*` (RFC 5987, UTF-8 and ISO-8859-1), bare
 * UTF-8 names, a preamble, an epilogue, transport padding after a delimiter. It refuses malformed
 * bodies with ERR_INVALID_REQUEST and a sentence: no closing delimiter, a part without a name,
 * invalid header lines, a NUL in a name, a Content-Transfer-Encoding other than binary, 8bit and
 * 7bit. What exceeds a limit is refused with ERR_TOO_MANY_FILES, ERR_FILE_TOO_LARGE or
 * ERR_INVALID_REQUEST.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct multipart;

struct multipart_limits {
    size_t max_fields;      /* parts without a file name */
    size_t max_field_bytes; /* of one field's value */
    size_t max_files;
    int64_t max_file_bytes;  /* of one file */
    int64_t max_total_bytes; /* of the whole body */
    size_t max_header_bytes; /* of one part's header lines */
};

struct multipart_part {
    const char *name;         /* the field's name, UTF-8 as received */
    const char *filename;     /* NULL: a plain field; "": a file without a name */
    const char *content_type; /* NULL if not given */
};

/* Each callback returns 0, or -1 with err filled to stop the parser with that error. A part is
 * one begin, any number of data and one end. Pointers are valid only during the call. */
struct multipart_events {
    int (*begin)(void *arg, const struct multipart_part *part, struct err *err);
    int (*data)(void *arg, const void *data, size_t n, struct err *err);
    int (*end)(void *arg, struct err *err);
};

#define MULTIPART_BOUNDARY 71 /* RFC 2046: 1 to 70 characters */
/* Copies out the boundary of a Content-Type multipart/form-data. ERR_UNSUPPORTED_MEDIA_TYPE for
 * another type, ERR_INVALID_REQUEST if the boundary is missing, doubled or invalid. */
int multipart_boundary(const char *content_type, char out[static MULTIPART_BOUNDARY],
                       struct err *err);

/* Makes a parser; `limits` are copied, `events` are borrowed until multipart_free and called with
 * arg. NULL when out of memory, or if the boundary has not 1 to 70 characters. */
struct multipart *multipart_new(const char *boundary, const struct multipart_limits *limits,
                                const struct multipart_events *events, void *arg);
/* Parses the next bytes of the body, in pieces of any size. After a failure it must not be
 * called again. */
int multipart_feed(struct multipart *mp, const void *data, size_t n, struct err *err);
/* Ends the body. ERR_INVALID_REQUEST if it ends inside a part or has no delimiter at all. */
int multipart_finish(struct multipart *mp, struct err *err);
void multipart_free(struct multipart *mp);
