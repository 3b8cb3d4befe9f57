#include "sandbox/signer/key_file.h"

#include <limits.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <string.h>

#define CHAIN_MAX 16

static int give_password(char *out, int cap, int writing, void *arg)
{
    const char *password = arg;
    size_t n = strlen(password);

    (void) writing;
    if (n > (size_t) cap)
        return -1;
    memcpy(out, password, n);
    return (int) n;
}

/* Certificates may precede or follow the key. */
static void parse_pem(BIO *bio, const char *password, EVP_PKEY **key, STACK_OF(X509) * found)
{
    X509 *certificate;

    *key = PEM_read_bio_PrivateKey(bio, NULL, give_password, (void *) (uintptr_t) password);
    if (BIO_reset(bio) < 0)
        return;
    while (sk_X509_num(found) < CHAIN_MAX &&
           (certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL)
        if (!sk_X509_push(found, certificate))
            X509_free(certificate);
}

/* Many .p12 files use encryption that OpenSSL 3 calls legacy: RC2 and triple DES. Loading that
 * provider disables the default one. Both stay, because a key needs them as long as it lives. */
static void load_providers(void)
{
    static OSSL_PROVIDER *kept[2];

    kept[0] = OSSL_PROVIDER_load(NULL, "default");
    kept[1] = OSSL_PROVIDER_load(NULL, "legacy");
    if (!kept[0] || !kept[1])
        ERR_clear_error(); /* only files that need them cannot be read then */
}

static void parse_pkcs12(BIO *bio, const char *password, EVP_PKEY **key, STACK_OF(X509) * found)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    PKCS12 *file = d2i_PKCS12_bio(bio, NULL);
    STACK_OF(X509) *others = NULL;
    X509 *own = NULL;

    pthread_once(&once, load_providers);
    if (file && PKCS12_parse(file, password, key, &own, &others)) {
        if (own && !sk_X509_push(found, own))
            X509_free(own);
        while (sk_X509_num(others) > 0 && sk_X509_num(found) < CHAIN_MAX)
            sk_X509_push(found, sk_X509_shift(others));
    }
    sk_X509_pop_free(others, X509_free);
    PKCS12_free(file);
}

static bool is_p256(EVP_PKEY *key)
{
    char group[32] = "";
    size_t n;

    return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC &&
           EVP_PKEY_get_group_name(key, group, sizeof group, &n) &&
           strcmp(group, SN_X9_62_prime256v1) == 0;
}

static X509 *remove_certificate(STACK_OF(X509) * found, int i)
{
    return sk_X509_delete(found, i);
}

static X509 *remove_own(STACK_OF(X509) * found, const EVP_PKEY *key)
{
    for (int i = 0; i < sk_X509_num(found); i++)
        if (EVP_PKEY_eq(X509_get0_pubkey(sk_X509_value(found, i)), key) == 1)
            return remove_certificate(found, i);
    return NULL;
}

static X509 *remove_issuer(STACK_OF(X509) * found, X509 *of)
{
    for (int i = 0; i < sk_X509_num(found); i++)
        if (X509_check_issued(sk_X509_value(found, i), of) == X509_V_OK)
            return remove_certificate(found, i);
    return NULL;
}

/* Moves each certificate out of `found`, so that the loop ends. */
static int order(STACK_OF(X509) * found, const EVP_PKEY *key, STACK_OF(X509) * chain,
                 struct err *err)
{
    X509 *next = remove_own(found, key);

    if (!next)
        return err_set(err, ERR_INTERNAL, "holds no certificate of its key");
    while (next) {
        if (!sk_X509_push(chain, next)) {
            X509_free(next);
            return err_set(err, ERR_INTERNAL, "out of memory");
        }
        next = remove_issuer(found, next);
    }
    return 0;
}

int key_file_parse(const char *text, size_t n, const char *password, EVP_PKEY **key,
                   STACK_OF(X509) * chain, struct err *err)
{
    STACK_OF(X509) *found = sk_X509_new_null();
    BIO *bio = n > INT_MAX ? NULL : BIO_new_mem_buf(text, (int) n);
    int done = -1;

    if (!found || !bio)
        err_set(err, ERR_INTERNAL, "out of memory");
    else if (memmem(text, n, "-----BEGIN ", 11))
        parse_pem(bio, password, key, found);
    else
        parse_pkcs12(bio, password, key, found);
    ERR_clear_error();
    if (found && bio) {
        if (!*key)
            err_set(err, ERR_INTERNAL, "holds no key that its password opens");
        else if (!is_p256(*key))
            err_set(err, ERR_INTERNAL, "must have a key of the curve P-256");
        else
            done = order(found, *key, chain, err);
    }
    BIO_free(bio);
    sk_X509_pop_free(found, X509_free);
    return done;
}

int key_file_write(EVP_PKEY *key, X509 *certificate, struct buf *text, struct err *err)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    char *data;
    long n;

    if (!bio || !PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) ||
        !PEM_write_bio_X509(bio, certificate) || (n = BIO_get_mem_data(bio, &data)) <= 0) {
        BIO_free(bio);
        return err_set(err, ERR_INTERNAL, "the key cannot be written");
    }
    buf_put(text, data, (size_t) n);
    BIO_free(bio);
    return text->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}
