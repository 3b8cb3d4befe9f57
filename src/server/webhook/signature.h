/*
 * signature: signs webhooks by the rules of Standard Webhooks 1.0: a secret is "whsec_" and base64,
 * the signature "v1," and the base64 of HMAC-SHA256 over "id.timestamp.body".
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/store/store.h"

/* Makes a new secret of 32 random bytes. */
void signature_secret(char out[static STORE_SECRET]);

/* Appends the value of the header webhook-signature: one signature for each secret, with blanks
 * between them. `timestamp` is in Unix seconds. ERR_INTERNAL for a malformed secret. */
int signature_put(const struct store_secret *secrets, size_t n, const char *id, int64_t timestamp,
                  const struct buf *body, struct buf *out, struct err *err);
