#include "stamp/sign/identity.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

#include "base/scope.h"

#define RSA_WEAK 2048
#define RSA_MAX  16384
#define DIGEST   32

static void free_p12(PKCS12 **p12)
{
    PKCS12_free(*p12);
}

static void free_certificates(STACK_OF(X509) * *certificates)
{
    sk_X509_pop_free(*certificates, X509_free);
}

static void free_context(EVP_PKEY_CTX **context)
{
    EVP_PKEY_CTX_free(*context);
}

void identity_free(struct identity *identity)
{
    X509_free(identity->certificate);
    sk_X509_pop_free(identity->chain, X509_free);
    EVP_PKEY_free(identity->key);
    *identity = (struct identity){ 0 };
}

/* Takes the issuers, in order, from a set; what does not belong to the chain is left out. */
static int keep_chain(struct identity *identity, STACK_OF(X509) * others, struct err *err)
{
    X509 *last = identity->certificate;

    identity->chain = sk_X509_new_null();
    for (int found = 1; found && sk_X509_num(identity->chain) < IDENTITY_CHAIN;) {
        found = 0;
        for (int i = 0; i < sk_X509_num(others) && !found; i++) {
            X509 *other = sk_X509_value(others, i);

            if (X509_cmp(other, last) == 0 || X509_check_issued(other, last) != X509_V_OK)
                continue;
            if (!X509_up_ref(other) || !sk_X509_push(identity->chain, other))
                return err_set(err, ERR_INTERNAL, "a certificate chain");
            last = other;
            found = X509_self_signed(last, 0) != 1;
        }
    }
    ERR_clear_error();
    return identity->chain ? 0 : err_set(err, ERR_INTERNAL, "a certificate chain");
}

static int check_key(EVP_PKEY *key, struct err *err)
{
    char curve[32] = "";

    if (EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) <= RSA_MAX)
        return 0;
    if (EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, curve, sizeof curve, NULL) &&
        (strcmp(curve, "prime256v1") == 0 || strcmp(curve, "secp384r1") == 0 ||
         strcmp(curve, "secp521r1") == 0))
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, "certificate",
                     "the certificate's key is of a kind that cannot sign PDFs here: it must be "
                     "RSA, or on the curve P-256, P-384 or P-521");
}

/* 0, 1: its encryption is one of the old ones, which OpenSSL keeps apart; -1. */
static int parse(PKCS12 *p12, const char *password, struct identity *identity,
                 STACK_OF(X509) * *others, struct err *err)
{
    ERR_clear_error();
    if (PKCS12_parse(p12, password, &identity->key, &identity->certificate, others))
        return 0;
    unsigned long why = ERR_peek_error();
    bool old = false;

    for (unsigned long e; (e = ERR_get_error());) {
        old |= ERR_GET_REASON(e) == ERR_R_UNSUPPORTED;
        if (ERR_GET_LIB(e) == ERR_LIB_PKCS12 && ERR_GET_REASON(e) == PKCS12_R_MAC_VERIFY_FAILURE)
            why = e;
    }
    if (old)
        return 1;
    if (ERR_GET_LIB(why) == ERR_LIB_PKCS12 && ERR_GET_REASON(why) == PKCS12_R_MAC_VERIFY_FAILURE)
        return password ? err_field(err, ERR_WRONG_PASSWORD, "certificatePassword",
                                    "certificatePassword does not open the certificate's file")
                        : err_field(err, ERR_PASSWORD_REQUIRED, "certificatePassword",
                                    "the certificate's file needs its certificatePassword");
    return err_field(err, ERR_INVALID_PARAMETER, "certificate",
                     "the certificate's file cannot be read: it must be PKCS #12 (.p12, .pfx)");
}

/* Files as Windows and macOS wrote them for long: RC2 and triple DES. */
static int parse_old(PKCS12 *p12, const char *password, struct identity *identity,
                     STACK_OF(X509) * *others, struct err *err)
{
    OSSL_PROVIDER *legacy = OSSL_PROVIDER_try_load(NULL, "legacy", 1);
    int parsed = 1;

    if (legacy) {
        parsed = parse(p12, password, identity, others, err);
        OSSL_PROVIDER_unload(legacy);
    }
    ERR_clear_error();
    if (parsed == 1)
        return err_field(err, ERR_INVALID_PARAMETER, "certificate",
                         "the certificate's file is encrypted in a way no longer supported: export "
                         "it again with AES (openssl pkcs12 -legacy -in old.p12 -nodes | openssl "
                         "pkcs12 -export -out new.p12)");
    return parsed;
}

int identity_open(struct identity *identity, const void *bytes, size_t n, const char *password,
                  struct err *err)
{
    const unsigned char *at = bytes;
    __attribute__((cleanup(free_p12))) PKCS12 *p12 = d2i_PKCS12(NULL, &at, (long) n);
    __attribute__((cleanup(free_certificates))) STACK_OF(X509) *others = NULL;
    int parsed;

    *identity = (struct identity){ 0 };
    if (!p12)
        return err_field(err, ERR_INVALID_PARAMETER, "certificate",
                         "the certificate's file is not PKCS #12 (.p12, .pfx)");
    parsed = parse(p12, password, identity, &others, err);
    if (parsed == 1)
        parsed = parse_old(p12, password, identity, &others, err);
    if (parsed < 0)
        return -1;
    if (!identity->key || !identity->certificate)
        return err_field(err, ERR_INVALID_PARAMETER, "certificate",
                         "the certificate's file holds no private key with its certificate");
    if (check_key(identity->key, err) < 0)
        return -1;
    return keep_chain(identity, others, err);
}

int identity_from_chain(struct identity *identity, const void *der, size_t n, struct err *err)
{
    __attribute__((cleanup(free_certificates))) STACK_OF(X509) *others = sk_X509_new_null();
    const unsigned char *at = der, *end = at + n;

    *identity = (struct identity){ 0 };
    for (int i = 0; others && at < end && i <= IDENTITY_CHAIN; i++) {
        X509 *next = d2i_X509(NULL, &at, end - at);

        if (!next)
            break;
        if (!identity->certificate)
            identity->certificate = next;
        else if (!sk_X509_push(others, next))
            X509_free(next);
    }
    if (!identity->certificate || at != end)
        return err_set(err, ERR_INTERNAL, "the seal's certificates cannot be read");
    return keep_chain(identity, others, err);
}

void identity_warn(const struct identity *identity, int64_t now_ms, struct tool_run *run)
{
    time_t now = (time_t) (now_ms / 1000);
    EVP_PKEY *key = X509_get0_pubkey(identity->certificate);

    if (X509_cmp_time(X509_get0_notAfter(identity->certificate), &now) < 0)
        tool_warn(run, "certificate_expired",
                  "the certificate has expired: others will not trust the signature");
    if (X509_cmp_time(X509_get0_notBefore(identity->certificate), &now) > 0)
        tool_warn(run, "certificate_not_valid_yet",
                  "the certificate is not valid yet: others will not trust the signature");
    if ((X509_get_extension_flags(identity->certificate) & EXFLAG_KUSAGE) &&
        !(X509_get_key_usage(identity->certificate) & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)))
        tool_warn(run, "certificate_key_usage",
                  "the certificate is not meant for signing documents: others may not trust the "
                  "signature");
    if (EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) < RSA_WEAK)
        tool_warn(run, "weak_key",
                  "the certificate's RSA key has %d bits: less than %d are no longer trusted",
                  EVP_PKEY_get_bits(key), RSA_WEAK);
}

size_t identity_signature_bytes(const struct identity *identity)
{
    return (size_t) EVP_PKEY_get_size(X509_get0_pubkey(identity->certificate));
}

/* A context set up for the key's kind. */
static EVP_PKEY_CTX *context_for(EVP_PKEY *key, int (*start)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);

    if (context && start(context) > 0 &&
        (!EVP_PKEY_is_a(key, "RSA") ||
         EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) > 0) &&
        EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) > 0)
        return context;
    EVP_PKEY_CTX_free(context);
    return NULL;
}

int identity_sign(const struct identity *identity, const unsigned char digest[static DIGEST],
                  struct buf *signature, struct err *err)
{
    __attribute__((cleanup(free_context))) EVP_PKEY_CTX *context =
        context_for(identity->key, EVP_PKEY_sign_init);
    size_t n = identity_signature_bytes(identity);
    AUTO_FREE unsigned char *bytes = malloc(n);

    if (!context || !bytes || EVP_PKEY_sign(context, bytes, &n, digest, DIGEST) <= 0) {
        ERR_clear_error();
        return err_field(err, ERR_INVALID_PARAMETER, "certificate",
                         "the certificate's key cannot sign");
    }
    buf_put(signature, bytes, n);
    return signature->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int identity_verify(const struct identity *identity, const unsigned char digest[static DIGEST],
                    const struct buf *signature, struct err *err)
{
    __attribute__((cleanup(free_context))) EVP_PKEY_CTX *context =
        context_for(X509_get0_pubkey(identity->certificate), EVP_PKEY_verify_init);

    if (context && EVP_PKEY_verify(context, (const unsigned char *) buf_text(signature),
                                   signature->len, digest, DIGEST) == 1)
        return 0;
    ERR_clear_error();
    return err_set(err, ERR_INTERNAL, "the signature is not one of the certificate's key");
}

/* No configuration file: a job's process could not read it. */
static void begin_openssl(void)
{
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

void identity_load(void)
{
    static OSSL_LIB_CTX *kept; /* keeps the library, which parse_old then finds loaded */

    begin_openssl();
    kept = OSSL_LIB_CTX_new();
    if (kept)
        OSSL_PROVIDER_load(kept, "legacy");
    ERR_clear_error();
}

void identity_warm(void)
{
    unsigned char digest[DIGEST];

    begin_openssl();
    EVP_Digest("", 0, digest, NULL, EVP_sha256(), NULL);
    ERR_clear_error();
}
