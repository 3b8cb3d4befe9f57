/* net: addresses of hosts and networks, as the configuration lists them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sockaddr;

/* An IPv6 address, or an IPv4 address as ::ffff:a.b.c.d (RFC 4291, 2.5.5.2). All zero: unknown. */
struct net_address {
    uint8_t bytes[16];
};

#define NET_TEXT 46 /* room for an address as text, with its NUL */

/* Reads "192.0.2.1" or "2001:db8::1". False for anything else. */
bool net_read(const char *text, size_t n, struct net_address *out);
/* Reads an address as proxies write it in headers: also "192.0.2.1:4711", "[2001:db8::1]" and
 * "[2001:db8::1]:4711" (RFC 7239, section 6). False for anything else. */
bool net_read_node(const char *text, size_t n, struct net_address *out);
/* The address of a socket; unknown if it is neither IPv4 nor IPv6. */
struct net_address net_of_socket(const struct sockaddr *socket);
/* Writes the address as people do; "unknown" if it is. */
void net_format(const struct net_address *address, char out[static NET_TEXT]);
/* Whether it is an address of the machine itself: 127.0.0.0/8 or ::1. */
bool net_is_loopback(const struct net_address *address);

struct net {
    struct net_address address;
    int bits; /* length of the prefix, of 128 bits */
};

#define NET_LIST      32  /* limit of the networks of a list */
#define NET_LIST_TEXT 512 /* room for the text of a list with its NUL */
struct net_list {
    char text[NET_LIST_TEXT]; /* as it was written */
    struct net list[NET_LIST];
    size_t n;
};

/* Reads addresses and networks ("10.0.0.0/8", "fd00::/8") with blanks or commas between them; ""
 * is the empty list. Fails with ERR_INVALID_PARAMETER. */
int net_list_read(const char *text, struct net_list *list, struct err *err);
/* Whether the address is in one of the networks of the list. */
bool net_list_has(const struct net_list *list, const struct net_address *address);
