/* Which addresses callbacks may reach: a table of all that must be refused, and of some that must
 * not. */
#include "base/scope.h"
#include "server/webhook/network.h"
#include "tap.h"

struct row {
    const char *address, *what;
};

static const struct row refused[] = {
    { "0.0.0.0", "unspecified" },
    { "0.1.2.3", "this network" },
    { "10.0.0.1", "private" },
    { "10.255.255.255", "private, its last" },
    { "100.64.0.1", "carrier-grade NAT" },
    { "100.100.100.200", "metadata of a cloud, in carrier-grade NAT" },
    { "100.127.255.255", "carrier-grade NAT, its last" },
    { "127.0.0.1", "loopback" },
    { "127.255.255.254", "loopback, far" },
    { "168.63.129.16", "a cloud's own services on a public address" },
    { "169.254.0.1", "link-local" },
    { "169.254.169.254", "metadata of most clouds" },
    { "172.16.0.1", "private" },
    { "172.31.255.255", "private, its last" },
    { "192.0.0.1", "protocol assignments" },
    { "192.0.0.192", "metadata of a cloud, in protocol assignments" },
    { "192.0.2.1", "documentation" },
    { "192.88.99.1", "6to4 relay" },
    { "192.168.1.1", "private" },
    { "198.18.0.1", "benchmarks" },
    { "198.19.255.255", "benchmarks, its last" },
    { "198.51.100.7", "documentation" },
    { "203.0.113.7", "documentation" },
    { "224.0.0.1", "multicast" },
    { "239.255.255.250", "multicast, SSDP" },
    { "240.0.0.1", "reserved" },
    { "255.255.255.255", "broadcast" },
    { "::", "unspecified" },
    { "::1", "loopback" },
    { "::7f00:1", "IPv4-compatible loopback" },
    { "::8.8.8.8", "IPv4-compatible, though public" },
    { "::ffff:127.0.0.1", "mapped loopback" },
    { "::ffff:169.254.169.254", "mapped metadata" },
    { "::ffff:0:127.0.0.1", "translated (SIIT)" },
    { "64:ff9b::127.0.0.1", "NAT64 of loopback" },
    { "64:ff9b::8.8.8.8", "NAT64, though of a public address" },
    { "64:ff9b:1::10.0.0.1", "NAT64 of a local prefix" },
    { "100::1", "discard" },
    { "2001::1", "Teredo" },
    { "2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo, as it is seen" },
    { "2001:2::1", "benchmarks" },
    { "2001:10::1", "ORCHID" },
    { "2001:20::1", "ORCHIDv2" },
    { "2001:db8::1", "documentation" },
    { "2002:7f00:1::", "6to4 of loopback" },
    { "2002:a9fe:a9fe::", "6to4 of metadata" },
    { "2002:808:808::1", "6to4, though of a public address" },
    { "3fff::1", "documentation" },
    { "3fff:fff::1", "documentation, its last" },
    { "5f00::1", "segment routing" },
    { "fc00::1", "unique local" },
    { "fd00:ec2::254", "metadata of a cloud" },
    { "fe80::1", "link-local" },
    { "fec0::1", "site-local" },
    { "ff02::1", "multicast" },
};

static const struct row reached[] = {
    { "1.1.1.1", "public" },
    { "9.255.255.255", "the last before 10/8" },
    { "11.0.0.0", "the first after it" },
    { "100.63.255.255", "the last before 100.64/10" },
    { "100.128.0.0", "the first after it" },
    { "126.255.255.255", "the last before 127/8" },
    { "128.0.0.1", "the first after it" },
    { "168.63.129.17", "a neighbour of a cloud's services" },
    { "169.253.255.255", "the last before link-local" },
    { "169.255.0.0", "the first after it" },
    { "172.15.255.255", "the last before 172.16/12" },
    { "172.32.0.0", "the first after it" },
    { "192.0.1.1", "between two special blocks" },
    { "192.167.255.255", "the last before 192.168/16" },
    { "192.169.0.0", "the first after it" },
    { "198.17.255.255", "the last before benchmarks" },
    { "198.20.0.0", "the first after it" },
    { "223.255.255.255", "the last before multicast" },
    { "::ffff:8.8.8.8", "mapped, and public" },
    { "2001:200::1", "the first after protocol assignments" },
    { "2001:4860:4860::8888", "public" },
    { "2003::1", "the first after 6to4" },
    { "2606:4700:4700::1111", "public" },
    { "3ffe::1", "the last before documentation" },
};

static bool may_reach(const char *allowed, const char *text)
{
    struct net_address address;
    struct net_list list;
    struct err err;

    return net_list_read(allowed, &list, &err) == 0 && net_read(text, strlen(text), &address) &&
           network_may_reach(&list, &address);
}

static void test_allowed(void)
{
    ok(may_reach("10.1.2.0/24", "10.1.2.3"), "an address in callback_allow can be reached");
    ok(may_reach("10.1.2.0/24", "::ffff:10.1.2.3"),
       "an IPv4-mapped form of an address in callback_allow can be reached");
    ok(!may_reach("10.1.2.0/24", "10.1.3.3"),
       "an address outside of callback_allow cannot be reached");
    ok(may_reach("::1 fd00::/8", "fd12::1"), "each network of callback_allow counts");
    ok(may_reach("64:ff9b::/96", "64:ff9b::8.8.8.8"), "NAT64 can be allowed for public addresses");
    ok(!may_reach("64:ff9b::/96", "64:ff9b::10.0.0.1"),
       "allowed NAT64 does not allow private addresses");
    ok(!may_reach("64:ff9b::/96", "64:ff9b::169.254.169.254"),
       "allowed NAT64 does not allow the metadata address");
    ok(may_reach("64:ff9b::/96 10.0.0.0/8", "64:ff9b::10.0.0.1"),
       "allowed NAT64 allows private addresses that are allowed too");
    ok(!may_reach("2002::/16", "2002:7f00:1::"), "allowed 6to4 does not allow the loopback");
    ok(may_reach("2002::/16", "2002:808:808::1"), "allowed 6to4 allows public addresses");
}

int main(void)
{
    for (size_t i = 0; i < COUNT(refused); i++)
        ok(!may_reach("", refused[i].address), "%s is not reached: %s", refused[i].address,
           refused[i].what);
    for (size_t i = 0; i < COUNT(reached); i++)
        ok(may_reach("", reached[i].address), "%s is reached: %s", reached[i].address,
           reached[i].what);
    test_allowed();
    return done_testing();
}
