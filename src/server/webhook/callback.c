#include "server/webhook/callback.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "server/webhook/network.h"

#define HOST  254 /* RFC 1035, with a NUL */
#define LABEL 63

struct parts {
    bool secure;
    bool brackets; /* an IPv6 address in brackets */
    char host[HOST];
    int64_t port;
    const char *rest; /* path and query; may be empty, or begin with '?' */
};

static int refuse_callback(struct err *err, const char *why)
{
    return err_set(err, ERR_INVALID_PARAMETER, "%s", why);
}

static int check_characters(const char *url, struct err *err)
{
    if (strlen(url) >= CALLBACK_URL)
        return refuse_callback(err, "may have at most 2000 characters");
    for (const char *p = url; *p; p++)
        if (*p <= ' ' || *p > '~' || strchr("\"<>\\^`{|}", *p))
            return refuse_callback(err, "holds a character that must be percent-encoded");
    if (strchr(url, '#'))
        return refuse_callback(err, "must have no fragment (#)");
    return 0;
}

static int split_scheme(const char **url, bool http, struct parts *parts, struct err *err)
{
    parts->secure = strncasecmp(*url, "https://", 8) == 0;
    if (!parts->secure && strncasecmp(*url, "http://", 7) != 0)
        return refuse_callback(err, http ? "must begin with https:// or http://"
                                         : "must begin with https://");
    *url += parts->secure ? 8 : 7;
    return 0;
}

/* Splits the text between "//" and the path. */
static int split_authority(const char *text, size_t n, struct parts *parts, struct err *err)
{
    const char *colon, *port, *end = text + n;
    size_t length;

    if (memchr(text, '@', n))
        return refuse_callback(err, "must hold no user name or password");
    parts->brackets = n && *text == '[';
    if (parts->brackets) {
        colon = memchr(text, ']', n);
        if (!colon || (colon + 1 < end && colon[1] != ':'))
            return refuse_callback(err, "has no host");
        text++;
        length = (size_t) (colon - text);
        port = colon + 1 < end ? colon + 2 : NULL;
    } else {
        colon = memchr(text, ':', n);
        length = colon ? (size_t) (colon - text) : n;
        port = colon ? colon + 1 : NULL;
    }
    if (length == 0 || length >= HOST)
        return refuse_callback(err, "has no host");
    parts->port = parts->secure ? 443 : 80;
    if (port && !num_parse_i64(port, (size_t) (end - port), 1, 65535, &parts->port))
        return refuse_callback(err, "has an invalid port");
    if (parts->port != 80 && parts->port != 443 && parts->port < 1024)
        return refuse_callback(err, "must have the port 80, 443 or one from 1024 on");
    for (size_t i = 0; i < length; i++)
        parts->host[i] = (char) tolower((unsigned char) text[i]);
    parts->host[length] = '\0';
    return 0;
}

static int check_name(const char *host, struct err *err)
{
    const char *label = host;

    for (;;) {
        size_t n = strspn(label, "abcdefghijklmnopqrstuvwxyz0123456789-_");

        if (n == 0 || n > LABEL || (label[n] && label[n] != '.'))
            return refuse_callback(
                err,
                "has an invalid host name; write names with other letters than ASCII's as xn--");
        if (!label[n])
            break;
        label += n + 1;
    }
    /* Some programs would read a host that ends in a number as an IPv4 address in an unusual
     * notation: octal, hexadecimal, with one or two parts. */
    if (strspn(label, "0123456789") == strlen(label) ||
        (strncmp(label, "0x", 2) == 0 && label[2 + strspn(label + 2, "0123456789abcdef")] == '\0'))
        return refuse_callback(err, "has a host of digits that is not an IPv4 address");
    return 0;
}

/* Whether a name always means this machine (RFC 6761, section 6.3). */
static bool is_localhost(const char *host)
{
    size_t n = strlen(host);

    return strcmp(host, "localhost") == 0 || (n > 10 && strcmp(host + n - 10, ".localhost") == 0);
}

static int check_host(const struct callback_rules *rules, const struct parts *parts,
                      struct err *err)
{
    size_t n = strlen(parts->host);
    struct net_address address;
    bool literal = net_read(parts->host, n, &address);

    if (parts->brackets && (!literal || !strchr(parts->host, ':')))
        return refuse_callback(err, "has brackets without an IPv6 address");
    if (is_localhost(parts->host))
        literal = net_read("127.0.0.1", 9, &address);
    else if (!literal)
        return check_name(parts->host, err);
    if (literal && !network_may_reach(rules->allowed, &address))
        return refuse_callback(err, "must be of a host on the public Internet");
    return 0;
}

static int check_url(const struct callback_rules *rules, const char *url,
                     char out[static CALLBACK_URL], struct err *err)
{
    struct parts parts = { 0 };
    char port[8] = "";
    size_t n;

    if (check_characters(url, err) < 0 || split_scheme(&url, rules->http, &parts, err) < 0)
        return -1;
    if (!parts.secure && !rules->http)
        return refuse_callback(err, "must begin with https://: this server does not call http");
    n = strcspn(url, "/?");
    if (split_authority(url, n, &parts, err) < 0 || check_host(rules, &parts, err) < 0)
        return -1;
    parts.rest = url + n;
    if (parts.port != (parts.secure ? 443 : 80))
        snprintf(port, sizeof port, ":%d", (int) parts.port);
    n = (size_t) snprintf(out, CALLBACK_URL, "%s://%s%s%s%s%s%s", parts.secure ? "https" : "http",
                          parts.brackets ? "[" : "", parts.host, parts.brackets ? "]" : "", port,
                          *parts.rest == '/' ? "" : "/", parts.rest);
    return n < CALLBACK_URL ? 0 : refuse_callback(err, "may have at most 2000 characters");
}

int callback_check(const struct callback_rules *rules, const char *url,
                   char out[static CALLBACK_URL], struct err *err)
{
    struct err why;

    if (check_url(rules, url, out, &why) == 0)
        return 0;
    return err_field(err, rules->code, rules->field, "%s %s", rules->field, why.msg);
}
