#include "server/api/signing.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/id.h"
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

static const char *check_ticket(const char *id, const char *expires, const char *signature,
                                int64_t now)
{
    struct err err;

    return signing_check_ticket(key, id, expires, signature, now, &err) == 0 ? "right"
                                                                             : err_name(err.code);
}

static void test_ticket(void)
{
    AUTO_BUF struct buf url = BUF_EMPTY, file = BUF_EMPTY;
    const char *signature;
    char id[ID_TEXT], other[ID_TEXT];

    id_new(id);
    id_new(other);
    signing_ticket_url(key, "http://h:1", id, 1000, &url);
    signature = strrchr(buf_text(&url), '=') + 1;
    is_str(check_ticket(id, "1000", signature, 999), "right",
           "a ticket is accepted one second before its expiry");
    is_str(check_ticket(id, "1000", signature, 1000), "ticket_expired",
           "a ticket is expired at its expiry");
    is_str(check_ticket(id, "1001", signature, 999), "invalid_ticket",
           "a ticket with a later expiry is refused");
    is_str(check_ticket(other, "1000", signature, 999), "invalid_ticket",
           "a ticket of another upload is refused");
    is_str(check_ticket("x", "1000", signature, 999), "invalid_ticket",
           "a ticket without an id is refused");
    is_str(check_ticket(id, NULL, signature, 999), "invalid_ticket",
           "a ticket without an expiry is refused");
    is_str(check_ticket(id, "1000", NULL, 999), "invalid_ticket",
           "a ticket without a signature is refused");
    signing_url(key, "http://h:1", id, "a.pdf", 1000, &file);
    is_str(check_ticket(id, "1000", strrchr(buf_text(&file), '=') + 1, 999), "invalid_ticket",
           "the signature of a download is not one of a ticket");
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
    test_ticket();
    return done_testing();
}
