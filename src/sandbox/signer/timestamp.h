/*
 * timestamp: requests to time stamp authorities and their replies (RFC 3161). A reply is untrusted:
 * timestamp_fetch bounds its size, timestamp_verify checks all of it.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Makes a TimeStampReq in DER: this SHA-256 digest, a nonce, and certReq, which asks for the
 * authority's certificates (RFC 3161, 2.4.1). */
int timestamp_request(const unsigned char digest[static 32], struct buf *request, struct err *err);

/* Sends a request to an authority, and appends its reply. `url`: http or https; certificates of
 * https are verified with the system's authorities. ERR_INTERNAL; the message does not contain the
 * address, which may contain a password. */
int timestamp_fetch(const char *url, int64_t timeout_ms, const struct buf *request,
                    struct buf *reply, struct err *err);

/*
 * Appends the TimeStampToken (DER) of a TimeStampResp to `token` if the request was granted, the
 * token has the request's digest and nonce, and its signature verifies. `authorities`: a PEM file
 * of trusted certificates that the authority's certificate must chain to; "": any certificate with
 * the extended key usage for time stamping is accepted. ERR_INTERNAL.
 */
int timestamp_verify(const struct buf *request, const struct buf *reply, const char *authorities,
                     struct buf *token, struct err *err);
