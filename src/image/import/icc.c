#include "image/import/icc.h"

#include <string.h>

#include "base/octets.h"
#include "base/scope.h"

#define HEADER  128
#define TAG     12
#define VERSION 4 /* the highest version that PDF readers support (ISO 32000-2, 8.6.5.5) */

static const char *space_of(unsigned components)
{
    switch (components) {
    case 1:
        return "GRAY";
    case 3:
        return "RGB ";
    case 4:
        return "CMYK";
    default:
        return "";
    }
}

/* Whether every tag is within the profile. */
static bool tags_are_inside(const uint8_t *profile, size_t n)
{
    uint32_t count = octets_be32(profile + HEADER);

    if (count == 0 || count > (n - HEADER - 4) / TAG)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *tag = profile + HEADER + 4 + (size_t) i * TAG;
        uint32_t offset = octets_be32(tag + 4), bytes = octets_be32(tag + 8);

        if (bytes > n || offset > n - bytes)
            return false;
    }
    return true;
}

bool icc_fits(const uint8_t *profile, size_t n, unsigned components)
{
    static const char *const classes[] = { "scnr", "mntr", "prtr", "spac" };
    bool known = false;

    if (n < HEADER + 4 || octets_be32(profile) > n || octets_be32(profile) < HEADER + 4 ||
        memcmp(profile + 36, "acsp", 4) != 0 || profile[8] > VERSION ||
        memcmp(profile + 16, space_of(components), 4) != 0)
        return false;
    for (size_t i = 0; i < COUNT(classes); i++)
        known |= memcmp(profile + 12, classes[i], 4) == 0;
    return known && tags_are_inside(profile, n);
}
