#include "pdf/document/crypt.h"

#include <nettle/aes.h>
#include <nettle/arcfour.h>
#include <nettle/cbc.h>
#include <nettle/md5.h>
#include <stdio.h>
#include <string.h>

#include "base/id.h"
#include "declare/value/password.h"

/* What the crypt filter with a name does. False: nothing we know. */
static bool method_named(struct obj encrypt, const char *text, enum crypt_method *out)
{
    AUTO_OBJ struct obj filters = obj_key(encrypt, "/CF");

    *out = CRYPT_NONE;
    if (strcmp(text, "/Identity") == 0)
        return true;
    AUTO_OBJ struct obj filter = obj_key(filters, text);
    if (obj_key_is(filter, "/CFM", "/V2"))
        *out = CRYPT_RC4;
    else if (obj_key_is(filter, "/CFM", "/AESV2"))
        *out = CRYPT_AES128;
    else if (obj_key_is(filter, "/CFM", "/AESV3"))
        *out = CRYPT_AES256;
    else if (!obj_key_is(filter, "/CFM", "/None"))
        return false;
    return true;
}

/* What a crypt filter, named by `key` of the dictionary, does. False: nothing we know. */
static bool method_of(struct obj encrypt, const char *key, enum crypt_method *out)
{
    AUTO_OBJ struct obj name = obj_key(encrypt, key);
    char text[128] = "/Identity";
    size_t n = 0;
    const char *bytes = obj_is_name(name) ? obj_bytes(name, &n) : NULL;

    if (bytes && n >= sizeof text)
        return false;
    if (bytes)
        memcpy(text, bytes, n + 1);
    return method_named(encrypt, text, out);
}

/* AES-256 takes a key of 32 bytes, which only the later revisions make. */
static bool fits(const struct crypt *crypt, enum crypt_method method)
{
    return method == CRYPT_NONE || (method == CRYPT_AES256) == (crypt->key.n == FILE_KEY_MAX);
}

bool crypt_named(const struct crypt *crypt, struct obj encrypt, const char *name,
                 enum crypt_method *method)
{
    return method_named(encrypt, name, method) && fits(crypt, *method);
}

/* Reads the methods that the encryption dictionary names. */
static bool read_methods(struct crypt *crypt, struct obj encrypt)
{
    AUTO_OBJ struct obj metadata = obj_key(encrypt, "/EncryptMetadata");
    bool encrypted = true;

    if (crypt->key.version < 4)
        return true;
    if (!method_of(encrypt, "/StrF", &crypt->strings) ||
        !method_of(encrypt, "/StmF", &crypt->streams))
        return false;
    crypt->attachments = crypt->streams; /* ISO 32000-2, table 20 */
    if (obj_has(encrypt, "/EFF") && !method_of(encrypt, "/EFF", &crypt->attachments))
        return false;
    crypt->plain_metadata = obj_is_bool(metadata, &encrypted) && !encrypted;
    return fits(crypt, crypt->strings) && fits(crypt, crypt->streams) &&
           fits(crypt, crypt->attachments);
}

int crypt_start(struct crypt *crypt, struct pdf_doc *doc, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    int found;

    *crypt = (struct crypt){ .strings = CRYPT_NONE };
    found = file_key_find(encrypt, id, doc->password, &crypt->key, err);

    if (found == 1) {
        char user[PASSWORD_MAX + 1];

        /* Copied: qpdf's text lasts until the next one is asked for. */
        snprintf(user, sizeof user, "%s", qpdf_get_user_password(doc->q));
        found = file_key_find(encrypt, id, user, &crypt->key, err);
        explicit_bzero(user, sizeof user);
    }
    if (found < 0)
        return -1;
    crypt->strings = crypt->streams = crypt->attachments = CRYPT_RC4;
    if (found == 0 && read_methods(crypt, encrypt))
        return 0;
    return err_set(err, ERR_UNSUPPORTED_CONTENT,
                   "the document is encrypted in a way that cannot be added to: encrypt it again "
                   "with add-password first");
}

void crypt_end(struct crypt *crypt)
{
    explicit_bzero(crypt, sizeof *crypt);
}

/* Algorithm 1: the key of one object. */
static size_t object_key(const struct crypt *crypt, bool aes, int id, int gen,
                         unsigned char out[static MD5_DIGEST_SIZE])
{
    const unsigned char tail[] = { (unsigned char) id,
                                   (unsigned char) (id >> 8),
                                   (unsigned char) (id >> 16),
                                   (unsigned char) gen,
                                   (unsigned char) (gen >> 8),
                                   's',
                                   'A',
                                   'l',
                                   'T' };
    size_t n = crypt->key.n + 5;
    struct md5_ctx ctx;

    md5_init(&ctx);
    md5_update(&ctx, crypt->key.n, crypt->key.bytes);
    md5_update(&ctx, aes ? 9 : 5, tail);
    md5_digest(&ctx, MD5_DIGEST_SIZE, out);
    return n < MD5_DIGEST_SIZE ? n : MD5_DIGEST_SIZE;
}

/* CBC with a random initialisation vector in front and padding at the end (PKCS #7), in pieces. */
static void put_cbc(const void *ctx, nettle_cipher_func *encrypt, const unsigned char *data,
                    size_t n, struct buf *out)
{
    unsigned char iv[AES_BLOCK_SIZE], block[4096];
    size_t at = 0, piece;

    id_random(iv, sizeof iv);
    buf_put(out, iv, sizeof iv);
    do {
        piece = n - at < sizeof block ? n - at : sizeof block;
        if (piece) /* an empty text may have no address */
            memcpy(block, data + at, piece);
        at += piece;
        if (piece < sizeof block) {
            size_t pad = AES_BLOCK_SIZE - piece % AES_BLOCK_SIZE;

            memset(block + piece, (int) pad, pad);
            piece += pad;
            cbc_encrypt(ctx, encrypt, AES_BLOCK_SIZE, iv, piece, block, block);
            buf_put(out, block, piece);
            return;
        }
        cbc_encrypt(ctx, encrypt, AES_BLOCK_SIZE, iv, piece, block, block);
        buf_put(out, block, piece);
    } while (true);
}

static void put_rc4(const unsigned char *key, size_t key_len, const unsigned char *data, size_t n,
                    struct buf *out)
{
    struct arcfour_ctx ctx;
    unsigned char block[4096];

    arcfour_set_key(&ctx, key_len, key);
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < sizeof block ? n - at : sizeof block;

        arcfour_crypt(&ctx, piece, block, data + at);
        buf_put(out, block, piece);
        at += piece;
    }
}

void crypt_put(const struct crypt *crypt, enum crypt_method method, int id, int gen,
               const void *data, size_t n, struct buf *out)
{
    unsigned char key[MD5_DIGEST_SIZE];
    struct aes128_ctx aes128;
    struct aes256_ctx aes256;

    switch (method) {
    case CRYPT_NONE:
        buf_put(out, data, n);
        return;
    case CRYPT_RC4:
        put_rc4(key, object_key(crypt, false, id, gen, key), data, n, out);
        return;
    case CRYPT_AES128:
        object_key(crypt, true, id, gen, key);
        aes128_set_encrypt_key(&aes128, key);
        put_cbc(&aes128, (nettle_cipher_func *) aes128_encrypt, data, n, out);
        return;
    case CRYPT_AES256:
        aes256_set_encrypt_key(&aes256, crypt->key.bytes);
        put_cbc(&aes256, (nettle_cipher_func *) aes256_encrypt, data, n, out);
        return;
    }
}

/* CBC with the initialisation vector in front. */
static bool decrypt_cbc(const void *ctx, nettle_cipher_func *cipher, const unsigned char *data,
                        size_t n, struct buf *out)
{
    unsigned char iv[AES_BLOCK_SIZE];
    size_t len = n - n % AES_BLOCK_SIZE, pad, same = 0;
    unsigned char *plain;

    if (len < 2 * AES_BLOCK_SIZE)
        return n == 0;
    len -= AES_BLOCK_SIZE;
    memcpy(iv, data, sizeof iv);
    plain = (unsigned char *) buf_room(out, len);
    if (!plain)
        return false;
    cbc_decrypt(ctx, cipher, AES_BLOCK_SIZE, iv, len, plain, data + AES_BLOCK_SIZE);
    pad = plain[len - 1];
    while (same < pad && same < AES_BLOCK_SIZE && plain[len - 1 - same] == pad)
        same++;
    if (pad == 0 || same != pad)
        pad = 0;
    buf_added(out, len - pad);
    return pad > 0 && n % AES_BLOCK_SIZE == 0;
}

bool crypt_decrypt(const struct crypt *crypt, enum crypt_method method, int id, int gen,
                   const void *data, size_t n, struct buf *out)
{
    unsigned char key[MD5_DIGEST_SIZE];
    struct aes128_ctx aes128;
    struct aes256_ctx aes256;

    switch (method) {
    case CRYPT_NONE:
    case CRYPT_RC4:
        crypt_put(crypt, method, id, gen, data, n, out);
        return true;
    case CRYPT_AES128:
        object_key(crypt, true, id, gen, key);
        aes128_set_decrypt_key(&aes128, key);
        return decrypt_cbc(&aes128, (nettle_cipher_func *) aes128_decrypt, data, n, out);
    case CRYPT_AES256:
        aes256_set_decrypt_key(&aes256, crypt->key.bytes);
        return decrypt_cbc(&aes256, (nettle_cipher_func *) aes256_decrypt, data, n, out);
    }
    return false;
}
