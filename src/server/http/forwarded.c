#include "server/http/forwarded.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "server/multipart/header_param.h"

/* Where the last item before `end` of a comma-separated list begins. With `quotes` a quoted
 * comma does not separate; SIZE_MAX if a quote is not closed, so that the whole list is
 * unreliable. */
static size_t last_begin(const char *list, size_t end, bool quotes)
{
    bool quoted = false;
    size_t begin = 0;

    for (size_t i = 0; i < end; i++) {
        if (list[i] == '"')
            quoted = quotes && !quoted;
        else if (list[i] == '\\' && quoted && i + 1 < end)
            i++;
        else if (list[i] == ',' && !quoted)
            begin = i + 1;
    }
    return quoted ? SIZE_MAX : begin;
}

/* Removes the last item of the list before *end. False: there is none, or the list is
 * unreliable. */
static bool last_item(const char *list, size_t *end, bool quotes, const char **item, size_t *n)
{
    size_t begin = *end ? last_begin(list, *end, quotes) : SIZE_MAX;

    if (begin == SIZE_MAX)
        return false;
    *item = list + begin;
    *n = *end - begin;
    *end = begin ? begin - 1 : 0;
    while (*n && (**item == ' ' || **item == '\t')) {
        ++*item;
        --*n;
    }
    while (*n && ((*item)[*n - 1] == ' ' || (*item)[*n - 1] == '\t'))
        --*n;
    return true;
}

static void read_proto(const char *text, size_t n, struct forwarded *origin)
{
    if (n == 5 && strncasecmp(text, "https", 5) == 0)
        origin->https = true;
    else if (n == 4 && strncasecmp(text, "http", 4) == 0)
        origin->https = false;
}

static void read_host(const char *text, size_t n, struct forwarded *origin)
{
    if (n == 0 || n >= sizeof origin->host)
        return;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              (c && strchr(".-_:[]", c))))
            return;
    }
    memcpy(origin->host, text, n);
    origin->host[n] = '\0';
}

bool forwarded_x(const char *addresses, const char *proto, const char *host,
                 const struct net_list *trusted, struct forwarded *origin)
{
    size_t end = addresses ? strlen(addresses) : 0, n;
    struct net_address address;
    bool known = true;
    const char *item;

    while (known && net_list_has(trusted, &origin->client) &&
           last_item(addresses, &end, false, &item, &n)) {
        known = net_read_node(item, n, &address);
        if (known)
            origin->client = address;
    }
    end = proto ? strlen(proto) : 0;
    if (last_item(proto, &end, false, &item, &n))
        read_proto(item, n, origin);
    end = host ? strlen(host) : 0;
    if (last_item(host, &end, false, &item, &n))
        read_host(item, n, origin);
    return known;
}

/* Reads one element: for=192.0.2.43;proto=https;host="example.org". False: it has no `for`, or
 * it is malformed; of a malformed one nothing is used. */
static bool read_element(const char *text, size_t n, struct forwarded *origin)
{
    AUTO_HEADER_PARAM struct header_param param = { 0 };
    AUTO_FREE char *copy = malloc(n + 2);
    struct forwarded read = *origin;
    bool known = false;
    const char *rest = copy;
    int got;

    if (!copy)
        return false;
    copy[0] = ';'; /* header_param_next expects the separator after a value */
    memcpy(copy + 1, text, n);
    copy[n + 1] = '\0';
    while ((got = header_param_next(&rest, &param)) > 0) {
        const char *value = buf_text(&param.value);

        if (header_param_is(&param, "for"))
            known = net_read_node(value, strlen(value), &read.client);
        else if (header_param_is(&param, "proto"))
            read_proto(value, strlen(value), &read);
        else if (header_param_is(&param, "host"))
            read_host(value, strlen(value), &read);
    }
    if (got < 0)
        return false;
    if (!known)
        read.client = origin->client;
    *origin = read;
    return known;
}

bool forwarded_read(const char *elements, const struct net_list *trusted, struct forwarded *origin)
{
    size_t end = elements ? strlen(elements) : 0, n;
    const char *item;

    while (end && net_list_has(trusted, &origin->client))
        if (!last_item(elements, &end, true, &item, &n) || !read_element(item, n, origin))
            return false;
    return true;
}
