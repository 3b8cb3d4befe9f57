#include "api/signing.h"

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
    ok(signing_load(path, first, &err) == 0 && strlen(first) == SIGNING_KEY - 1, "a key is made");
    ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600, "which only its owner can read");
    ok(signing_load(path, again, &err) == 0 && strcmp(first, again) == 0, "and kept");
    ok(truncate(path, 5) == 0 && signing_load(path, again, &err) < 0, "a damaged one is refused");
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
    is_str(check("job", "a b\xc3\xa9.pdf", "1000", signature, 999), "right", "it holds");
    is_str(check("job", "a b\xc3\xa9.pdf", "1000", signature, 1000), "job_expired",
           "until it ends");
    is_str(check("job", "a b\xc3\xa9.pdf", "1001", signature, 999), "invalid_signature",
           "its end cannot be moved");
    is_str(check("other", "a b\xc3\xa9.pdf", "1000", signature, 999), "invalid_signature",
           "nor its job");
    is_str(check("job", "b.pdf", "1000", signature, 999), "invalid_signature", "nor its name");
    is_str(check("job", "a b\xc3\xa9.pdf", "1000", "", 999), "invalid_signature",
           "nothing is wrong");
    is_str(check("job", "a b\xc3\xa9.pdf", NULL, signature, 999), "invalid_signature",
           "so is no end");
    is_str(check("job", "a b\xc3\xa9.pdf", "-1", signature, 999), "invalid_signature",
           "and one before time began");
    test_key();
    return done_testing();
}
