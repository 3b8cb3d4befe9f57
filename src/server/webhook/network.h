/*
 * network: which hosts a callback may reach. A client who submits a job must not be able to make
 * this server send requests to its internal network: the address that a name resolves to is checked
 * when the connection is made, and only hosts of the public Internet are allowed.
 */
#pragma once

#include <stdbool.h>

#include "base/system/net.h"

/*
 * Whether the address is public, or in the operator's list. An address is not public if IANA's
 * registries of special addresses (RFC 6890) do not call it global, or if it can be translated to
 * such an address on its way: IPv4 in IPv6 in each of its forms (mapped, compatible, 6to4, Teredo,
 * NAT64). For a NAT64 or 6to4 address in the list, the IPv4 address in it is checked, too.
 */
bool network_may_reach(const struct net_list *allowed, const struct net_address *address);
