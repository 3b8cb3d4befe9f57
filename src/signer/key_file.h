/* key_file: a key with its certificates as a file: PEM (RFC 7468) or PKCS #12 (RFC 7292). */
#pragma once

#include <openssl/x509.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Reads either. *key is the caller's; the certificates are added to `chain`, that of the key first,
 * then each one's issuer. The key must be of P-256 and the certificate its own.
 */
int key_file_parse(const char *text, size_t n, const char *password, EVP_PKEY **key,
                   STACK_OF(X509) * chain, struct err *err);
/* Writes PEM. `text` holds a secret then. */
int key_file_write(EVP_PKEY *key, X509 *certificate, struct buf *text, struct err *err);
