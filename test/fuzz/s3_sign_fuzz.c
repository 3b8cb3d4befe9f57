/*
 * Input: an object's key, a NUL, and a file of credentials or an answer of a metadata service. What
 * is encoded has only the characters that RFC 3986 leaves as they are, and decodes to what it was;
 * the same request is signed alike twice, and another one differently.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "data/s3/credentials.h"
#include "data/s3/metadata.h"
#include "data/s3/place.h"
#include "data/s3/sign.h"
#include "fuzz.h"

static int hex(char c)
{
    return isdigit((unsigned char) c) ? c - '0' : c - 'A' + 10;
}

static void check_encoding(const char *key)
{
    AUTO_BUF struct buf encoded = BUF_EMPTY, decoded = BUF_EMPTY;

    s3_encode(&encoded, key, true);
    for (const char *at = buf_text(&encoded); *at; at++) {
        if (*at == '%' && isxdigit((unsigned char) at[1]) && isxdigit((unsigned char) at[2])) {
            buf_putc(&decoded, (char) (hex(at[1]) * 16 + hex(at[2])));
            at += 2;
        } else if (isalnum((unsigned char) *at) || strchr("-._~/", *at)) {
            buf_putc(&decoded, *at);
        } else {
            abort();
        }
    }
    if (strcmp(buf_text(&decoded), key) != 0)
        abort();
}

static void sign(const struct s3_credentials *credentials, const char *key, const char *method,
                 struct buf *out)
{
    const struct s3_scope scope = { credentials, "eu-1", "s3.example.com" };
    AUTO_BUF struct buf path = BUF_EMPTY;
    char date[S3_DATE];

    buf_putc(&path, '/');
    s3_encode(&path, key, true);
    const struct s3_call call = { method, buf_text(&path), "", S3_UNSIGNED };
    s3_date(1369353600000, date);
    s3_authorize(&scope, &call, date, out);
    buf_putc(out, ' ');
    s3_presign(&scope, buf_text(&path), "", date, 60, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *key = strndup((const char *) data, size);
    size_t n = key ? strlen(key) : size;
    AUTO_FREE char *text = strndup((const char *) data + n + (n < size), size - n - (n < size));
    AUTO_BUF struct buf one = BUF_EMPTY, same = BUF_EMPTY, other = BUF_EMPTY;
    struct s3_credentials credentials;
    struct s3_place place;
    int64_t ends_at;
    struct err err;

    if (!key || !text)
        return 0;
    s3_place_read(key, &place, &err);
    check_encoding(key);
    if (s3_metadata_parse(text, strlen(text), &credentials, &ends_at) < 0 &&
        s3_credentials_parse(text, "default", &credentials) < 0)
        credentials = (struct s3_credentials){ .id = "id", .secret = "secret" };
    sign(&credentials, key, "GET", &one);
    sign(&credentials, key, "GET", &same);
    sign(&credentials, key, "PUT", &other);
    if (strcmp(buf_text(&one), buf_text(&same)) != 0 ||
        strcmp(buf_text(&one), buf_text(&other)) == 0 || strchr(buf_text(&one), '\n'))
        abort();
    return 0;
}
