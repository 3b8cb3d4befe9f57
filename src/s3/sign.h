/*
 * sign: requests to an S3 server, signed with AWS Signature Version 4 ("Authenticating Requests
 * (AWS Signature Version 4)" in the Amazon S3 API Reference).
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

struct s3_credentials {
    char id[129];
    char secret[257];
    char token[4097]; /* of a session; "" without one */
};

/* Who signs, for where. All borrowed. */
struct s3_scope {
    const struct s3_credentials *credentials;
    const char *region;
    const char *host; /* with its port if the address has one */
};

#define S3_DATE 17 /* "20130524T000000Z" and a NUL */

/* What of a request is signed. */
struct s3_call {
    const char *method;
    const char *path;    /* as it is sent: begins with '/', each segment percent-encoded */
    const char *query;   /* as it is sent, without '?': NAME=VALUE sorted and encoded; "" if none */
    const char *payload; /* SHA-256 of the body, in hex */
};

#define S3_UNSIGNED "UNSIGNED-PAYLOAD"

/* Percent-encodes all but the unreserved characters of RFC 3986, and '/' if `keep_slash`. */
void s3_encode(struct buf *out, const char *text, bool keep_slash);
/* The time in the form that signatures have. */
void s3_date(int64_t wall_ms, char out[static S3_DATE]);
/* Appends the value of the header Authorization; host, x-amz-content-sha256, x-amz-date and, with a
 * token, x-amz-security-token are the headers that are signed. */
void s3_authorize(const struct s3_scope *scope, const struct s3_call *call, const char *date,
                  struct buf *out);
/* Appends the query of an address that anybody may GET for some seconds. `more`: what of it comes
 * after X-Amz-SignedHeaders in the order of bytes, encoded, as "response-content-type=..."; or "".
 */
void s3_presign(const struct s3_scope *scope, const char *path, const char *more, const char *date,
                int64_t seconds, struct buf *out);
