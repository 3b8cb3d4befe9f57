/* digest: SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), by nettle. */
#pragma once

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stddef.h>

#define DIGEST_TEXT 65 /* 64 lower-case hex digits and a NUL */

struct digest {
    struct sha256_ctx ctx;
};

/* Compute a digest piece by piece: start, then add bytes, then write it as hexadecimal text. */
void digest_start(struct digest *digest);
void digest_add(struct digest *digest, const void *data, size_t n);
void digest_end(struct digest *digest, char out[static DIGEST_TEXT]);

/* Writes the SHA-256 digest of n bytes as hexadecimal text. */
void digest_text(const void *data, size_t n, char out[static DIGEST_TEXT]);
#define DIGEST_BYTES 32 /* of a SHA-256 digest */
/* Computes the HMAC-SHA-256 of n bytes. */
void digest_mac(const void *key, size_t key_len, const void *data, size_t n,
                unsigned char out[static DIGEST_BYTES]);
/* The same as hexadecimal text. */
void digest_hmac(const void *key, size_t key_len, const void *data, size_t n,
                 char out[static DIGEST_TEXT]);
/* Whether two C strings are equal, in a time that does not depend on where they differ. */
bool digest_equal(const char *a, const char *b);
