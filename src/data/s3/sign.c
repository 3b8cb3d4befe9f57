#include "data/s3/sign.h"

#include <string.h>
#include <time.h>

#include "base/digest.h"

#define DAY 8 /* of a date: "20130524" */

void s3_encode(struct buf *out, const char *text, bool keep_slash)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (; *text; text++)
        if (strchr(plain, *text) || (*text == '/' && keep_slash))
            buf_putc(out, *text);
        else
            buf_printf(out, "%%%02X", (unsigned char) *text);
}

void s3_date(int64_t wall_ms, char out[static S3_DATE])
{
    time_t seconds = (time_t) (wall_ms / 1000);
    struct tm tm;

    gmtime_r(&seconds, &tm);
    strftime(out, S3_DATE, "%Y%m%dT%H%M%SZ", &tm);
}

static void put_scope(struct buf *out, const struct s3_scope *scope, const char *date)
{
    buf_printf(out, "%.*s/%s/s3/aws4_request", DAY, date, scope->region);
}

/* The signature of a canonical request. */
static void sign(const struct s3_scope *scope, const char *date, const struct buf *request,
                 char out[static DIGEST_TEXT])
{
    AUTO_BUF struct buf text = BUF_EMPTY, key = BUF_EMPTY;
    unsigned char mac[DIGEST_BYTES];
    char hash[DIGEST_TEXT];

    digest_text(request->data, request->len, hash);
    buf_printf(&text, "AWS4-HMAC-SHA256\n%s\n", date);
    put_scope(&text, scope, date);
    buf_printf(&text, "\n%s", hash);
    buf_printf(&key, "AWS4%s", scope->credentials->secret);
    digest_mac(key.data, key.len, date, DAY, mac);
    digest_mac(mac, sizeof mac, scope->region, strlen(scope->region), mac);
    digest_mac(mac, sizeof mac, "s3", 2, mac);
    digest_mac(mac, sizeof mac, "aws4_request", 12, mac);
    digest_hmac(mac, sizeof mac, text.data, text.len, out);
    explicit_bzero(mac, sizeof mac);
    if (key.data)
        explicit_bzero(key.data, key.len);
}

void s3_authorize(const struct s3_scope *scope, const struct s3_call *call, const char *date,
                  struct buf *out)
{
    const char *token = scope->credentials->token;
    AUTO_BUF struct buf request = BUF_EMPTY, names = BUF_EMPTY;
    char signature[DIGEST_TEXT];

    buf_printf(&request, "%s\n%s\n%s\nhost:%s\nx-amz-content-sha256:%s\nx-amz-date:%s\n",
               call->method, call->path, call->query, scope->host, call->payload, date);
    buf_puts(&names, "host;x-amz-content-sha256;x-amz-date");
    if (call->digest) {
        buf_puts(&names, ";" S3_DIGEST);
        buf_printf(&request, S3_DIGEST ":%s\n", call->digest);
    }
    if (*token) {
        buf_puts(&names, ";x-amz-security-token");
        buf_printf(&request, "x-amz-security-token:%s\n", token);
    }
    buf_printf(&request, "\n%s\n%s", buf_text(&names), call->payload);
    sign(scope, date, &request, signature);
    buf_printf(out, "AWS4-HMAC-SHA256 Credential=%s/", scope->credentials->id);
    put_scope(out, scope, date);
    buf_printf(out, ",SignedHeaders=%s,Signature=%s", buf_text(&names), signature);
}

void s3_presign(const struct s3_scope *scope, const char *path, const char *more, const char *date,
                int64_t seconds, struct buf *out)
{
    AUTO_BUF struct buf request = BUF_EMPTY, credential = BUF_EMPTY, query = BUF_EMPTY;
    char signature[DIGEST_TEXT];

    buf_printf(&credential, "%s/", scope->credentials->id);
    put_scope(&credential, scope, date);
    buf_puts(&query, "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=");
    s3_encode(&query, buf_text(&credential), false);
    buf_printf(&query, "&X-Amz-Date=%s&X-Amz-Expires=%lld", date, (long long) seconds);
    if (*scope->credentials->token) {
        buf_puts(&query, "&X-Amz-Security-Token=");
        s3_encode(&query, scope->credentials->token, false);
    }
    buf_printf(&query, "&X-Amz-SignedHeaders=host%s%s", *more ? "&" : "", more);
    buf_printf(&request, "GET\n%s\n%s\nhost:%s\n\nhost\n" S3_UNSIGNED, path, buf_text(&query),
               scope->host);
    sign(scope, date, &request, signature);
    buf_printf(out, "%s&X-Amz-Signature=%s", buf_text(&query), signature);
}
