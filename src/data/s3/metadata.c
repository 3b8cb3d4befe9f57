#include "data/s3/metadata.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/http_client/http_client.h"
#include "base/scope.h"
#include "base/system/log.h"

#define MACHINE       "http://169.254.169.254"
#define CONTAINER     "http://169.254.170.2"
#define ROLES         "/latest/meta-data/iam/security-credentials/"
#define CONNECT_MS    1000
#define ANSWER_MS     5000
#define ANSWER_MOST   ((size_t) 64 << 10)
#define EARLY_MS      300000 /* before their end credentials are asked for again */
#define AGAIN_MS      10000  /* after the service did not answer */
#define TOKEN_SECONDS "21600"

static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER; /* held by who asks the service */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;   /* guards what follows */
static struct s3_credentials known;
static int64_t known_until; /* Unix ms; 0: nothing is known */
static int64_t next_at;     /* monotonic ms: not asked again before */

/* One request; `header` NULL: none. 0: the answer was 200. */
static int ask(const char *method, const char *url, const char *header, struct buf *out,
               struct err *err)
{
    const struct http_client_request request = { .method = method,
                                                 .url = url,
                                                 .headers = { header },
                                                 .most = ANSWER_MOST,
                                                 .limits = { true, CONNECT_MS, ANSWER_MS } };

    if (http_client_ask(&request, out, err) == 0)
        return 0;
    err->code = ERR_UNAVAILABLE;
    return err_wrap(err, "the metadata service %.100s", url);
}

static bool copy_member(char *out, size_t size, const json_t *text)
{
    const char *value = json_string_value(text);

    return value && (size_t) snprintf(out, size, "%s", value) < size;
}

int s3_metadata_parse(const char *text, size_t n, struct s3_credentials *out, int64_t *ends_at)
{
    json_t *root = json_loadb(text, n, 0, NULL);
    const char *ends = json_string_value(json_object_get(root, "Expiration"));
    struct tm when = { 0 };
    bool good;

    *out = (struct s3_credentials){ 0 };
    good = copy_member(out->id, sizeof out->id, json_object_get(root, "AccessKeyId")) &&
           copy_member(out->secret, sizeof out->secret, json_object_get(root, "SecretAccessKey")) &&
           copy_member(out->token, sizeof out->token, json_object_get(root, "Token")) && *out->id &&
           *out->secret && ends && strptime(ends, "%Y-%m-%dT%H:%M:%S", &when);
    *ends_at = good ? (int64_t) timegm(&when) * 1000 : 0;
    json_decref(root);
    if (!good)
        *out = (struct s3_credentials){ 0 };
    return good ? 0 : -1;
}

/* The token of a container, as a header. */
static int container_header(struct buf *header, struct err *err)
{
    const char *token = getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    const char *path = getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (path) {
        AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            return err_sys(err, "read %s", path);
        if (fdio_read_all(fd, ANSWER_MOST, &text, err) < 0)
            return -1;
        token = buf_text(&text);
    }
    if (token)
        buf_printf(header, "Authorization: %.*s", (int) strcspn(token, "\r\n"), token);
    return 0;
}

static int ask_container(const char *url, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf header = BUF_EMPTY;

    if (container_header(&header, err) < 0)
        return -1;
    return ask("GET", url, header.len ? buf_text(&header) : NULL, out, err);
}

/* Version 2: a token first, then the name of the role, then its credentials. */
static int ask_machine(struct buf *out, struct err *err)
{
    const char *base = getenv("AWS_EC2_METADATA_SERVICE_ENDPOINT");
    AUTO_BUF struct buf url = BUF_EMPTY, token = BUF_EMPTY, header = BUF_EMPTY, role = BUF_EMPTY;

    base = base && *base ? base : MACHINE;
    buf_printf(&url, "%s/latest/api/token", base);
    if (ask("PUT", buf_text(&url), "X-aws-ec2-metadata-token-ttl-seconds: " TOKEN_SECONDS, &token,
            err) < 0)
        return -1;
    buf_printf(&header, "X-aws-ec2-metadata-token: %.*s", (int) strcspn(buf_text(&token), "\r\n"),
               buf_text(&token));
    buf_free(&url);
    buf_printf(&url, "%s" ROLES, base);
    if (ask("GET", buf_text(&url), buf_text(&header), &role, err) < 0)
        return -1;
    buf_printf(&url, "%.*s", (int) strcspn(buf_text(&role), "\r\n"), buf_text(&role));
    return ask("GET", buf_text(&url), buf_text(&header), out, err);
}

static int ask_service(struct buf *out, struct err *err)
{
    const char *full = getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    const char *relative = getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const char *disabled = getenv("AWS_EC2_METADATA_DISABLED");
    AUTO_BUF struct buf url = BUF_EMPTY;

    if (full && *full)
        return ask_container(full, out, err);
    if (relative && *relative) {
        buf_printf(&url, CONTAINER "%s", relative);
        return ask_container(buf_text(&url), out, err);
    }
    if (disabled && strcmp(disabled, "true") == 0)
        return err_set(err, ERR_INVALID_PARAMETER, "the metadata service is disabled");
    return ask_machine(out, err);
}

/* Asks the service, by one caller at a time. */
static int renew(struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct s3_credentials fresh;
    int64_t until = 0;
    int done = ask_service(&text, err);

    if (done == 0 && s3_metadata_parse(buf_text(&text), text.len, &fresh, &until) < 0)
        done = err_set(err, ERR_UNAVAILABLE, "the metadata service gives no credentials");
    if (text.len)
        explicit_bzero(text.data, text.len);
    pthread_mutex_lock(&lock);
    next_at = done < 0 ? clock_mono_ms() + AGAIN_MS : 0;
    if (done == 0) {
        known = fresh;
        known_until = until;
    }
    pthread_mutex_unlock(&lock);
    if (done == 0)
        log_info("s3.credentials", KV("seconds", (until - clock_wall_ms()) / 1000));
    explicit_bzero(&fresh, sizeof fresh);
    return done;
}

/* Copies what is known. Whether it is good; *old: it ends soon. */
static bool look_at_known(struct s3_credentials *out, bool *old, bool *had_some)
{
    int64_t now = clock_wall_ms();
    bool good;

    pthread_mutex_lock(&lock);
    good = known_until > now;
    *had_some = known_until > 0;
    *old = known_until - EARLY_MS <= now && clock_mono_ms() >= next_at;
    if (good)
        *out = known;
    pthread_mutex_unlock(&lock);
    return good;
}

int s3_metadata_credentials(struct s3_credentials *out, struct err *err)
{
    bool old, had_some, good = look_at_known(out, &old, &had_some);
    int done;

    if (good && (!old || pthread_mutex_trylock(&asking) != 0))
        return 0;
    if (!good)
        pthread_mutex_lock(&asking);
    /* Another caller may have been faster. */
    done = look_at_known(out, &old, &had_some) && !old ? 0 : renew(err);
    good = look_at_known(out, &old, &had_some);
    pthread_mutex_unlock(&asking);
    if (good)
        return 0;
    if (done == 0)
        err_set(err, ERR_UNAVAILABLE, "the credentials of the metadata service have ended");
    if (!had_some)
        err->code = ERR_INVALID_PARAMETER;
    return -1;
}
