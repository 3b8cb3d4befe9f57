/*
 * sign: signs requests to an S3 server with AWS Signature Version 4 ("Authenticating Requests (AWS
 * Signature Version 4)" in the Amazon S3 API Reference).
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

struct s3_credentials {
    char id[129];
    char secret[257];
    char token[4097]; /* of a session; "" without one */
};

/* The signer and the scope of the signature. All borrowed. */
struct s3_scope {
    const struct s3_credentials *credentials;
    const char *region;
    const char *host; /* with its port if the address has one */
};

#define S3_DATE 17 /* "20130524T000000Z" and a NUL */

/* The parts of a request that are signed. */
struct s3_call {
    const char *method;
    const char *path;    /* as sent: begins with '/', each segment percent-encoded */
    const char *query;   /* as sent, without '?': NAME=VALUE sorted and encoded; "" if none */
    const char *payload; /* SHA-256 of the body, in hex */
    const char *digest;  /* value of the header S3_DIGEST; NULL: it is not sent */
};

#define S3_DIGEST                                                                                  \
    "x-amz-meta-sha256" /* SHA-256 of a whole object, which the server keeps with it */

#define S3_UNSIGNED "UNSIGNED-PAYLOAD"

/* Percent-encodes all but the unreserved characters of RFC 3986, and '/' if `keep_slash`. */
void s3_encode(struct buf *out, const char *text, bool keep_slash);
/* Writes the time in the form that signatures need. */
void s3_date(int64_t wall_ms, char out[static S3_DATE]);
/* Appends the value of the header Authorization; the signed headers are host,
 * x-amz-content-sha256, x-amz-date, S3_DIGEST and, with a token, x-amz-security-token. */
void s3_authorize(const struct s3_scope *scope, const struct s3_call *call, const char *date,
                  struct buf *out);
/* Appends the query of an address that anybody may GET for some seconds. `more`: parameters that
 * sort after X-Amz-SignedHeaders, encoded, such as "response-content-type=..."; or "". */
void s3_presign(const struct s3_scope *scope, const char *path, const char *more, const char *date,
                int64_t seconds, struct buf *out);
