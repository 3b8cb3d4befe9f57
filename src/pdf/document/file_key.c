#include "pdf/document/file_key.h"

#include <nettle/aes.h>
#include <nettle/arcfour.h>
#include <nettle/cbc.h>
#include <nettle/md5.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/object/obj.h"

#define PADDED    32
#define HASH      32 /* of revisions 5 and 6 */
#define SALT      8
#define OLD_ENTRY 32 /* bytes of /O and /U up to revision 4, */
#define NEW_ENTRY 48 /* and since: hash, validation salt, key salt */
#define MAX_R6    127
#define MAX_ID    1024

static const unsigned char padding[PADDED] = {
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
};

/* Bytes of a string of the dictionary, at least `n` of them. */
static bool entry(struct obj encrypt, const char *name, unsigned char *out, size_t n)
{
    AUTO_OBJ struct obj value = obj_key(encrypt, name);
    size_t have = 0;
    const char *bytes = obj_is_string(value) ? obj_bytes(value, &have) : NULL;

    if (!bytes || have < n)
        return false;
    memcpy(out, bytes, n);
    return true;
}

static void md5(const unsigned char *data, size_t n, unsigned char *out)
{
    struct md5_ctx ctx;

    md5_init(&ctx);
    md5_update(&ctx, n, data);
    md5_digest(&ctx, MD5_DIGEST_SIZE, out);
}

struct old {
    unsigned char padded[PADDED], o[OLD_ENTRY], u[OLD_ENTRY], id[MAX_ID];
    size_t id_len;
    uint32_t permissions;
    bool plain_metadata;
    long long revision;
};

/* Algorithm 2. */
static void old_key(const struct old *old, struct file_key *key)
{
    static const unsigned char ones[4] = { 0xff, 0xff, 0xff, 0xff };
    unsigned char p[4], digest[MD5_DIGEST_SIZE];
    struct md5_ctx ctx;

    for (size_t i = 0; i < sizeof p; i++)
        p[i] = (unsigned char) (old->permissions >> 8 * i);
    md5_init(&ctx);
    md5_update(&ctx, PADDED, old->padded);
    md5_update(&ctx, sizeof old->o, old->o);
    md5_update(&ctx, sizeof p, p);
    md5_update(&ctx, old->id_len, old->id);
    if (old->revision >= 4 && old->plain_metadata)
        md5_update(&ctx, sizeof ones, ones);
    md5_digest(&ctx, sizeof digest, digest);
    for (int i = 0; old->revision >= 3 && i < 50; i++)
        md5(digest, key->n, digest);
    memcpy(key->bytes, digest, key->n);
}

/* Algorithms 4 and 5, without the filler after the 16th byte. */
static bool old_key_fits(const struct old *old, const struct file_key *key)
{
    unsigned char text[PADDED], turned[FILE_KEY_MAX];
    size_t n = old->revision == 2 ? PADDED : MD5_DIGEST_SIZE;
    struct arcfour_ctx rc4;
    struct md5_ctx ctx;

    memcpy(text, padding, PADDED);
    if (old->revision > 2) {
        md5_init(&ctx);
        md5_update(&ctx, PADDED, padding);
        md5_update(&ctx, old->id_len, old->id);
        md5_digest(&ctx, MD5_DIGEST_SIZE, text);
    }
    for (int round = 0; round < (old->revision == 2 ? 1 : 20); round++) {
        for (size_t i = 0; i < key->n; i++)
            turned[i] = (unsigned char) (key->bytes[i] ^ round);
        arcfour_set_key(&rc4, key->n, turned);
        arcfour_crypt(&rc4, n, text, text);
    }
    return memcmp(text, old->u, n) == 0;
}

static int find_old(struct obj encrypt, struct obj id, const char *password, struct file_key *key,
                    struct err *err)
{
    AUTO_OBJ struct obj first = obj_item(id, 0);
    AUTO_OBJ struct obj metadata = obj_key(encrypt, "/EncryptMetadata");
    struct old old = { .revision = key->revision };
    long long permissions = 0, bits = 0;
    size_t n = 0, len = strnlen(password, PADDED);

    const char *bytes = obj_is_string(first) ? obj_bytes(first, &n) : NULL;
    if (bytes && n <= MAX_ID)
        memcpy(old.id, bytes, n);
    old.id_len = n;
    if (n > MAX_ID || !entry(encrypt, "/O", old.o, OLD_ENTRY) ||
        !entry(encrypt, "/U", old.u, OLD_ENTRY))
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "the document's encryption is incomplete");
    obj_key_int(encrypt, "/P", &permissions);
    obj_key_int(encrypt, "/Length", &bits);
    old.permissions = (uint32_t) permissions;
    old.plain_metadata = !obj_is_null(metadata) && strcmp(obj_value_text(metadata), "false") == 0;
    memcpy(old.padded, password, len);
    memcpy(old.padded + len, padding, PADDED - len);

    /* Programs do not agree on what /Length is where it must be something else. */
    size_t lengths[] = { key->version == 1           ? 5
                         : bits >= 40 && bits <= 128 ? (size_t) bits / 8
                                                     : 16,
                         16, 5 };
    for (size_t i = 0; i < COUNT(lengths); i++) {
        key->n = lengths[i];
        old_key(&old, key);
        if (old_key_fits(&old, key))
            return 0;
    }
    return 1;
}

/* One round of algorithm 2.B: 64 times over the input, encrypted, then the hash it chooses. */
static size_t round_r6(const unsigned char *input, size_t n, unsigned char *k, unsigned char *text)
{
    struct aes128_ctx aes;
    unsigned char iv[AES_BLOCK_SIZE];
    unsigned int remainder = 0;
    size_t total = 64 * n;

    for (size_t i = 0; i < 64; i++)
        memcpy(text + i * n, input, n);
    memcpy(iv, k + AES128_KEY_SIZE, sizeof iv);
    aes128_set_encrypt_key(&aes, k);
    cbc_encrypt(&aes, (nettle_cipher_func *) aes128_encrypt, AES_BLOCK_SIZE, iv, total, text, text);
    for (size_t i = 0; i < 16; i++)
        remainder += text[i]; /* the first 16 bytes as a number modulo 3: 256 is 1 modulo 3 */
    if (remainder % 3 == 0) {
        struct sha256_ctx sha;
        sha256_init(&sha);
        sha256_update(&sha, total, text);
        sha256_digest(&sha, SHA256_DIGEST_SIZE, k);
        return SHA256_DIGEST_SIZE;
    }
    struct sha512_ctx sha;
    if (remainder % 3 == 1)
        sha384_init(&sha);
    else
        sha512_init(&sha);
    sha512_update(&sha, total, text);
    if (remainder % 3 == 1)
        sha384_digest(&sha, SHA384_DIGEST_SIZE, k);
    else
        sha512_digest(&sha, SHA512_DIGEST_SIZE, k);
    return remainder % 3 == 1 ? SHA384_DIGEST_SIZE : SHA512_DIGEST_SIZE;
}

/* Algorithm 2.B; revision 5 stops after the first hash. `user`: the 48 bytes of /U, or NULL. */
static void hash_new(const char *password, size_t n, const unsigned char *salt,
                     const unsigned char *user, bool r6, unsigned char out[static HASH])
{
    unsigned char k[SHA512_DIGEST_SIZE], input[MAX_R6 + SHA512_DIGEST_SIZE + NEW_ENTRY],
        text[64 * sizeof input];
    size_t k_len = SHA256_DIGEST_SIZE;
    struct sha256_ctx sha;

    sha256_init(&sha);
    sha256_update(&sha, n, (const uint8_t *) password);
    sha256_update(&sha, SALT, salt);
    if (user)
        sha256_update(&sha, NEW_ENTRY, user);
    sha256_digest(&sha, SHA256_DIGEST_SIZE, k);
    for (int round = 0; r6; round++) {
        size_t len = n + k_len;

        memcpy(input, password, n);
        memcpy(input + n, k, k_len);
        if (user) {
            memcpy(input + len, user, NEW_ENTRY);
            len += NEW_ENTRY;
        }
        k_len = round_r6(input, len, k, text);
        if (round >= 63 && text[64 * len - 1] <= round - 31)
            break;
    }
    memcpy(out, k, HASH);
    explicit_bzero(text, sizeof text);
}

/* Algorithm 2.A for one of the two passwords. */
static bool try_new(const char *password, const unsigned char *values, const unsigned char *user,
                    const unsigned char *wrapped, struct file_key *key)
{
    size_t n = strnlen(password, MAX_R6);
    unsigned char hash[HASH], iv[AES_BLOCK_SIZE] = { 0 };
    bool r6 = key->revision >= 6;
    struct aes256_ctx aes;

    hash_new(password, n, values + HASH, user, r6, hash);
    if (memcmp(hash, values, HASH) != 0)
        return false;
    hash_new(password, n, values + HASH + SALT, user, r6, hash);
    aes256_set_decrypt_key(&aes, hash);
    cbc_decrypt(&aes, (nettle_cipher_func *) aes256_decrypt, AES_BLOCK_SIZE, iv, FILE_KEY_MAX,
                key->bytes, wrapped);
    key->n = FILE_KEY_MAX;
    return true;
}

static int find_new(struct obj encrypt, const char *password, struct file_key *key, struct err *err)
{
    unsigned char u[NEW_ENTRY], o[NEW_ENTRY], ue[FILE_KEY_MAX], oe[FILE_KEY_MAX];

    if (!entry(encrypt, "/U", u, sizeof u) || !entry(encrypt, "/O", o, sizeof o) ||
        !entry(encrypt, "/UE", ue, sizeof ue) || !entry(encrypt, "/OE", oe, sizeof oe))
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "the document's encryption is incomplete");
    return try_new(password, u, NULL, ue, key) || try_new(password, o, u, oe, key) ? 0 : 1;
}

int file_key_find(struct obj encrypt, struct obj id, const char *password, struct file_key *key,
                  struct err *err)
{
    *key = (struct file_key){ 0 };
    obj_key_int(encrypt, "/V", &key->version);
    obj_key_int(encrypt, "/R", &key->revision);
    if (key->revision >= 2 && key->revision <= 4)
        return find_old(encrypt, id, password, key, err);
    if (key->revision == 5 || key->revision == 6)
        return find_new(encrypt, password, key, err);
    return err_set(err, ERR_UNSUPPORTED_CONTENT,
                   "the document is encrypted in a way that cannot be added to");
}
