/* certificate: the certificate of a seal that certifies itself (RFC 5280). */
#pragma once

#include <openssl/x509.h>

#include "base/err.h"

/* For this key, by this key: common name `name`, of use for signatures only, valid for 20 years. */
X509 *certificate_make(EVP_PKEY *key, const char *name, struct err *err);
