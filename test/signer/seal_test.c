/* The seal: made once, kept closely, and judged by the openssl program. */
#include "sandbox/signer/seal.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

#define NAME "Siegel \xe2\x80\x93 \xd8\xae\xd8\xaa\xd9\x85"

static struct err err;

/* Signs the digest of "text" and has openssl judge it by the chain's first certificate. */
static int signature_fits(const struct seal *seal)
{
    static const char script[] =
        "printf text >text && openssl x509 -inform der -in chain -noout -pubkey >pub &&"
        "openssl dgst -sha256 -verify pub -signature sig text";
    static const unsigned char digest[] =
        "\x98\x2d\x9e\x3e\xb9\x96\xf5\x59\xe6\x33\xf4\xd1\x94\xde\xf3\x76"
        "\x1d\x90\x9f\x5a\x3b\x64\x7d\x1a\x85\x1f\xea\xd6\x7c\x32\xc9\xd1";
    AUTO_BUF struct buf chain = BUF_EMPTY, signature = BUF_EMPTY;

    if (seal_chain(seal, &chain, &err) < 0 || seal_sign(seal, digest, &signature, &err) < 0)
        return -1;
    scratch_put("chain", &chain);
    scratch_put("sig", &signature);
    return scratch_run(script);
}

static void test_making(void)
{
    AUTO_SEAL struct seal *seal = seal_make(NAME, &err);
    const char *text;

    if (!ok(seal, "a seal can be made (%s)", err.msg))
        return;
    is_int(signature_fits(seal), 0, "openssl verifies a signature of the seal");
    scratch_run("openssl x509 -inform der -in chain -noout -text -nameopt oneline,-esc_msb,utf8");
    text = scratch_said();
    ok(strstr(text, "Subject: CN = " NAME), "the seal's certificate has the name");
    ok(strstr(text, "Issuer: CN = " NAME), "the seal's certificate is self-signed");
    ok(strstr(text, "prime256v1"), "the seal's key is on P-256");
    ok(strstr(text, "Digital Signature, Non Repudiation\n"),
       "the seal's certificate allows digital signature and non-repudiation");
    ok(strstr(text, "CA:FALSE"), "the seal's certificate is not a CA");
    is_int(scratch_run("openssl x509 -inform der -in chain -noout -checkend 600000000"), 0,
           "the seal's certificate is valid for at least 19 years");
    is_int(scratch_run("openssl x509 -inform der -in chain -noout -checkend 640000000"), 1,
           "the seal's certificate is not valid for 21 years");
    scratch_run(
        "openssl x509 -inform der -in chain -out c.pem && openssl verify -CAfile c.pem c.pem");
    is_str(scratch_said(), "c.pem: OK\n", "openssl verifies the seal's certificate");
    ok(!seal_make("", &err), "an empty name is refused");
    ok(!seal_make("12345678901234567890123456789012345678901234567890123456789012345", &err),
       "a name of 65 characters is refused");
    ok(strstr(err.msg, "seal_name"), "the error for a wrong name says seal_name");
    ok(!seal_make("\xff", &err), "a name that is not UTF-8 is refused");
}

static void test_keeping(void)
{
    AUTO_SEAL struct seal *first = seal_open(scratch_path("data"), NAME, &err);
    AUTO_SEAL struct seal *again = NULL;
    AUTO_BUF struct buf one = BUF_EMPTY, two = BUF_EMPTY;
    struct stat st;

    if (!ok(first, "an installation's seal is made when it is needed (%s)", err.msg))
        return;
    again = seal_open(scratch_path("data"), "Another name", &err);
    seal_chain(first, &one, &err);
    ok(again && seal_chain(again, &two, &err) == 0 && one.len == two.len &&
           memcmp(one.data, two.data, one.len) == 0,
       "a seal that is opened again has the same certificate");
    is_int(signature_fits(again), 0, "a seal that is opened again has the same key");
    ok(stat(scratch_path("data/seal.pem"), &st) == 0 && (st.st_mode & 07777) == 0600,
       "the seal's file has mode 0600");
    ok(stat(scratch_path("data"), &st) == 0 && (st.st_mode & 07777) == 0700,
       "the seal's folder has mode 0700");
    is_int(scratch_run("test \"$(ls -A data)\" = seal.pem"), 0,
           "the seal's folder has no other file");
    is_int(scratch_run("printf junk >data/seal.pem"), 0, "a damaged one");
    ok(!seal_open(scratch_path("data"), NAME, &err) && strstr(err.msg, "data/seal.pem"),
       "is said, and not replaced (%s)", err.msg);
    is_int(scratch_run(
               "grep -q junk data/seal.pem && rm data/seal.pem && ln -s ../c.pem data/seal.pem"),
           0, "a link");
    ok(!seal_open(scratch_path("data"), NAME, &err), "is not followed (%s)", err.msg);
    ok(!seal_open(scratch_path("none/data"), NAME, &err),
       "a folder that cannot be made is said (%s)", err.msg);
}

/* Many processes at once: one seal. */
static void test_race(void)
{
    enum { N = 16 };
    int ready[2], status, failed = 0;

    if (pipe(ready) < 0)
        abort();
    for (int i = 0; i < N; i++) {
        if (fork() == 0) {
            char name[20], byte;
            AUTO_BUF struct buf chain = BUF_EMPTY;
            struct seal *seal;

            close(ready[1]);
            if (read(ready[0], &byte, 1) != 0)
                _exit(1);
            seal = seal_open(scratch_path("race"), NAME, &err);
            if (!seal || seal_chain(seal, &chain, &err) < 0)
                _exit(1);
            snprintf(name, sizeof name, "race.%d", i);
            scratch_put(name, &chain);
            _exit(0);
        }
    }
    close(ready[0]);
    close(ready[1]);
    for (int i = 0; i < N; i++)
        failed += wait(&status) < 0 || status != 0;
    is_int(failed, 0, "processes that start at once all get a seal");
    scratch_run(
        "cat race.* | openssl dgst -sha256 >/dev/null; sha256sum race.* | cut -d' ' -f1 | sort -u |"
        "wc -l");
    is_str(scratch_said(), "1\n", "processes that start at once get the same seal");
}

static const char *opened(const char *name, const char *password)
{
    static char text[400];
    AUTO_SEAL struct seal *seal = seal_open_file(scratch_path(name), password, &err);

    if (!seal)
        return err.msg;
    snprintf(text, sizeof text, "%s", signature_fits(seal) == 0 ? "fits" : "does not fit");
    return text;
}

static void test_operators(void)
{
    static const char make[] =
        "set -e; new() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:$1 -nodes "
        "-keyout $2.key -out $2.crt -subj /CN=$2 -days 30 $3; };"
        "new P-256 root; new P-384 wrong; new P-256 other;"
        "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key "
        "-out leaf.csr -subj /CN=leaf;"
        "openssl x509 -req -in leaf.csr -CA root.crt -CAkey root.key -CAcreateserial -days 30 "
        "-out leaf.crt;"
        "cat root.crt leaf.crt other.crt leaf.key >leaf.pem;"
        "cat root.crt leaf.key >strange.pem; cat leaf.crt >public.pem;"
        "cat wrong.key wrong.crt >wrong.pem;"
        "openssl pkcs12 -export -in leaf.crt -inkey leaf.key -certfile root.crt -passout pass:pw "
        "-out leaf.p12;"
        "openssl pkcs12 -export -legacy -in leaf.crt -inkey leaf.key -passout pass:pw "
        "-out legacy.p12;"
        "openssl ec -in leaf.key -aes256 -passout pass:pw -out locked.key;"
        "cat locked.key leaf.crt >locked.pem; head -c 300 leaf.p12 >cut.p12";

    if (!ok(scratch_run(make) == 0, "the test's operator keys are made"))
        return;
    is_str(opened("leaf.pem", ""), "fits", "a PEM file in any order is read");
    scratch_run("openssl x509 -inform der -in chain -outform der | cat - >one; cat one >all;"
                "openssl x509 -in root.crt -outform der >>all; cmp all chain");
    is_str(scratch_said(), "", "the chain has the signer's certificate and its issuer's");
    is_str(opened("leaf.p12", "pw"), "fits", "a PKCS #12 file is read");
    is_str(opened("legacy.p12", "pw"), "fits", "an old PKCS #12 file is read");
    is_str(opened("locked.pem", "pw"), "fits", "an encrypted PEM file is read");
    ok(strstr(opened("leaf.p12", "no"), "leaf.p12: holds no key that its password opens"),
       "a wrong password is said (%s)", err.msg);
    ok(strstr(opened("locked.pem", ""), "holds no key"),
       "an encrypted PEM file with an empty password is refused");
    ok(strstr(opened("cut.p12", "pw"), "holds no key"), "a truncated PKCS #12 file is refused");
    ok(strstr(opened("public.pem", ""), "holds no key"), "a file without a private key is refused");
    ok(strstr(opened("strange.pem", ""), "holds no certificate of its key"),
       "a key without its certificate is refused");
    ok(strstr(opened("wrong.pem", ""), "P-256"), "a key on another curve is refused");
    ok(strstr(opened("missing.pem", ""), "No such file"), "a missing file is refused");
}

int main(void)
{
    scratch_open("seal");
    test_making();
    test_keeping();
    test_race();
    test_operators();
    scratch_close();
    return done_testing();
}
