#include "sandbox/signer/certificate.h"

#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "sandbox/signer/seal.h"

#define DAYS         7305  /* validity: 20 years */
#define SKEW_SECONDS 86400 /* allowance for clocks that are slow */
#define SERIAL_BYTES 16

/* Sets a random, positive serial number (RFC 5280, 4.1.2.2). */
static bool set_serial(X509 *certificate)
{
    unsigned char bytes[SERIAL_BYTES];
    BIGNUM *number;
    bool done;

    if (RAND_bytes(bytes, sizeof bytes) != 1)
        return false;
    bytes[0] = (unsigned char) ((bytes[0] & 0x3f) | 0x40);
    number = BN_bin2bn(bytes, sizeof bytes, NULL);
    done = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return done;
}

static bool set_times(X509 *certificate)
{
    return X509_gmtime_adj(X509_getm_notBefore(certificate), -SKEW_SECONDS) &&
           X509_time_adj_ex(X509_getm_notAfter(certificate), DAYS, 0, NULL);
}

static bool set_names(X509 *certificate, const char *name)
{
    X509_NAME *subject = X509_get_subject_name(certificate);

    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *) name,
                                      -1, -1, 0) &&
           X509_set_issuer_name(certificate, subject);
}

static bool add_extension(X509 *certificate, int nid, const char *value)
{
    X509V3_CTX ctx;
    X509_EXTENSION *extension;
    bool done;

    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, certificate, certificate, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    done = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

X509 *certificate_make(EVP_PKEY *key, const char *name, struct err *err)
{
    X509 *certificate = X509_new();

    if (certificate && !set_names(certificate, name)) {
        X509_free(certificate);
        err_set(err, ERR_INTERNAL, "seal_name must be 1 to %d characters of UTF-8", SEAL_NAME_MAX);
        return NULL;
    }
    if (certificate && X509_set_version(certificate, X509_VERSION_3) && set_serial(certificate) &&
        set_times(certificate) && X509_set_pubkey(certificate, key) &&
        add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
        add_extension(certificate, NID_key_usage, "critical,digitalSignature,nonRepudiation") &&
        add_extension(certificate, NID_subject_key_identifier, "hash") &&
        X509_sign(certificate, key, EVP_sha256()))
        return certificate;
    X509_free(certificate);
    err_set(err, ERR_INTERNAL, "no certificate could be made");
    return NULL;
}
