#include "compress/images/profile.h"

#include <string.h>

#include "base/scope.h"

#define BEST_JPEG 95 /* larger ones cost more than a lossless result */

/* From the smallest result to the largest: each keeps at least what the one before keeps. */
static const struct profile profiles[] = {
    { "screen", 96, 1.2, 200, 1.6, 50, 0.028 },
    { "ebook", 150, 1.2, 300, 1.2, 65, 0.025 },
    { "printer", 300, 1.2, 600, 1.2, 80, 0.025 },
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

bool profile_is_for_screens(const struct profile *profile)
{
    return profile->dpi > 0 && profile->dpi < profile_find("printer")->dpi;
}

const struct profile *profile_kept(const struct profile *profile, size_t level)
{
    size_t i = 0;

    if (level != PROFILE_GENTLER)
        return profile_find("lossless");
    while (profiles[i].jpeg > 0 && (profile->jpeg == 0 || profiles[i].jpeg <= profile->jpeg))
        i++;
    return profiles[i].jpeg > 0 ? &profiles[i] : profile_find("lossless");
}

struct profile profile_finer(const struct profile *profile, size_t step)
{
    static const struct {
        double dpi;
        int jpeg;
    } steps[PROFILE_STEPS + PROFILE_MORE] = { { 1, 0 },      { 1.25, 0 },    { 1.25, 10 },
                                              { 1.5625, 5 }, { 1.5625, 15 }, { 2.5, 15 },
                                              { 2.5, 25 } };
    struct profile finer = *profile;

    finer.dpi *= steps[step].dpi;
    finer.jpeg += steps[step].jpeg;
    if (finer.jpeg > BEST_JPEG)
        finer.jpeg = BEST_JPEG;
    return finer;
}

const struct profile *profile_lesser(size_t step)
{
    static const struct profile steps[] = {
        { .name = "lossless" },
        { "1", 300, 1.2, 600, 1.2, 95, 0 },
        { "2", 300, 1.2, 600, 1.2, 90, 0 },
        { "3", 300, 1.2, 600, 1.2, 85, 0 },
        { "4", 300, 1.2, 600, 1.2, 80, 0 },
        { "5", 250, 1.2, 600, 1.2, 80, 0 },
        { "6", 225, 1.2, 600, 1.2, 80, 0 },
        { "7", 225, 1.2, 600, 1.2, 75, 0 },
        { "8", 200, 1.2, 400, 1.2, 75, 0 },
        { "9", 175, 1.2, 400, 1.2, 70, 0 },
        { "10", 150, 1.2, 300, 1.2, 70, 0 },
        { "11", 150, 1.2, 300, 1.2, 65, 0 },
        { "12", 150, 1.2, 300, 1.2, 60, 0 },
        { "13", 132, 1.2, 300, 1.2, 55, 0 },
        { "14", 120, 1.2, 300, 1.2, 55, 0 },
        { "15", 108, 1.2, 300, 1.2, 50, 0 },
        { "16", 96, 1.2, 200, 1.2, 50, 0 },
        { "17", 96, 1.2, 200, 1.2, 45, 0 },
        { "18", 96, 1.2, 200, 1.2, 40, 0 },
        { "19", 84, 1.2, 200, 1.2, 40, 0 },
        { "20", 72, 1.2, 150, 1.2, 40, 0 },
        { "21", 72, 1.2, 150, 1.2, 30, 0 },
    };

    return step < COUNT(steps) ? &steps[step] : NULL;
}
