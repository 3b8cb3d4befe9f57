#include "base/system/net.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

bool net_read(const char *text, size_t n, struct net_address *out)
{
    char word[NET_TEXT];

    if (n == 0 || n >= sizeof word)
        return false;
    memcpy(word, text, n);
    word[n] = '\0';
    memcpy(out->bytes, mapped, sizeof mapped);
    return strlen(word) == n && (inet_pton(AF_INET, word, out->bytes + sizeof mapped) == 1 ||
                                 inet_pton(AF_INET6, word, out->bytes) == 1);
}

static bool is_port(const char *text, size_t n)
{
    int64_t port;

    return num_parse_i64(text, n, 0, 65535, &port);
}

bool net_read_node(const char *text, size_t n, struct net_address *out)
{
    const char *end = n && *text == '[' ? memchr(text, ']', n) : NULL;
    const char *colon = memchr(text, ':', n);
    size_t rest;

    if (end) {
        rest = n - (size_t) (end + 1 - text);
        return (rest == 0 || (end[1] == ':' && is_port(end + 2, rest - 1))) &&
               net_read(text + 1, (size_t) (end - text) - 1, out);
    }
    if (net_read(text, n, out))
        return true;
    return colon && is_port(colon + 1, n - (size_t) (colon + 1 - text)) &&
           net_read(text, (size_t) (colon - text), out);
}

struct net_address net_of_socket(const struct sockaddr *socket)
{
    struct net_address address = { { 0 } };

    if (socket && socket->sa_family == AF_INET) {
        memcpy(address.bytes, mapped, sizeof mapped);
        memcpy(address.bytes + sizeof mapped, &((const struct sockaddr_in *) socket)->sin_addr, 4);
    } else if (socket && socket->sa_family == AF_INET6) {
        memcpy(address.bytes, &((const struct sockaddr_in6 *) socket)->sin6_addr, 16);
    }
    return address;
}

static bool is_v4(const struct net_address *address)
{
    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

void net_format(const struct net_address *address, char out[static NET_TEXT])
{
    static const struct net_address unknown;

    if (memcmp(address, &unknown, sizeof unknown) == 0)
        snprintf(out, NET_TEXT, "unknown");
    else if (is_v4(address))
        inet_ntop(AF_INET, address->bytes + sizeof mapped, out, NET_TEXT);
    else
        inet_ntop(AF_INET6, address->bytes, out, NET_TEXT);
}

bool net_is_loopback(const struct net_address *address)
{
    static const struct net_address loopback = { { [15] = 1 } };

    return is_v4(address) ? address->bytes[12] == 127
                          : memcmp(address, &loopback, sizeof loopback) == 0;
}

static bool read_net(const char *text, size_t n, struct net *out)
{
    const char *slash = memchr(text, '/', n);
    size_t address = slash ? (size_t) (slash - text) : n;
    int64_t bits = 128;
    int before;

    if (!net_read(text, address, &out->address))
        return false;
    before = is_v4(&out->address) && !memchr(text, ':', address) ? 96 : 0;
    if (slash && !num_parse_i64(slash + 1, n - address - 1, 0, 128 - before, &bits))
        return false;
    out->bits = slash ? (int) bits + before : 128;
    return true;
}

int net_list_read(const char *text, struct net_list *list, struct err *err)
{
    *list = (struct net_list){ .n = 0 };
    if ((size_t) snprintf(list->text, sizeof list->text, "%s", text) >= sizeof list->text)
        return err_set(err, ERR_INVALID_PARAMETER, "the list of addresses is too long");
    for (;;) {
        size_t n;

        text += strspn(text, " \t,");
        n = strcspn(text, " \t,");
        if (n == 0)
            return 0;
        if (list->n == NET_LIST)
            return err_set(err, ERR_INVALID_PARAMETER, "more than %d addresses", NET_LIST);
        if (!read_net(text, n, &list->list[list->n]))
            return err_set(err, ERR_INVALID_PARAMETER,
                           "\"%.*s\" is not an address or network such as 10.0.0.0/8 or fd00::/8",
                           n < 60 ? (int) n : 60, text);
        list->n++;
        text += n;
    }
}

static bool lies_in(const struct net *net, const struct net_address *address)
{
    size_t whole = (size_t) net->bits / 8;
    unsigned rest = (unsigned) net->bits % 8;

    return memcmp(net->address.bytes, address->bytes, whole) == 0 &&
           (rest == 0 || (net->address.bytes[whole] ^ address->bytes[whole]) >> (8 - rest) == 0);
}

bool net_list_has(const struct net_list *list, const struct net_address *address)
{
    for (size_t i = 0; i < list->n; i++)
        if (lies_in(&list->list[i], address))
            return true;
    return false;
}
