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

const struct profile *profile_lesser(const struct profile *profile, size_t step)
{
    static const struct profile steps[] = {
        { "1", 300, 600, 1.2, 85, false }, { "2", 225, 600, 1.2, 80, false },
        { "3", 200, 400, 1.2, 75, false }, { "4", 150, 300, 1.2, 70, false },
        { "5", 150, 300, 1.2, 60, false }, { "6", 120, 300, 1.2, 55, false },
        { "7", 96, 200, 1.2, 50, false },  { "8", 96, 200, 1.2, 40, false },
        { "9", 72, 150, 1.2, 40, false },  { "10", 72, 150, 1.2, 30, false },
    };
    size_t first = 0;

    while (profile->jpeg > 0 && first < COUNT(steps) &&
           (steps[first].jpeg >= profile->jpeg || steps[first].dpi > profile->dpi))
        first++;
    if (step == 0 || first + step > COUNT(steps))
        return step == 0 ? profile : NULL;
    return &steps[first + step - 1];
}
