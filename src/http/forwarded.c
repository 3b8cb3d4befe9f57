#include "http/forwarded.h"

#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "http/header_param.h"

/* The last item before `end` of a list with commas; quotes hide a comma. False: there is none. */
static bool last_item(const char *list, size_t *end, const char **item, size_t *n)
{
    bool quoted = false;
    size_t start = 0;

    if (*end == 0)
        return false;
    for (size_t i = 0; i < *end; i++) {
        if (list[i] == '"')
            quoted = !quoted;
        else if (list[i] == '\\' && quoted && i + 1 < *end)
            i++;
        else if (list[i] == ',' && !quoted)
            start = i + 1;
    }
    *item = list + start;
    *n = *end - start;
    *end = start ? start - 1 : 0;
    while (*n && (**item == ' ' || **item == '\t')) {
        ++*item;
        --*n;
    }
    while (*n && ((*item)[*n - 1] == ' ' || (*item)[*n - 1] == '\t'))
        --*n;
    return true;
}

static void take_proto(const char *text, size_t n, struct forwarded *said)
{
    if (n == 5 && strncasecmp(text, "https", 5) == 0)
        said->https = true;
    else if (n == 4 && strncasecmp(text, "http", 4) == 0)
        said->https = false;
}

static void take_host(const char *text, size_t n, struct forwarded *said)
{
    if (n == 0 || n >= sizeof said->host)
        return;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              (c && strchr(".-_:[]", c))))
            return;
    }
    memcpy(said->host, text, n);
    said->host[n] = '\0';
}

void forwarded_x(const char *addresses, const char *proto, const char *host,
                 const struct net_list *trusted, struct forwarded *said)
{
    size_t end = addresses ? strlen(addresses) : 0, n;
    struct net_address address;
    const char *item;

    while (net_list_has(trusted, &said->client) && last_item(addresses, &end, &item, &n) &&
           net_read_node(item, n, &address))
        said->client = address;
    end = proto ? strlen(proto) : 0;
    if (last_item(proto, &end, &item, &n))
        take_proto(item, n, said);
    end = host ? strlen(host) : 0;
    if (last_item(host, &end, &item, &n))
        take_host(item, n, said);
}

/* One element: for=192.0.2.43;proto=https;host="example.org". False: it does not say for whom. */
static bool take_element(const char *text, size_t n, struct forwarded *said)
{
    AUTO_HEADER_PARAM struct header_param param = { 0 };
    AUTO_FREE char *copy = malloc(n + 2);
    struct net_address address;
    bool known = false;
    const char *rest = copy;

    if (!copy)
        return false;
    copy[0] = ';'; /* the reader of parameters begins behind a value */
    memcpy(copy + 1, text, n);
    copy[n + 1] = '\0';
    while (header_param_next(&rest, &param) > 0) {
        const char *value = buf_text(&param.value);

        if (header_param_is(&param, "for") && net_read_node(value, strlen(value), &address))
            known = true;
        else if (header_param_is(&param, "proto"))
            take_proto(value, strlen(value), said);
        else if (header_param_is(&param, "host"))
            take_host(value, strlen(value), said);
    }
    if (known)
        said->client = address;
    return known;
}

void forwarded_read(const char *elements, const struct net_list *trusted, struct forwarded *said)
{
    size_t end = elements ? strlen(elements) : 0, n;
    const char *item;

    while (net_list_has(trusted, &said->client) && last_item(elements, &end, &item, &n) &&
           take_element(item, n, said))
        ;
}
