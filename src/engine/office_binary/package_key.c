#include "engine/office_binary/package_key.h"

#include <ctype.h>
#include <nettle/aes.h>
#include <nettle/cbc.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/octets.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "engine/office_parts/xml_tag.h"

#define SPINS_STANDARD 50000
#define SPINS_MOST     10000000 /* [MS-OFFCRYPTO] 2.3.4.10 */
#define AES_128        0x660e   /* [MS-OFFCRYPTO] 2.3.2, AlgID; 192 and 256 bits are the next */
#define SALT_STANDARD  16
#define INFO_HEADER    12 /* of the stream, before EncryptionHeader: version, flags, size */
#define VERIFIER_BYTES (4 + SALT_STANDARD + 16 + 4 + 32)
#define SECRET_BYTES   128 /* of one encrypted value of agile encryption */

void package_key_hash(size_t hash_bytes, const void *a, size_t a_n, const void *b, size_t b_n,
                      uint8_t out[static PACKAGE_KEY_HASH])
{
    union {
        struct sha1_ctx sha1;
        struct sha256_ctx sha256;
        struct sha512_ctx sha512;
    } ctx;

    switch (hash_bytes) {
    case SHA1_DIGEST_SIZE:
        sha1_init(&ctx.sha1);
        sha1_update(&ctx.sha1, a_n, a);
        sha1_update(&ctx.sha1, b_n, b);
        sha1_digest(&ctx.sha1, SHA1_DIGEST_SIZE, out);
        break;
    case SHA256_DIGEST_SIZE:
        sha256_init(&ctx.sha256);
        sha256_update(&ctx.sha256, a_n, a);
        sha256_update(&ctx.sha256, b_n, b);
        sha256_digest(&ctx.sha256, SHA256_DIGEST_SIZE, out);
        break;
    case SHA384_DIGEST_SIZE:
        sha384_init(&ctx.sha512);
        sha512_update(&ctx.sha512, a_n, a);
        sha512_update(&ctx.sha512, b_n, b);
        sha384_digest(&ctx.sha512, SHA384_DIGEST_SIZE, out);
        break;
    default:
        sha512_init(&ctx.sha512);
        sha512_update(&ctx.sha512, a_n, a);
        sha512_update(&ctx.sha512, b_n, b);
        sha512_digest(&ctx.sha512, SHA512_DIGEST_SIZE, out);
    }
}

void package_key_decrypt(const uint8_t *key, size_t key_bytes, const uint8_t *iv, const void *from,
                         void *to, size_t n)
{
    union {
        struct aes128_ctx aes128;
        struct aes192_ctx aes192;
        struct aes256_ctx aes256;
    } ctx;
    nettle_cipher_func *decrypt = (nettle_cipher_func *) aes128_decrypt;
    uint8_t chain[PACKAGE_KEY_BLOCK];

    if (key_bytes == AES128_KEY_SIZE) {
        aes128_set_decrypt_key(&ctx.aes128, key);
    } else if (key_bytes == AES192_KEY_SIZE) {
        aes192_set_decrypt_key(&ctx.aes192, key);
        decrypt = (nettle_cipher_func *) aes192_decrypt;
    } else {
        aes256_set_decrypt_key(&ctx.aes256, key);
        decrypt = (nettle_cipher_func *) aes256_decrypt;
    }
    if (!iv) {
        decrypt(&ctx, n, to, from);
        return;
    }
    memcpy(chain, iv, sizeof chain);
    cbc_decrypt(&ctx, decrypt, PACKAGE_KEY_BLOCK, chain, n, to, from);
}

static void put_le32(uint32_t number, uint8_t out[static 4])
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t) (number >> (8 * i));
}

/* UTF-16LE, as passwords are hashed. */
static void put_utf16(const char *text, struct buf *out)
{
    size_t n = strlen(text), at = 0;

    while (at < n) {
        uint32_t c = utf8_next(text, n, &at);
        uint32_t units[2] = { c, 0 };
        int n_units = 1;

        if (c >= 0x10000) {
            units[0] = 0xd800 + ((c - 0x10000) >> 10);
            units[1] = 0xdc00 + ((c - 0x10000) & 0x3ff);
            n_units = 2;
        }
        for (int i = 0; i < n_units; i++) {
            buf_putc(out, (char) (units[i] & 0xff));
            buf_putc(out, (char) (units[i] >> 8));
        }
    }
}

/* The digest of salt and password, and of each digest again with its number before it. */
static bool spin(size_t hash_bytes, const uint8_t *salt, size_t salt_bytes, const char *password,
                 uint32_t spins, uint8_t out[static PACKAGE_KEY_HASH])
{
    AUTO_BUF struct buf units = BUF_EMPTY;
    uint8_t number[4];

    put_utf16(password, &units);
    if (units.failed)
        return false;
    package_key_hash(hash_bytes, salt, salt_bytes, buf_text(&units), units.len, out);
    for (uint32_t i = 0; i < spins; i++) {
        put_le32(i, number);
        package_key_hash(hash_bytes, number, 4, out, hash_bytes, out);
    }
    return true;
}

/* [MS-OFFCRYPTO] 2.3.4.7: a key longer than the digest has two halves. */
static void stretch(const uint8_t *digest, uint8_t pad, uint8_t out[static PACKAGE_KEY_HASH])
{
    uint8_t block[64];

    memset(block, pad, sizeof block);
    for (int i = 0; i < SHA1_DIGEST_SIZE; i++)
        block[i] ^= digest[i];
    package_key_hash(SHA1_DIGEST_SIZE, block, sizeof block, "", 0, out);
}

static enum package_key_found find_standard(const struct buf *info, const char *password,
                                            struct package_key *key)
{
    const char *at = buf_text(info);
    size_t header_bytes = info->len > INFO_HEADER ? octets_le32(at + 8) : 0;
    uint8_t digest[PACKAGE_KEY_HASH], halves[2 * PACKAGE_KEY_HASH], plain[32];
    const uint8_t none[4] = { 0 };
    uint32_t kind;

    if (header_bytes < 32 || header_bytes > info->len ||
        info->len < INFO_HEADER + header_bytes + VERIFIER_BYTES)
        return PACKAGE_KEY_UNKNOWN;
    kind = octets_le32(at + INFO_HEADER + 8);
    at += INFO_HEADER + header_bytes;
    if (kind < AES_128 || kind > AES_128 + 2 || octets_le32(at) != SALT_STANDARD)
        return PACKAGE_KEY_UNKNOWN;
    *key = (struct package_key){ .key_bytes = 16 + 8 * (kind - AES_128) };
    if (!spin(SHA1_DIGEST_SIZE, (const uint8_t *) at + 4, SALT_STANDARD, password, SPINS_STANDARD,
              digest))
        return PACKAGE_KEY_UNKNOWN;
    package_key_hash(SHA1_DIGEST_SIZE, digest, SHA1_DIGEST_SIZE, none, 4, digest);
    stretch(digest, 0x36, halves);
    stretch(digest, 0x5c, halves + SHA1_DIGEST_SIZE);
    memcpy(key->key, halves, key->key_bytes);
    at += 4 + SALT_STANDARD;
    package_key_decrypt(key->key, key->key_bytes, NULL, at, plain, 16);
    package_key_hash(SHA1_DIGEST_SIZE, plain, 16, "", 0, digest);
    package_key_decrypt(key->key, key->key_bytes, NULL, at + 16 + 4, plain, 32);
    return memcmp(digest, plain, SHA1_DIGEST_SIZE) == 0 ? PACKAGE_KEY_RIGHT : PACKAGE_KEY_WRONG;
}

static bool read_amount(const struct xml_tag *tag, const char *name, uint32_t *number)
{
    size_t n = 0;
    const char *digits = xml_tag_attribute(tag, name, &n);

    *number = 0;
    if (!digits || n == 0 || n > 8)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!isdigit((unsigned char) digits[i]))
            return false;
        *number = *number * 10 + (uint32_t) (digits[i] - '0');
    }
    return true;
}

static bool has_value(const struct xml_tag *tag, const char *name, const char *value)
{
    size_t n = 0;
    const char *found = xml_tag_attribute(tag, name, &n);

    return found && n == strlen(value) && memcmp(found, value, n) == 0;
}

static bool read_base64(const struct xml_tag *tag, const char *name, uint8_t *out, size_t room,
                        size_t *got)
{
    size_t n = 0;
    const char *text = xml_tag_attribute(tag, name, &n);

    return text && base64_read(text, n, out, room, got);
}

/* What an element says of its cipher, digest and salt. */
static bool read_cipher(const struct xml_tag *tag, struct package_key *key)
{
    static const struct {
        const char *name;
        size_t bytes;
    } hashes[] = { { "SHA1", SHA1_DIGEST_SIZE },
                   { "SHA256", SHA256_DIGEST_SIZE },
                   { "SHA384", SHA384_DIGEST_SIZE },
                   { "SHA512", SHA512_DIGEST_SIZE } };
    uint32_t bits = 0, block = 0;

    *key = (struct package_key){ .chained = true };
    for (size_t i = 0; i < COUNT(hashes); i++)
        if (has_value(tag, "hashAlgorithm", hashes[i].name))
            key->hash_bytes = hashes[i].bytes;
    if (!read_amount(tag, "keyBits", &bits) || !read_amount(tag, "blockSize", &block))
        return false;
    key->key_bytes = bits / 8;
    return key->hash_bytes && block == PACKAGE_KEY_BLOCK &&
           (bits == 128 || bits == 192 || bits == 256) &&
           has_value(tag, "cipherAlgorithm", "AES") &&
           has_value(tag, "cipherChaining", "ChainingModeCBC") &&
           read_base64(tag, "saltValue", key->salt, sizeof key->salt, &key->salt_bytes) &&
           key->salt_bytes >= PACKAGE_KEY_BLOCK;
}

/* One of the values that the element has encrypted with the password, [MS-OFFCRYPTO] 2.3.4.13.
 * Returns its bytes, 0 if it cannot be read. */
static size_t read_secret(const struct xml_tag *tag, const char *name, const char *block_key,
                          const struct package_key *cipher, const uint8_t *digest,
                          uint8_t out[static SECRET_BYTES])
{
    uint8_t key[PACKAGE_KEY_HASH], sealed[SECRET_BYTES];
    size_t n = 0;

    memset(key, 0x36, sizeof key);
    package_key_hash(cipher->hash_bytes, digest, cipher->hash_bytes, block_key, 8, key);
    if (!read_base64(tag, name, sealed, sizeof sealed, &n) || n == 0 || n % PACKAGE_KEY_BLOCK != 0)
        return 0;
    package_key_decrypt(key, cipher->key_bytes, cipher->salt, sealed, out, n);
    return n;
}

static enum package_key_found open_agile(const struct xml_tag *tag, const char *password,
                                         struct package_key *key)
{
    struct package_key cipher;
    uint8_t digest[PACKAGE_KEY_HASH], check[PACKAGE_KEY_HASH];
    uint8_t input[SECRET_BYTES], value[SECRET_BYTES], secret[SECRET_BYTES];
    uint32_t spins = 0, salt_bytes = 0;
    size_t n;

    if (!read_cipher(tag, &cipher) || !read_amount(tag, "spinCount", &spins) ||
        spins > SPINS_MOST || !read_amount(tag, "saltSize", &salt_bytes) ||
        !spin(cipher.hash_bytes, cipher.salt, cipher.salt_bytes, password, spins, digest))
        return PACKAGE_KEY_UNKNOWN;
    n = read_secret(tag, "encryptedVerifierHashInput", "\xfe\xa7\xd2\x76\x3b\x4b\x9e\x79", &cipher,
                    digest, input);
    if (n < salt_bytes || salt_bytes == 0 ||
        read_secret(tag, "encryptedVerifierHashValue", "\xd7\xaa\x0f\x6d\x30\x61\x34\x4e", &cipher,
                    digest, value) < cipher.hash_bytes)
        return PACKAGE_KEY_UNKNOWN;
    package_key_hash(cipher.hash_bytes, input, salt_bytes, "", 0, check);
    if (memcmp(check, value, cipher.hash_bytes) != 0)
        return PACKAGE_KEY_WRONG;
    if (read_secret(tag, "encryptedKeyValue", "\x14\x6e\x0b\xe7\xab\xac\xd0\xd6", &cipher, digest,
                    secret) < key->key_bytes)
        return PACKAGE_KEY_UNKNOWN;
    memcpy(key->key, secret, key->key_bytes);
    return PACKAGE_KEY_RIGHT;
}

struct sealed_values {
    size_t key_bytes, value_bytes; /* 0: it is not there, or cannot be read */
    uint8_t key[SECRET_BYTES], value[SECRET_BYTES];
};

static void read_seal(const struct xml_tag *tag, struct sealed_values *sealed)
{
    if (!read_base64(tag, "encryptedHmacKey", sealed->key, sizeof sealed->key, &sealed->key_bytes))
        sealed->key_bytes = 0;
    if (!read_base64(tag, "encryptedHmacValue", sealed->value, sizeof sealed->value,
                     &sealed->value_bytes))
        sealed->value_bytes = 0;
}

/* [MS-OFFCRYPTO] 2.3.4.14. What cannot be read stays zero, and no stream has that HMAC. */
static void open_seal(struct package_key *key, const char *block_key, const uint8_t *from, size_t n,
                      uint8_t out[static PACKAGE_KEY_HASH])
{
    uint8_t iv[PACKAGE_KEY_HASH], plain[SECRET_BYTES];

    key->sealed = true;
    if (n < key->hash_bytes || n % PACKAGE_KEY_BLOCK != 0)
        return;
    package_key_hash(key->hash_bytes, key->salt, key->salt_bytes, block_key, 8, iv);
    package_key_decrypt(key->key, key->key_bytes, iv, from, plain, n);
    memcpy(out, plain, key->hash_bytes);
}

bool package_key_is_whole(const struct package_key *key, const void *stream, size_t n)
{
    uint8_t digest[PACKAGE_KEY_HASH];
    struct hmac_sha1_ctx sha1;
    struct hmac_sha256_ctx sha256;
    struct hmac_sha512_ctx sha512; /* of SHA-384, too */

    switch (key->hash_bytes) {
    case SHA1_DIGEST_SIZE:
        hmac_sha1_set_key(&sha1, key->hash_bytes, key->seal_key);
        hmac_sha1_update(&sha1, n, stream);
        hmac_sha1_digest(&sha1, key->hash_bytes, digest);
        break;
    case SHA256_DIGEST_SIZE:
        hmac_sha256_set_key(&sha256, key->hash_bytes, key->seal_key);
        hmac_sha256_update(&sha256, n, stream);
        hmac_sha256_digest(&sha256, key->hash_bytes, digest);
        break;
    case SHA384_DIGEST_SIZE:
        hmac_sha384_set_key(&sha512, key->hash_bytes, key->seal_key);
        hmac_sha512_update(&sha512, n, stream);
        hmac_sha384_digest(&sha512, key->hash_bytes, digest);
        break;
    default:
        hmac_sha512_set_key(&sha512, key->hash_bytes, key->seal_key);
        hmac_sha512_update(&sha512, n, stream);
        hmac_sha512_digest(&sha512, key->hash_bytes, digest);
    }
    return memeql_sec(digest, key->seal, key->hash_bytes);
}

static enum package_key_found find_agile(const struct buf *info, const char *password,
                                         struct package_key *key)
{
    struct xml_tag tag = { .end = buf_text(info) + 8 };
    const char *end = buf_text(info) + info->len;
    struct sealed_values sealed = { 0 };
    enum package_key_found found;
    bool known = false, has_seal = false;

    while (xml_tag_next(&tag, end)) {
        if (tag.closing)
            continue;
        if (xml_tag_is(&tag, "keyData"))
            known = read_cipher(&tag, key);
        if (xml_tag_is(&tag, "dataIntegrity")) {
            has_seal = true;
            read_seal(&tag, &sealed);
        }
        if (!known || !xml_tag_is(&tag, "encryptedKey"))
            continue;
        found = open_agile(&tag, password, key);
        if (found == PACKAGE_KEY_RIGHT && has_seal) {
            open_seal(key, "\x5f\xb2\xad\x01\x0c\xb9\xe1\xf6", sealed.key, sealed.key_bytes,
                      key->seal_key);
            open_seal(key, "\xa0\x67\x7f\x02\xb2\x2c\x84\x33", sealed.value, sealed.value_bytes,
                      key->seal);
        }
        return found;
    }
    return PACKAGE_KEY_UNKNOWN;
}

enum package_key_found package_key_find(const struct buf *info, const char *password,
                                        struct package_key *key)
{
    unsigned major, minor;

    if (info->len < 8 || !utf8_is_valid(password, strlen(password)))
        return PACKAGE_KEY_UNKNOWN;
    major = octets_le16(buf_text(info));
    minor = octets_le16(buf_text(info) + 2);
    if (major == 4 && minor == 4)
        return find_agile(info, password, key);
    return minor == 2 && major >= 2 && major <= 4 ? find_standard(info, password, key)
                                                  : PACKAGE_KEY_UNKNOWN;
}
