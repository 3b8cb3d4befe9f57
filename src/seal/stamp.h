/*
 * stamp: time stamps as RFC 3161 has them: the request, and what is to be thought of the reply. An
 * authority is a stranger on the network: its reply is bounded by the caller and judged here.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* A TimeStampReq in DER: this SHA-256 digest, a nonce, and the wish for the authority's
 * certificates (RFC 3161, 2.4.1). */
int stamp_request(const unsigned char digest[static 32], struct buf *request, struct err *err);

/*
 * Takes the TimeStampToken (DER) out of a TimeStampResp, if the request was granted, the token is
 * of its digest and nonce, and its signature is right. `authorities`: a PEM file with what the
 * signer's certificate must chain to; "": any certificate that is for time stamps will do.
 * ERR_INTERNAL.
 */
int stamp_judge(const struct buf *request, const struct buf *reply, const char *authorities,
                struct buf *token, struct err *err);
