/* key_file: reads and writes a key with its certificates: PEM (RFC 7468) or PKCS #12 (RFC 7292). */
#pragma once

#include <openssl/x509.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Reads either format. The caller owns *key; the certificates are added to `chain`, the key's own
 * first, then the issuer of each. The key must be of P-256 and match the first certificate.
 */
int key_file_parse(const char *text, size_t n, const char *password, EVP_PKEY **key,
                   STACK_OF(X509) * chain, struct err *err);
/* Writes PEM. `text` then contains a secret. */
int key_file_write(EVP_PKEY *key, X509 *certificate, struct buf *text, struct err *err);
