#include "base/system/net.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "tap.h"

static bool is_in(const char *list, const char *address)
{
    struct net_list nets;
    struct net_address at;
    struct err err;

    return net_list_read(list, &nets, &err) == 0 && net_read(address, strlen(address), &at) &&
           net_list_has(&nets, &at);
}

static const char *node(const char *text)
{
    static char shown[NET_TEXT];
    struct net_address at;

    if (!net_read_node(text, strlen(text), &at))
        return "refused";
    net_format(&at, shown);
    return shown;
}

static const char *why_not(const char *list)
{
    static struct err err;
    struct net_list nets;

    return net_list_read(list, &nets, &err) < 0 ? err.msg : "taken";
}

int main(void)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
    struct net_address at = net_of_socket((const struct sockaddr *) &v4);
    char text[NET_TEXT];

    net_format(&at, text);
    is_str(text, "127.0.0.1", "an IPv4 socket's address is written as such");
    ok(net_is_loopback(&at), "127.0.0.1 is the loopback");
    at = net_of_socket(NULL);
    net_format(&at, text);
    is_str(text, "unknown", "the address of a descriptor that is not a socket is unknown");
    ok(!net_is_loopback(&at), "an unknown address is not the loopback");
    ok(is_in("10.0.0.0/8", "10.255.0.1") && !is_in("10.0.0.0/8", "11.0.0.1"), "a network of IPv4");
    ok(is_in("192.0.2.128/25", "192.0.2.129") && !is_in("192.0.2.128/25", "192.0.2.127"),
       "one that ends within a byte");
    ok(is_in("fd00::/8, ::1", "fdab::1") && is_in("fd00::/8, ::1", "::1") &&
           !is_in("fd00::/8, ::1", "fe80::1"),
       "networks of IPv6, with commas");
    ok(is_in("127.0.0.0/8", "::ffff:127.0.0.1"), "IPv4 within IPv6 is the same address");
    ok(is_in("0.0.0.0/0", "8.8.8.8") && !is_in("0.0.0.0/0", "2001:db8::1"), "all of IPv4");
    ok(is_in("::/0", "8.8.8.8"), "everybody");
    ok(!is_in("", "127.0.0.1"), "nobody");
    is_str(why_not("10.0.0.0/33"),
           "\"10.0.0.0/33\" is not an address or network such as 10.0.0.0/8 or fd00::/8",
           "a network with more bits than an address is refused");
    is_str(why_not("localhost"),
           "\"localhost\" is not an address or network such as 10.0.0.0/8 or fd00::/8",
           "a host name is not a network");
    is_str(why_not("10.0.0.0/8 ::1"), "taken", "networks are separated by blanks");
    is_str(node("192.0.2.1:4711"), "192.0.2.1", "the port of an IPv4 address is removed");
    is_str(node("[2001:db8::1]:80"), "2001:db8::1", "the port of an IPv6 address is removed");
    is_str(node("[2001:db8::1]"), "2001:db8::1", "an IPv6 address in brackets is accepted");
    is_str(node("2001:db8::1"), "2001:db8::1", "an IPv6 address without brackets is accepted");
    is_str(node("[2001:db8::1]x"), "refused", "text after the closing bracket is refused");
    is_str(node("_hidden"), "refused", "an obfuscated identifier is not an address");
    is_str(node("unknown"), "refused", "the word unknown is not an address");
    is_str(node(""), "refused", "an empty text is not an address");
    return done_testing();
}
