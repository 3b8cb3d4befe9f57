/* octets: numbers in files, with the highest byte first (be) or the lowest (le). The caller checks
 * that the data is that long. */
#pragma once

#include <stdint.h>

static inline unsigned octets_be16(const void *at)
{
    const uint8_t *p = at;

    return (unsigned) p[0] << 8 | p[1];
}

static inline uint32_t octets_be32(const void *at)
{
    const uint8_t *p = at;

    return (uint32_t) octets_be16(p) << 16 | octets_be16(p + 2);
}

static inline unsigned octets_le16(const void *at)
{
    const uint8_t *p = at;

    return (unsigned) p[1] << 8 | p[0];
}

static inline uint32_t octets_le32(const void *at)
{
    const uint8_t *p = at;

    return (uint32_t) octets_le16(p + 2) << 16 | octets_le16(p);
}
