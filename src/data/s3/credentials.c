#include "data/s3/credentials.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "data/s3/metadata.h"

#define FILE_MOST ((size_t) 64 * 1024)
#define BLANKS    " \t\r"

static bool set(char *out, size_t size, const char *text, size_t n)
{
    if (n == 0 || n >= size)
        return false;
    memcpy(out, text, n);
    out[n] = '\0';
    return true;
}

/* "name = value", without the blanks around both. */
static void read_line(const char *line, size_t n, struct s3_credentials *out)
{
    static const char *const names[] = { "aws_access_key_id", "aws_secret_access_key",
                                         "aws_session_token" };
    char *const places[] = { out->id, out->secret, out->token };
    const size_t sizes[] = { sizeof out->id, sizeof out->secret, sizeof out->token };
    const char *equals = memchr(line, '=', n), *value;
    size_t name;

    if (!equals)
        return;
    name = strcspn(line, BLANKS "=");
    value = equals + 1 + strspn(equals + 1, BLANKS);
    n = value < line + n ? (size_t) (line + n - value) : 0;
    while (n && strchr(BLANKS, value[n - 1]))
        n--;
    for (size_t i = 0; i < COUNT(names); i++)
        if (strlen(names[i]) == name && strncmp(names[i], line, name) == 0)
            set(places[i], sizes[i], value, n);
}

int s3_credentials_parse(const char *text, const char *profile, struct s3_credentials *out)
{
    bool ours = false;

    *out = (struct s3_credentials){ 0 };
    while (*text) {
        const char *line = text + strspn(text, BLANKS);
        size_t n = strcspn(line, "\n");

        if (*line == '[')
            ours = strncmp(line + 1, profile, strlen(profile)) == 0 &&
                   line[1 + strlen(profile)] == ']';
        else if (ours && *line != '#')
            read_line(line, n, out);
        text = line + n + (line[n] == '\n');
    }
    return *out->id && *out->secret ? 0 : -1;
}

static bool from_environment(struct s3_credentials *out)
{
    const char *id = getenv("AWS_ACCESS_KEY_ID"), *secret = getenv("AWS_SECRET_ACCESS_KEY");
    const char *token = getenv("AWS_SESSION_TOKEN");

    *out = (struct s3_credentials){ 0 };
    if (!id || !secret || !set(out->id, sizeof out->id, id, strlen(id)) ||
        !set(out->secret, sizeof out->secret, secret, strlen(secret)))
        return false;
    return !token || !*token || set(out->token, sizeof out->token, token, strlen(token));
}

int s3_credentials_find(struct s3_credentials *out, struct err *err)
{
    const char *path = getenv("AWS_SHARED_CREDENTIALS_FILE"), *profile = getenv("AWS_PROFILE");
    const char *home = getenv("HOME");
    AUTO_BUF struct buf text = BUF_EMPTY;
    char own[4096] = "";
    struct err why;

    if (from_environment(out))
        return 0;
    if (!path && home)
        snprintf(own, sizeof own, "%s/.aws/credentials", home);
    AUTO_CLOSE int fd = open(path ? path : own, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fdio_read_all(fd, FILE_MOST, &text, err) == 0 &&
        s3_credentials_parse(buf_text(&text), profile ? profile : "default", out) == 0)
        return 0;
    if (s3_metadata_credentials(out, &why) == 0)
        return 0;
    if (why.code == ERR_UNAVAILABLE) {
        *err = why;
        return -1;
    }
    return err_set(err, ERR_INVALID_PARAMETER,
                   "there are no credentials for S3: set AWS_ACCESS_KEY_ID and "
                   "AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE, or give this machine a "
                   "role (%.120s)",
                   why.msg);
}
