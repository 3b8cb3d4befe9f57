/*
 * identity: the signer: a certificate with its chain, and the key if it is available here. OpenSSL
 * does the cryptography; no other folder of the workers includes its headers.
 */
#pragma once

#include <openssl/types.h>
#include <openssl/x509.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "declare/tool_run/run.h"

#define IDENTITY_BYTES 1048576 /* limit of a PKCS #12 file */
#define IDENTITY_CHAIN 16      /* limit of certificates */

struct identity {
    X509 *certificate;
    STACK_OF(X509) * chain; /* its issuers, as far as they are known, the nearest first */
    EVP_PKEY *key;          /* NULL: the server signs */
};

/*
 * Reads a PKCS #12 file (RFC 7292) with an RSA key or one on P-256, P-384 or P-521.
 * ERR_WRONG_PASSWORD or ERR_PASSWORD_REQUIRED, for certificatePassword; ERR_INVALID_PARAMETER, for
 * certificate, if it is not such a file.
 */
int identity_open(struct identity *identity, const void *p12, size_t n, const char *password,
                  struct err *err);
/* Reads certificates in DER, one after the other, the signer's first, without a key. */
int identity_from_chain(struct identity *identity, const void *der, size_t n, struct err *err);
void identity_free(struct identity *identity);

/* Warns about reasons why others may reject a signature: a certificate that has expired, is not
 * valid yet, is not for signing, or has a short key. `now_ms`: Unix time. */
void identity_warn(const struct identity *identity, int64_t now_ms, struct tool_run *run);

/* An upper bound of a signature's size in bytes. */
size_t identity_signature_bytes(const struct identity *identity);
/* Signs a SHA-256 digest: PKCS #1 v1.5, or ECDSA in DER. Needs a key. */
int identity_sign(const struct identity *identity, const unsigned char digest[static 32],
                  struct buf *signature, struct err *err);
/* Returns 0 if a signature was made with the certificate's key; else -1 with ERR_INTERNAL. */
int identity_verify(const struct identity *identity, const unsigned char digest[static 32],
                    const struct buf *signature, struct err *err);

/* Opens the library that reads old files, before the sandbox: no job's process can. */
void identity_load(void);
/* Initialises OpenSSL in the zygote, so that the jobs' processes forked from it need not. */
void identity_warm(void);
