#include "compress/profile.h"

#include <string.h>

#include "base/scope.h"

/* From the smallest result to the largest: what one keeps the next keeps too. */
static const struct profile profiles[] = {
    { .name = "screen", .dpi = 96, .mono_dpi = 200, .threshold = 1.2, .jpeg = 50 },
    { .name = "ebook", .dpi = 150, .mono_dpi = 300, .threshold = 1.2, .jpeg = 65 },
    { .name = "printer", .dpi = 300, .mono_dpi = 600, .threshold = 1.2, .jpeg = 80 },
    { .name = "prepress" },
    { .name = "lossless" },
};

static const struct alias {
    const char *alias, *name;
} aliases[] = {
    { "extreme", "screen" },    { "low", "screen" },    { "medium", "ebook" },
    { "recommended", "ebook" }, { "default", "ebook" }, { "high", "printer" },
};

const struct profile *profile_find(const char *name)
{
    for (size_t i = 0; i < COUNT(aliases); i++)
        if (strcmp(aliases[i].alias, name) == 0)
            name = aliases[i].name;
    for (size_t i = 0; i < COUNT(profiles); i++)
        if (strcmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}
