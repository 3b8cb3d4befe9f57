/*
 * network: which hosts a callback may reach. Whoever may submit a job must not be able to make this
 * server speak to the network it stands in: the address a name stood for when the connection is
 * made is judged, and only one that is a host of the public Internet will do.
 */
#pragma once

#include <stdbool.h>

#include "base/net.h"

/*
 * Whether the address is public, or the operator's list has it. Not public is all that IANA's
 * registries of special addresses (RFC 6890) do not call global, and what can be turned into such
 * an address on its way: IPv4 in IPv6 in each of its forms (mapped, compatible, 6to4, Teredo,
 * NAT64). Of a NAT64 or 6to4 address that is on the list, the IPv4 address in it is judged too.
 */
bool network_may_reach(const struct net_list *allowed, const struct net_address *address);
