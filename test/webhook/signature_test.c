/* Signatures by the vector of Standard Webhooks, and secrets. */
#include "base/base64.h"
#include "server/webhook/signature.h"
#include "tap.h"

static void test_vector(void)
{
    /* Of the libraries' own tests: https://github.com/standard-webhooks/standard-webhooks */
    struct store_secret secrets[2] = { { .text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
                                       { .text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } };
    AUTO_BUF struct buf body = BUF_EMPTY, out = BUF_EMPTY;
    struct err err;

    buf_puts(&body, "{\"test\": 2432232314}");
    is_int(signature_put(secrets, 1, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, &body, &out, &err),
           0, "a body can be signed");
    is_str(buf_text(&out), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
           "the signature is that of the Standard Webhooks example");
    buf_drop(&out, out.len);
    signature_put(secrets, 2, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, &body, &out, &err);
    is_str(buf_text(&out),
           "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= "
           "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
           "two secrets give two signatures");
    snprintf(secrets[0].text, STORE_SECRET, "whsec_!");
    is_int(signature_put(secrets, 1, "x", 1, &body, &out, &err), -1,
           "a malformed secret is refused");
    snprintf(secrets[0].text, STORE_SECRET, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    is_int(signature_put(secrets, 1, "x", 1, &body, &out, &err), -1,
           "a secret without whsec_ is refused");
}

static void test_secret(void)
{
    char a[STORE_SECRET], b[STORE_SECRET];
    unsigned char bytes[32];
    size_t n = 0;

    signature_secret(a);
    signature_secret(b);
    ok(strncmp(a, "whsec_", 6) == 0 && strlen(a) == 50, "a new secret has the usual form");
    ok(base64_read(a + 6, 44, bytes, sizeof bytes, &n) && n == 32, "a new secret has 256 bits");
    ok(strcmp(a, b) != 0, "two new secrets differ");
}

int main(void)
{
    test_vector();
    test_secret();
    return done_testing();
}
