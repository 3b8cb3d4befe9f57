#include "server/webhook/network.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/scope.h"

struct block {
    uint8_t first[16];
    int bits;
};

/* Special IPv4 blocks, also for the last four bytes of a mapped address. */
static const struct block special4[] = {
    { { 0 }, 8 },                 /* this network, unspecified */
    { { 10 }, 8 },                /* private (RFC 1918) */
    { { 100, 64 }, 10 },          /* carrier-grade NAT (RFC 6598); metadata service of one cloud */
    { { 127 }, 8 },               /* loopback */
    { { 168, 63, 129, 16 }, 32 }, /* a cloud's internal services, although a public address */
    { { 169, 254 }, 16 },         /* link-local; metadata services of most clouds */
    { { 172, 16 }, 12 },          /* private */
    { { 192, 0, 0 }, 24 },        /* protocol assignments (RFC 6890) */
    { { 192, 0, 2 }, 24 },        /* documentation (RFC 5737) */
    { { 192, 88, 99 }, 24 },      /* 6to4 relays (RFC 7526) */
    { { 192, 168 }, 16 },         /* private */
    { { 198, 18 }, 15 },          /* benchmarks (RFC 2544) */
    { { 198, 51, 100 }, 24 },     /* documentation */
    { { 203, 0, 113 }, 24 },      /* documentation */
    { { 224 }, 4 },               /* multicast */
    { { 240 }, 4 },               /* reserved, broadcast */
};

/* Of IPv6, only 2000::/3 is assigned. Parts of it that are not for hosts: */
static const struct block special6[] = {
    { { 0x20, 0x01 }, 23 },             /* protocol assignments: Teredo, benchmarks, ORCHID */
    { { 0x20, 0x01, 0x0d, 0xb8 }, 32 }, /* documentation (RFC 3849) */
    { { 0x20, 0x02 }, 16 },             /* 6to4 (RFC 3056) */
    { { 0x3f, 0xff }, 20 },             /* documentation (RFC 9637) */
};

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
static const uint8_t nat64[12] = { 0x00, 0x64, 0xff, 0x9b };

static bool lies_in(const uint8_t *address, const struct block *block)
{
    size_t whole = (size_t) block->bits / 8;
    unsigned rest = (unsigned) block->bits % 8;

    return memcmp(address, block->first, whole) == 0 &&
           (rest == 0 || (address[whole] ^ block->first[whole]) >> (8 - rest) == 0);
}

static bool is_public4(const uint8_t *address)
{
    for (size_t i = 0; i < COUNT(special4); i++)
        if (lies_in(address, &special4[i]))
            return false;
    return true;
}

static bool is_public6(const uint8_t *address)
{
    if (address[0] >> 5 != 1)
        return false;
    for (size_t i = 0; i < COUNT(special6); i++)
        if (lies_in(address, &special6[i]))
            return false;
    return true;
}

static struct net_address as_mapped(const uint8_t *v4)
{
    struct net_address address;

    memcpy(address.bytes, mapped, sizeof mapped);
    memcpy(address.bytes + sizeof mapped, v4, 4);
    return address;
}

bool network_may_reach(const struct net_list *allowed, const struct net_address *address)
{
    const uint8_t *bytes = address->bytes;
    struct net_address inner;

    if (memcmp(bytes, mapped, sizeof mapped) == 0)
        return is_public4(bytes + sizeof mapped) || net_list_has(allowed, address);
    if (is_public6(bytes))
        return true;
    if (!net_list_has(allowed, address))
        return false;
    if (memcmp(bytes, nat64, sizeof nat64) == 0)
        inner = as_mapped(bytes + sizeof nat64);
    else if (bytes[0] == 0x20 && bytes[1] == 0x02)
        inner = as_mapped(bytes + 2);
    else
        return true;
    return is_public4(inner.bytes + sizeof mapped) || net_list_has(allowed, &inner);
}
