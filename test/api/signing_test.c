#include "server/api/signing.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static const char key[SIGNING_KEY] =
    "an example key of sixty-three letters, kept in the data folder.";

static const char *check(const char *job, const char *name, const char *expires,
                         const char *signature, int64_t now)
{
    static struct err err;

    return signing_check(key, job, name, expires, signature, now, &err) < 0 ? err_name(err.code)
                                                                            : "right";
}

static void test_key(void)
{
    char folder[] = "/tmp/platen-signing-XXXXXX", path[64], first[SIGNING_KEY], again[SIGNING_KEY];
    struct stat st;
    struct err err;

    if (!mkdtemp(folder))
        return;
    snprintf(path, sizeof path, "%s/url.key", folder);
    ok(signing_load(path, first, &err) == 0 && strlen(first) == SIGNING_KEY - 1,
       "a missing key is made");
    ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600, "the key's file has mode 0600");
    ok(signing_load(path, again, &err) == 0 && strcmp(first, again) == 0,
       "the key is kept for the next start");
    ok(truncate(path, 5) == 0 && signing_load(path, again, &err) < 0, "a damaged key is refused");
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    AUTO_BUF struct buf url = BUF_EMPTY;
    char *signature;

    signing_url(key, "http://h:1", "job", "a b\xc3\xa9.pdf", 1000, &url);
    ok(strncmp(buf_text(&url),
               "http://h:1/api/v1/files/job/a%20b%C3%A9.pdf?expires=1000&signature=", 67) == 0,
       "an address is absolute and encoded (%s)", buf_text(&url));
    signature = strrchr(url.data, '=') + 1;
    is_str(check("job", "a b\xc3\xa9.pdf", "1000", signature, 999), "right",
           "a signature is accepted one second before its expiry");
    is_str(check("job", "a b\xc3\xa9.pdf", "1000", signature, 1000), "job_expired",
           "a signature is expired at its expiry");
    is_str(check("job", "a b\xc3\xa9.pdf", "1001", signature, 999), "invalid_signature",
           "a signature with a later expiry is refused");
    is_str(check("other", "a b\xc3\xa9.pdf", "1000", signature, 999), "invalid_signature",
           "a signature for another job is refused");
    is_str(check("job", "b.pdf", "1000", signature, 999), "invalid_signature",
           "a signature for another name is refused");
    is_str(check("job", "a b\xc3\xa9.pdf", "1000", "", 999), "invalid_signature",
           "an empty signature is refused");
    is_str(check("job", "a b\xc3\xa9.pdf", NULL, signature, 999), "invalid_signature",
           "a signature without an expiry is refused");
    is_str(check("job", "a b\xc3\xa9.pdf", "-1", signature, 999), "invalid_signature",
           "a signature with a negative expiry is refused");
    test_key();
    return done_testing();
}
