/* Signatures against the examples of the Amazon S3 API Reference ("Signature Calculations for the
 * Authorization Header" and "Authenticating Requests: Using Query Parameters"), and how addresses
 * and credentials are read. */
#include <string.h>

#include "data/s3/credentials.h"
#include "data/s3/place.h"
#include "data/s3/sign.h"
#include "tap.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define DATE  "20130524T000000Z"

static const struct s3_credentials example = {
    .id = "AKIAIOSFODNN7EXAMPLE",
    .secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
static const struct s3_scope scope = { &example, "us-east-1", "examplebucket.s3.amazonaws.com" };

static void test_authorize(void)
{
    static const struct {
        struct s3_call call;
        const char *signature;
    } cases[] = {
        { { "GET", "/", "lifecycle=", EMPTY },
          "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543" },
        { { "GET", "/", "max-keys=2&prefix=J", EMPTY },
          "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AUTO_BUF struct buf got = BUF_EMPTY, want = BUF_EMPTY;

        s3_authorize(&scope, &cases[i].call, DATE, &got);
        buf_printf(&want,
                   "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
                   "aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=%s",
                   cases[i].signature);
        is_str(buf_text(&got), buf_text(&want), "a request is signed as the reference does: %s",
               cases[i].call.query);
    }
}

static void test_presign(void)
{
    AUTO_BUF struct buf got = BUF_EMPTY;

    s3_presign(&scope, "/test.txt", "", DATE, 86400, &got);
    is_str(buf_text(&got),
           "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2F"
           "us-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&"
           "X-Amz-SignedHeaders=host&X-Amz-Signature="
           "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
           "an address is signed as the reference does");
}

static void test_encode(void)
{
    AUTO_BUF struct buf key = BUF_EMPTY, value = BUF_EMPTY;
    char date[S3_DATE];

    s3_encode(&key, "a/b c~+\xc3\xa9", true);
    is_str(buf_text(&key), "a/b%20c~%2B%C3%A9", "a path keeps its slashes");
    s3_encode(&value, "a/b=&", false);
    is_str(buf_text(&value), "a%2Fb%3D%26", "a value does not");
    s3_date(1369353600000, date);
    is_str(date, DATE, "a time");
}

static void test_place(void)
{
    static const struct {
        const char *text, *origin, *host, *prefix, *region; /* origin NULL: refused */
    } cases[] = {
        { "s3://files", "https://files.s3.us-east-1.amazonaws.com",
          "files.s3.us-east-1.amazonaws.com", "", "us-east-1" },
        { "s3://files/a/b?region=eu-west-1", "https://files.s3.eu-west-1.amazonaws.com",
          "files.s3.eu-west-1.amazonaws.com", "a/b/", "eu-west-1" },
        { "s3://files?endpoint=http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080",
          "", "us-east-1" },
        { "s3://files/p/?endpoint=https://s3.example.com/&style=virtual&region=x-1",
          "https://files.s3.example.com", "files.s3.example.com", "p/", "x-1" },
        { "s3://ab", NULL, NULL, NULL, NULL },
        { "s3://", NULL, NULL, NULL, NULL },
        { "s3://Files", NULL, NULL, NULL, NULL },
        { "s3://files/a b", NULL, NULL, NULL, NULL },
        { "s3://files?endpoint=127.0.0.1", NULL, NULL, NULL, NULL },
        { "s3://files?endpoint=https://", NULL, NULL, NULL, NULL },
        { "s3://files?endpoint=https://h/path", NULL, NULL, NULL, NULL },
        { "s3://files?style=other", NULL, NULL, NULL, NULL },
        { "s3://files?endpoit=https://h", NULL, NULL, NULL, NULL },
        { "s3://files?region", NULL, NULL, NULL, NULL },
        { "s3://files?region=a%0d%0a", NULL, NULL, NULL, NULL },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct s3_place place;
        struct err err;
        int done = s3_place_read(cases[i].text, &place, &err);

        is_int(done, cases[i].origin ? 0 : -1, "%s is %s", cases[i].text,
               cases[i].origin ? "read" : "refused");
        if (done < 0)
            continue;
        is_str(place.origin, cases[i].origin, "where requests go");
        is_str(place.host, cases[i].host, "what they are signed for");
        is_str(place.prefix, cases[i].prefix, "what all keys begin with");
        is_str(place.region, cases[i].region, "the region");
    }
}

static void test_credentials(void)
{
    static const char file[] =
        "# mine\n[other]\naws_access_key_id=X\naws_secret_access_key=Y\n"
        "[default]\r\n aws_access_key_id = A \r\naws_secret_access_key=B/+=\n"
        "aws_session_token =\n";
    struct s3_credentials got;

    is_int(s3_credentials_parse(file, "default", &got), 0, "the section asked for is read");
    is_str(got.id, "A", "the id without blanks");
    is_str(got.secret, "B/+=", "the secret with its signs");
    is_str(got.token, "", "and no token");
    is_int(s3_credentials_parse(file, "other", &got), 0, "another section");
    is_str(got.id, "X", "has its own");
    is_int(s3_credentials_parse(file, "none", &got), -1, "a section that is not there has none");
    is_int(s3_credentials_parse("[default]\naws_access_key_id=A", "default", &got), -1,
           "an id without a secret is none");
}

int main(void)
{
    test_authorize();
    test_presign();
    test_encode();
    test_place();
    test_credentials();
    return done_testing();
}
