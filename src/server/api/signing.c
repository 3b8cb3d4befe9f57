#include "server/api/signing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/fdio.h"
#include "base/id.h"
#include "base/num.h"
#include "base/scope.h"

static int make_key(const char *path, char key[static SIGNING_KEY], struct err *err)
{
    char temporary[4096];
    AUTO_CLOSE int fd = -1;

    snprintf(temporary, sizeof temporary, "%s.new", path);
    fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_sys(err, "make the key of download addresses");
    id_secret(key, SIGNING_KEY - 1);
    if (fdio_write(fd, key, SIGNING_KEY - 1, err) < 0)
        return -1;
    if (fsync(fd) < 0 || rename(temporary, path) < 0)
        return err_sys(err, "make the key of download addresses");
    return fdio_sync_parent(path, err);
}

int signing_load(const char *path, char key[static SIGNING_KEY], struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    memset(key, 0, SIGNING_KEY);
    if (fd < 0 && errno == ENOENT)
        return make_key(path, key, err);
    if (fd < 0)
        return err_sys(err, "read the key of download addresses");
    n = fdio_read_at(fd, key, SIGNING_KEY - 1, 0, err);
    if (n < 0)
        return -1;
    if (n < SIGNING_KEY - 1)
        return err_set(err, ERR_INTERNAL, "the key of download addresses is damaged: remove it");
    return 0;
}

static void sign(const char key[static SIGNING_KEY], const char *job_id, const char *name,
                 const char *expires, char out[static DIGEST_TEXT])
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_printf(&text, "%s/%s/%s", job_id, name, expires);
    digest_hmac(key, SIGNING_KEY - 1, buf_text(&text), text.len, out);
}

void signing_encode(const char *text, struct buf *out)
{
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-._~";

    for (; *text; text++) {
        if (strchr(unreserved, *text))
            buf_putc(out, *text);
        else
            buf_printf(out, "%%%02X", (unsigned char) *text);
    }
}

void signing_url(const char key[static SIGNING_KEY], const char *base_url, const char *job_id,
                 const char *name, int64_t expires, struct buf *out)
{
    char signature[DIGEST_TEXT], until[24];

    snprintf(until, sizeof until, "%" PRId64, expires);
    sign(key, job_id, name, until, signature);
    buf_printf(out, "%s/api/v1/files/%s/", base_url, job_id);
    signing_encode(name, out);
    buf_printf(out, "?expires=%s&signature=%s", until, signature);
}

int signing_check(const char key[static SIGNING_KEY], const char *job_id, const char *name,
                  const char *expires, const char *signature, int64_t now, struct err *err)
{
    char right[DIGEST_TEXT];
    int64_t until;

    if (!expires || !signature || !num_parse_i64(expires, strlen(expires), 0, INT64_MAX, &until))
        return err_set(err, ERR_INVALID_SIGNATURE,
                       "this download address is incomplete: use downloadUrl as it was given");
    sign(key, job_id, name, expires, right);
    if (!digest_equal(right, signature))
        return err_set(err, ERR_INVALID_SIGNATURE,
                       "this download address was changed: use downloadUrl as it was given");
    if (until <= now)
        return err_set(err, ERR_JOB_EXPIRED, "this file has expired and was deleted");
    return 0;
}

/* No job has such an id. */
#define TICKETS "ticket"

void signing_ticket_url(const char key[static SIGNING_KEY], const char *base_url, const char *id,
                        int64_t expires, struct buf *out)
{
    char signature[DIGEST_TEXT], until[24];

    snprintf(until, sizeof until, "%" PRId64, expires);
    sign(key, TICKETS, id, until, signature);
    buf_printf(out, "%s/api/v1/tickets/%s?expires=%s&signature=%s", base_url, id, until, signature);
}

int signing_ticket_expired(struct err *err)
{
    return err_set(err, ERR_TICKET_EXPIRED,
                   "the time of this address is over: ask whoever gave it to you for a new one");
}

int signing_check_ticket(const char key[static SIGNING_KEY], const char *id, const char *expires,
                         const char *signature, int64_t now, struct err *err)
{
    char right[DIGEST_TEXT] = "";
    int64_t until = 0;

    if (expires && signature && id_is_valid(id))
        sign(key, TICKETS, id, expires, right);
    if (!*right || !digest_equal(right, signature) ||
        !num_parse_i64(expires, strlen(expires), 0, INT64_MAX, &until))
        return err_set(err, ERR_INVALID_TICKET,
                       "this address is incomplete or was changed: use it as it was given");
    return until <= now ? signing_ticket_expired(err) : 0;
}
