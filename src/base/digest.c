#include "base/digest.h"

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <stdint.h>
#include <string.h>

static void to_hex(const uint8_t *bytes, char *out)
{
    for (size_t i = 0; i < SHA256_DIGEST_SIZE; i++) {
        out[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    out[DIGEST_TEXT - 1] = '\0';
}

void digest_start(struct digest *digest)
{
    sha256_init(&digest->ctx);
}

void digest_add(struct digest *digest, const void *data, size_t n)
{
    sha256_update(&digest->ctx, n, data);
}

void digest_end(struct digest *digest, char out[static DIGEST_TEXT])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_digest(&digest->ctx, sizeof bytes, bytes);
    to_hex(bytes, out);
}

void digest_text(const void *data, size_t n, char out[static DIGEST_TEXT])
{
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, data, n);
    digest_end(&digest, out);
}

void digest_mac(const void *key, size_t key_len, const void *data, size_t n,
                unsigned char out[static DIGEST_BYTES])
{
    struct hmac_sha256_ctx ctx;

    hmac_sha256_set_key(&ctx, key_len, key);
    hmac_sha256_update(&ctx, n, data);
    hmac_sha256_digest(&ctx, DIGEST_BYTES, out);
}

void digest_hmac(const void *key, size_t key_len, const void *data, size_t n,
                 char out[static DIGEST_TEXT])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];

    digest_mac(key, key_len, data, n, bytes);
    to_hex(bytes, out);
}

bool digest_equal(const char *a, const char *b)
{
    size_t n = strlen(a);

    return n == strlen(b) && memeql_sec(a, b, n);
}
