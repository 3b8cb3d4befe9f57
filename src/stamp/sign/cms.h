/*
 * cms: makes the signature container of a PDF (RFC 5652; ETSI EN 319 142-1, 6.3, baseline levels
 * B-B and B-T): detached, SHA-256, with the attributes content type, message digest and signing
 * certificate v2 and without signing time, which PAdES forbids. The digest can be signed elsewhere.
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stamp/sign/identity.h"

#define CMS_DIGEST 32 /* bytes of a SHA-256 digest */

struct cms;

/* Computes the SHA-256 digest of n bytes. */
void cms_digest(const void *data, size_t n, unsigned char out[static CMS_DIGEST]);

/* Begins a container for the digest of the signed data. */
struct cms *cms_new(const struct identity *identity, const unsigned char digest[static CMS_DIGEST],
                    struct err *err);
void cms_free(struct cms **cms);
#define AUTO_CMS __attribute__((cleanup(cms_free)))

/* Writes the digest of the signed attributes to `out`: what the key has to sign. */
int cms_to_sign(const struct cms *cms, unsigned char out[static CMS_DIGEST], struct err *err);
/* Sets the signature of that digest, n bytes. */
int cms_set_signature(struct cms *cms, const void *signature, size_t n, struct err *err);
/* Adds a time stamp (RFC 3161, a ContentInfo in DER) of the signature's digest. */
int cms_add_timestamp(struct cms *cms, const void *token, size_t n, struct err *err);
/* Encodes the container in DER. */
int cms_encode(const struct cms *cms, struct buf *out, struct err *err);

/* An upper bound, in bytes, of a container for that identity without a time stamp; 0 and an error
 * if none can be made. */
size_t cms_bytes(const struct identity *identity, struct err *err);
