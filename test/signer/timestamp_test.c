/* Time stamps, judged against replies that the openssl program makes. */
#include "sandbox/signer/timestamp.h"

#include "scratch.h"
#include "tap.h"

static const unsigned char digest[32] = "thirty-two bytes of no meaning..";
static const unsigned char other[32] = "thirty-two bytes, and other ones";

/* An authority in the folder: `reply NAME` makes NAME.reply of NAME.request. */
static const char authority[] =
    "set -e; cat >config <<'E'\n"
    "[ tsa ]\ndefault_tsa = own\n[ own ]\nserial = serial\ncrypto_device = builtin\n"
    "signer_cert = tsa.crt\ncerts = root.crt\nsigner_key = tsa.key\nsigner_digest = sha256\n"
    "default_policy = 1.2.3.4.1\ndigests = sha256\ness_cert_id_alg = sha256\n"
    "[ stamping ]\nextendedKeyUsage = critical,timeStamping\n"
    "E\n"
    "for ca in root other; do openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
    "-keyout $ca.key -out $ca.crt -subj /CN=$ca -days 9; done;"
    "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout tsa.key "
    "-out tsa.csr -subj /CN=tsa;"
    "openssl x509 -req -in tsa.csr -CA root.crt -CAkey root.key -CAcreateserial -days 9 "
    "-out tsa.crt -extfile config -extensions stamping";

/* Asks for this digest, has the authority reply. */
static void stamp(const unsigned char asked[static 32], struct buf *request, struct buf *reply)
{
    struct err err;

    if (timestamp_request(asked, request, &err) < 0)
        abort();
    scratch_put("request", request);
    ok(scratch_run("openssl ts -reply -config config -queryfile request -out reply") == 0,
       "openssl accepts the request for a time stamp");
    scratch_read("reply", reply);
}

static const char *judge(const struct buf *request, const void *reply, size_t n, const char *ca)
{
    static struct err err;
    char path[120] = "";
    AUTO_BUF struct buf came = BUF_EMPTY, token = BUF_EMPTY;

    if (ca)
        snprintf(path, sizeof path, "%s/%s", scratch_folder(), ca);
    buf_put(&came, reply, n);
    if (timestamp_verify(request, &came, path, &token, &err) < 0)
        return err.msg;
    scratch_put("token", &token);
    return "right";
}

static void test_right(const struct buf *request, const struct buf *reply)
{
    is_str(judge(request, reply->data, reply->len, NULL), "right", "a valid reply is accepted");
    scratch_run("openssl ts -verify -token_in -in token -CAfile root.crt -digest "
                "74686972 -queryfile request || true;"
                "openssl ts -verify -token_in -in token -CAfile root.crt -queryfile request");
    ok(strstr(scratch_said(), "Verification: OK"), "openssl verifies the token of the reply");
    is_str(judge(request, reply->data, reply->len, "root.crt"), "right",
           "a token that chains to timestamp_ca is accepted");
    ok(strstr(judge(request, reply->data, reply->len, "other.crt"), "certificate verify error"),
       "a token that does not chain to timestamp_ca is refused");
    is_str(judge(request, reply->data, reply->len, "none.crt"), "timestamp_ca cannot be read",
           "a missing timestamp_ca is reported");
}

static void test_wrong(const struct buf *request, const struct buf *reply)
{
    static const unsigned char type[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d,
                                          0x01, 0x09, 0x10, 0x01, 0x04 };
    AUTO_BUF struct buf again = BUF_EMPTY, elsewhere = BUF_EMPTY;
    int refused = 0, taken = 0;
    size_t begin, end;
    struct err err;

    timestamp_request(digest, &again, &err);
    ok(strstr(judge(&again, reply->data, reply->len, NULL), "nonce mismatch"),
       "a reply to another request is refused");
    timestamp_request(other, &elsewhere, &err);
    ok(strstr(judge(&elsewhere, reply->data, reply->len, NULL), "refused"),
       "a reply for another digest is refused");
    for (size_t n = 0; n < reply->len; n++)
        refused += strcmp(judge(request, reply->data, n, NULL), "right") != 0;
    is_int(refused, reply->len, "a reply truncated at any length is refused");
    /* From the type of what is signed (id-ct-TSTInfo) to the digest, and the end, which is the
     * signature. What lies before and between is not signed. */
    begin = (size_t) ((char *) memmem(reply->data, reply->len, type, sizeof type) - reply->data);
    end = (size_t) ((char *) memmem(reply->data, reply->len, digest, 32) - reply->data) + 32;
    for (size_t i = 0; i < reply->len; i++) {
        AUTO_BUF struct buf bent = BUF_EMPTY;

        if (i < begin || (i >= end && i + 64 < reply->len))
            continue;
        buf_put(&bent, reply->data, reply->len);
        bent.data[i] = (char) (bent.data[i] ^ 0x41);
        taken += strcmp(judge(request, bent.data, bent.len, NULL), "right") == 0;
    }
    is_int(taken, 0, "so is one whose %zu bytes that count were changed", end - begin + 64);
    AUTO_BUF struct buf longer = BUF_EMPTY;
    buf_put(&longer, reply->data, reply->len);
    buf_putc(&longer, 0);
    is_str(judge(request, longer.data, longer.len, NULL),
           "the time stamp authority's reply is not a response of RFC 3161",
           "a reply followed by other bytes is refused");
    scratch_run("sed 's/^digests = sha256/digests = sha512/' config >picky;"
                "openssl ts -reply -config picky -queryfile request -out reply");
    buf_drop(&longer, longer.len);
    scratch_read("reply", &longer);
    ok(strstr(judge(request, longer.data, longer.len, NULL), "refused"),
       "a reply that does not grant the request is refused");
    scratch_run("openssl ts -query -digest 7468697274792d74776f206279746573206f66206e6f206d65616e69"
                "6e672e2e -sha256 -no_nonce -out bare;"
                "openssl ts -reply -config config -queryfile bare -out reply");
    buf_drop(&longer, longer.len);
    scratch_read("reply", &longer);
    ok(strstr(judge(request, longer.data, longer.len, NULL), "refused"),
       "a reply without nonce and certificates is refused");
}

int main(void)
{
    AUTO_BUF struct buf request = BUF_EMPTY, reply = BUF_EMPTY;

    scratch_open("stamp");
    if (ok(scratch_run(authority) == 0, "the test's authority is made")) {
        stamp(digest, &request, &reply);
        test_right(&request, &reply);
        test_wrong(&request, &reply);
    }
    scratch_close();
    return done_testing();
}
