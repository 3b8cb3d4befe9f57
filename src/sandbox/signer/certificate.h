/* certificate: makes the self-signed certificate of the installation's signing key (RFC 5280). */
#pragma once

#include <openssl/x509.h>

#include "base/err.h"

/* Makes a certificate: self-signed, with the common name `name`, for signatures only, valid for 20
 * years. The caller frees it. NULL on failure. */
X509 *certificate_make(EVP_PKEY *key, const char *name, struct err *err);
