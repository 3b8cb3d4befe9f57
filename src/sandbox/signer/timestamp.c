#include "sandbox/signer/timestamp.h"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/ts.h>
#include <string.h>

#include "base/http_client/http_client.h"
#include "declare/tool_run/service.h"

#define NONCE_BYTES 8

static bool set_imprint(TS_REQ *request, const unsigned char digest[static 32])
{
    TS_MSG_IMPRINT *imprint = TS_MSG_IMPRINT_new();
    X509_ALGOR *algorithm = X509_ALGOR_new();
    bool done = imprint && algorithm &&
                X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL) &&
                TS_MSG_IMPRINT_set_algo(imprint, algorithm) &&
                TS_MSG_IMPRINT_set_msg(imprint, (unsigned char *) (uintptr_t) digest, 32) &&
                TS_REQ_set_msg_imprint(request, imprint);

    X509_ALGOR_free(algorithm);
    TS_MSG_IMPRINT_free(imprint);
    return done;
}

static bool set_nonce(TS_REQ *request)
{
    unsigned char bytes[NONCE_BYTES];
    BIGNUM *number =
        RAND_bytes(bytes, sizeof bytes) == 1 ? BN_bin2bn(bytes, sizeof bytes, NULL) : NULL;
    ASN1_INTEGER *nonce = number ? BN_to_ASN1_INTEGER(number, NULL) : NULL;
    bool done = nonce && TS_REQ_set_nonce(request, nonce);

    ASN1_INTEGER_free(nonce);
    BN_free(number);
    return done;
}

int timestamp_request(const unsigned char digest[static 32], struct buf *request, struct err *err)
{
    TS_REQ *made = TS_REQ_new();
    unsigned char *der = NULL;
    int n = -1;

    if (made && TS_REQ_set_version(made, 1) && set_imprint(made, digest) && set_nonce(made) &&
        TS_REQ_set_cert_req(made, 1))
        n = i2d_TS_REQ(made, &der);
    TS_REQ_free(made);
    if (n < 0)
        return err_set(err, ERR_INTERNAL, "no request for a time stamp could be made");
    buf_put(request, der, (size_t) n);
    OPENSSL_free(der);
    return request->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

/* Makes the store of trusted certificates. Without configured authorities, the certificates in
 * the token are trusted. */
static X509_STORE *make_store(PKCS7 *token, const char *authorities)
{
    X509_STORE *store = X509_STORE_new();
    STACK_OF(X509) *own = NULL;

    if (!store)
        return NULL;
    if (*authorities) {
        if (X509_STORE_load_file(store, authorities) == 1)
            return store;
        X509_STORE_free(store);
        return NULL;
    }
    if (token && PKCS7_type_is_signed(token) && token->d.sign)
        own = token->d.sign->cert;
    for (int i = 0; i < sk_X509_num(own); i++)
        X509_STORE_add_cert(store, sk_X509_value(own, i));
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    return store;
}

/* Fails with OpenSSL's reason, without positions in its source. */
static int refuse_timestamp(struct err *err)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());

    err_set(err, ERR_INTERNAL, "the time stamp authority's reply is refused: %s",
            reason ? reason : "it cannot be read");
    ERR_clear_error();
    return -1;
}

#if OPENSSL_VERSION_NUMBER < 0x30400000L
#define TS_VERIFY_CTX_set0_store TS_VERIFY_CTX_set_store /* the old name */
#endif

static int verify(TS_REQ *request, TS_RESP *reply, const char *authorities, struct err *err)
{
    TS_VERIFY_CTX *ctx = TS_REQ_to_TS_VERIFY_CTX(request, NULL);
    X509_STORE *store = ctx ? make_store(TS_RESP_get_token(reply), authorities) : NULL;
    int right;

    if (!store) {
        TS_VERIFY_CTX_free(ctx);
        return *authorities ? err_set(err, ERR_INTERNAL, "timestamp_ca cannot be read")
                            : err_set(err, ERR_INTERNAL, "out of memory");
    }
    TS_VERIFY_CTX_set0_store(ctx, store);
    TS_VERIFY_CTX_add_flags(ctx, TS_VFY_SIGNATURE);
    ERR_clear_error();
    right = TS_RESP_verify_response(ctx, reply);
    TS_VERIFY_CTX_free(ctx);
    return right == 1 ? 0 : refuse_timestamp(err);
}

static int put_token(TS_RESP *reply, struct buf *token, struct err *err)
{
    unsigned char *der = NULL;
    int n = i2d_PKCS7(TS_RESP_get_token(reply), &der);

    if (n < 0)
        return refuse_timestamp(err);
    buf_put(token, der, (size_t) n);
    OPENSSL_free(der);
    return token->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int timestamp_verify(const struct buf *request, const struct buf *reply, const char *authorities,
                     struct buf *token, struct err *err)
{
    const unsigned char *at = (const unsigned char *) buf_text(request);
    const unsigned char *came = (const unsigned char *) buf_text(reply);
    const unsigned char *end = came + reply->len;
    TS_REQ *asked = d2i_TS_REQ(NULL, &at, (long) request->len);
    TS_RESP *got;
    int done = -1;

    ERR_clear_error();
    got = d2i_TS_RESP(NULL, &came, (long) reply->len);
    if (!asked)
        err_set(err, ERR_INTERNAL, "out of memory");
    else if (!got || came != end)
        err_set(err, ERR_INTERNAL,
                "the time stamp authority's reply is not a response of RFC 3161");
    else if (verify(asked, got, authorities, err) == 0)
        done = put_token(got, token, err);
    ERR_clear_error();
    TS_RESP_free(got);
    TS_REQ_free(asked);
    return done;
}

int timestamp_fetch(const char *url, int64_t timeout_ms, const struct buf *request,
                    struct buf *reply, struct err *err)
{
    const struct http_client_request post = {
        .url = url,
        .headers = { "Content-Type: application/timestamp-query",
                     "Accept: application/timestamp-reply" },
        .body = request,
        .most = SERVICE_ANSWER,
        .limits = { true, timeout_ms, timeout_ms },
    };

    return http_client_ask(&post, reply, err);
}
