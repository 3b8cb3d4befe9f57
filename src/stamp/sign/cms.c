#include "stamp/sign/cms.h"

#include <openssl/asn1t.h>
#include <openssl/err.h>
#include <openssl/ess.h>
#include <openssl/evp.h>
#include <openssl/pkcs7.h>
#include <stdlib.h>

#include "base/scope.h"

#define SPARE 64 /* a length may take a byte more here and there */

/* OpenSSL's CMS functions, the newer ones, always add a signing time. */
struct cms {
    PKCS7 *p7;
    PKCS7_SIGNER_INFO *signer; /* in p7 */
};

static void free_openssl(void *p)
{
    OPENSSL_free(*(void **) p);
}
#define AUTO_OPENSSL __attribute__((cleanup(free_openssl)))

static void free_ess(ESS_SIGNING_CERT_V2 **ess)
{
    ESS_SIGNING_CERT_V2_free(*ess);
}

static int failed(struct err *err, const char *what)
{
    ERR_clear_error();
    return err_set(err, ERR_INTERNAL, "a signature's container: %s", what);
}

void cms_digest(const void *data, size_t n, unsigned char out[static CMS_DIGEST])
{
    EVP_Digest(data, n, out, NULL, EVP_sha256(), NULL);
}

void cms_free(struct cms **cms)
{
    if (*cms)
        PKCS7_free((*cms)->p7);
    free(*cms);
    *cms = NULL;
}

/* Names the certificate among what is signed (RFC 5035), so that no other of the same key can take
 * its place. */
static bool add_signing_certificate(struct cms *cms, X509 *certificate)
{
    __attribute__((cleanup(free_ess))) ESS_SIGNING_CERT_V2 *ess =
        OSSL_ESS_signing_cert_v2_new_init(EVP_sha256(), certificate, NULL, 0);
    AUTO_OPENSSL unsigned char *der = NULL;
    int n = ess ? i2d_ESS_SIGNING_CERT_V2(ess, &der) : -1;
    ASN1_STRING *value = n > 0 ? ASN1_STRING_new() : NULL;

    if (value && ASN1_STRING_set(value, der, n) &&
        PKCS7_add_signed_attribute(cms->signer, NID_id_smime_aa_signingCertificateV2,
                                   V_ASN1_SEQUENCE, value))
        return true;
    ASN1_STRING_free(value);
    return false;
}

struct cms *cms_new(const struct identity *identity, const unsigned char digest[static CMS_DIGEST],
                    struct err *err)
{
    AUTO_CMS struct cms *cms = calloc(1, sizeof *cms);
    /* The public key says as much as is needed of the algorithm. */
    EVP_PKEY *key = X509_get0_pubkey(identity->certificate);

    if (!cms) {
        failed(err, "out of memory");
        return NULL;
    }
    cms->p7 = PKCS7_sign(NULL, NULL, identity->chain, NULL,
                         PKCS7_PARTIAL | PKCS7_DETACHED | PKCS7_BINARY);
    if (cms->p7)
        cms->signer = PKCS7_sign_add_signer(cms->p7, identity->certificate, key, EVP_sha256(),
                                            PKCS7_NOSMIMECAP | PKCS7_PARTIAL);
    if (!cms->signer || !PKCS7_add1_attrib_digest(cms->signer, digest, CMS_DIGEST) ||
        !add_signing_certificate(cms, identity->certificate)) {
        failed(err, "attributes");
        return NULL;
    }
    return scope_take_ptr(&cms);
}

int cms_to_sign(const struct cms *cms, unsigned char out[static CMS_DIGEST], struct err *err)
{
    AUTO_OPENSSL unsigned char *der = NULL;
    /* Not as they stand in the container but as a SET OF, sorted (RFC 5652, 5.4). */
    int n = ASN1_item_i2d((const ASN1_VALUE *) cms->signer->auth_attr, &der,
                          ASN1_ITEM_rptr(PKCS7_ATTR_SIGN));

    if (n <= 0 || !EVP_Digest(der, (size_t) n, out, NULL, EVP_sha256(), NULL))
        return failed(err, "digest");
    return 0;
}

int cms_set_signature(struct cms *cms, const void *signature, size_t n, struct err *err)
{
    if (!ASN1_STRING_set(cms->signer->enc_digest, signature, (int) n))
        return failed(err, "signature");
    return 0;
}

int cms_add_timestamp(struct cms *cms, const void *token, size_t n, struct err *err)
{
    ASN1_STRING *value = ASN1_STRING_new();

    if (value && ASN1_STRING_set(value, token, (int) n) &&
        PKCS7_add_attribute(cms->signer, NID_id_smime_aa_timeStampToken, V_ASN1_SEQUENCE, value))
        return 0;
    ASN1_STRING_free(value);
    return failed(err, "time stamp");
}

int cms_encode(const struct cms *cms, struct buf *out, struct err *err)
{
    AUTO_OPENSSL unsigned char *der = NULL;
    int n = i2d_PKCS7(cms->p7, &der);

    if (n <= 0)
        return failed(err, "encoding");
    buf_put(out, der, (size_t) n);
    return out->failed ? failed(err, "out of memory") : 0;
}

size_t cms_bytes(const struct identity *identity, struct err *err)
{
    static const unsigned char digest[CMS_DIGEST];
    AUTO_CMS struct cms *cms = cms_new(identity, digest, err);
    AUTO_BUF struct buf der = BUF_EMPTY;
    size_t n = identity_signature_bytes(identity);
    AUTO_FREE unsigned char *signature = calloc(n, 1);

    if (!cms || !signature || cms_set_signature(cms, signature, n, err) < 0 ||
        cms_encode(cms, &der, err) < 0)
        return 0;
    return der.len + SPARE;
}
