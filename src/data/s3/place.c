#include "data/s3/place.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"

#define SCHEME  "s3://"
#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"
#define KEYS    LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ._-/"

bool s3_place_is(const char *text)
{
    return strncmp(text, SCHEME, strlen(SCHEME)) == 0;
}

static int complain(struct err *err, const char *what)
{
    return err_set(err, ERR_INVALID_PARAMETER,
                   "blobs: %s; write s3://bucket/prefix?endpoint=https://host&region=name", what);
}

/* Copies n bytes that hold nothing but the allowed ones. */
static bool copy_allowed(char *out, size_t size, const char *from, size_t n, const char *allowed)
{
    if (n >= size || strspn(from, allowed) < n)
        return false;
    memcpy(out, from, n);
    out[n] = '\0';
    return true;
}

static int read_option(struct s3_place *place, const char *name, size_t n, const char *value,
                       size_t length, struct err *err)
{
    static const struct {
        const char *name, *allowed, *wrong;
    } known[] = {
        { "endpoint", KEYS ":[]", "the endpoint is not an address" },
        { "region", LETTERS "-", "the region is not a name" },
        { "ca", KEYS, "the path of ca has other characters than letters, digits and ._-/" },
        { "style", LETTERS, "the style is path or virtual" },
    };
    char *const places[] = { place->origin, place->region, place->ca, NULL };
    const size_t sizes[] = { sizeof place->origin, sizeof place->region, sizeof place->ca, 0 };

    for (size_t i = 0; i < COUNT(known); i++) {
        if (strlen(known[i].name) != n || strncmp(known[i].name, name, n) != 0)
            continue;
        if (places[i])
            return copy_allowed(places[i], sizes[i], value, length, known[i].allowed)
                       ? 0
                       : complain(err, known[i].wrong);
        place->path_style = length == 4 && strncmp(value, "path", 4) == 0;
        return place->path_style || (length == 7 && strncmp(value, "virtual", 7) == 0)
                   ? 0
                   : complain(err, known[i].wrong);
    }
    return complain(err, "there is no such option after '?'");
}

static int read_options(struct s3_place *place, const char *at, struct err *err)
{
    while (*at) {
        size_t n = strcspn(at, "&"), name = strcspn(at, "=&");

        if (name >= n)
            return complain(err, "an option lacks its value");
        if (read_option(place, at, name, at + name + 1, n - name - 1, err) < 0)
            return -1;
        at += n + (at[n] == '&');
    }
    return 0;
}

/* The address of requests and the header Host, from the endpoint. */
static int settle_host(struct s3_place *place, struct err *err)
{
    char endpoint[sizeof place->origin];
    const char *scheme = "https", *host = place->origin;
    size_t n;

    if (strncmp(host, "https://", 8) == 0)
        host += 8;
    else if (strncmp(host, "http://", 7) == 0)
        scheme = "http", host += 7;
    else
        return complain(err, "the endpoint must begin with https:// or http://");
    n = strcspn(host, "/");
    if (n == 0 || (host[n] == '/' && host[n + 1]))
        return complain(err, "the endpoint is a host without a path");
    snprintf(endpoint, sizeof endpoint, "%.*s", (int) n, host);
    if ((size_t) snprintf(place->host, sizeof place->host, "%s%s%s",
                          place->path_style ? "" : place->bucket, place->path_style ? "" : ".",
                          endpoint) >= sizeof place->host)
        return complain(err, "the endpoint is too long");
    snprintf(place->origin, sizeof place->origin, "%s://%s", scheme, place->host);
    return 0;
}

int s3_place_read(const char *text, struct s3_place *place, struct err *err)
{
    const char *bucket, *options = strchr(text, '?'), *end, *prefix;
    size_t n;

    *place = (struct s3_place){ 0 };
    if (strncmp(text, SCHEME, strlen(SCHEME)) != 0)
        return complain(err, "the address begins with " SCHEME);
    bucket = text + strlen(SCHEME);
    end = options ? options : text + strlen(text);
    n = strcspn(bucket, "/?");
    if (!copy_allowed(place->bucket, sizeof place->bucket, bucket, n, LETTERS ".-") || n < 3)
        return complain(err, "the bucket is 3 to 63 small letters, digits, dots and hyphens");
    prefix = bucket + n + (bucket[n] == '/');
    n = (size_t) (end - prefix);
    if (!copy_allowed(place->prefix, sizeof place->prefix - 1, prefix, n, KEYS))
        return complain(err, "the prefix has other characters than letters, digits and ._-/");
    if (n && place->prefix[n - 1] != '/')
        place->prefix[n] = '/'; /* there is room: one less was allowed, and all was zero */
    place->path_style = options && strstr(options, "endpoint=");
    if (options && read_options(place, options + 1, err) < 0)
        return -1;
    if (!*place->region)
        snprintf(place->region, sizeof place->region, "us-east-1");
    if (!*place->origin)
        snprintf(place->origin, sizeof place->origin, "https://s3.%s.amazonaws.com", place->region);
    return settle_host(place, err);
}
