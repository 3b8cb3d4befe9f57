/*
 * package_key: the key of an encrypted OOXML package ([MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.15): standard
 * encryption, as Office 2007 writes it, and agile encryption, as later versions do; AES in both.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define PACKAGE_KEY_HASH  64 /* bytes of the longest digest, SHA-512 */
#define PACKAGE_KEY_BLOCK 16 /* of AES */

struct package_key {
    size_t key_bytes; /* 16, 24 or 32 */
    uint8_t key[32];
    bool chained; /* agile: CBC in segments, else ECB */
    /* Of agile encryption, from which the segments' initialisation vectors are made. */
    size_t salt_bytes, hash_bytes;
    uint8_t salt[PACKAGE_KEY_HASH];
    /* Of agile encryption: the key of the HMAC of the stream EncryptedPackage, and the HMAC, of
     * hash_bytes each (2.3.4.14). */
    bool sealed; /* the document has them */
    uint8_t seal_key[PACKAGE_KEY_HASH], seal[PACKAGE_KEY_HASH];
};

enum package_key_found { PACKAGE_KEY_UNKNOWN, PACKAGE_KEY_WRONG, PACKAGE_KEY_RIGHT };

/* Derives the key from the stream EncryptionInfo and a password in UTF-8. UNKNOWN: an encryption
 * that is not one of these, or is damaged; WRONG: the password is another. */
enum package_key_found package_key_find(const struct buf *info, const char *password,
                                        struct package_key *key);

/* Whether the stream EncryptedPackage, n bytes, is the one that the document was sealed with. */
bool package_key_is_whole(const struct package_key *key, const void *stream, size_t n);
/* Decrypts n bytes, a multiple of PACKAGE_KEY_BLOCK. `iv`: NULL for ECB. */
void package_key_decrypt(const uint8_t *key, size_t key_bytes, const uint8_t *iv, const void *from,
                         void *to, size_t n);
/* The digest of two pieces, one after the other. `hash_bytes`: 20, SHA-1; 32, 48, 64, SHA-2. */
void package_key_hash(size_t hash_bytes, const void *a, size_t a_n, const void *b, size_t b_n,
                      uint8_t out[static PACKAGE_KEY_HASH]);
