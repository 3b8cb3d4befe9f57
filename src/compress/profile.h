/* profile: what a quality means: how far images are reduced and how well they are kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct profile {
    const char *name;
    double dpi;       /* of gray and colour images; 0: never reduced */
    double mono_dpi;  /* of images of one bit */
    double threshold; /* reduced only if they have so many times as much */
    int jpeg;         /* quality, 0: nothing is lost */
    bool grayscale;
};

/* NULL if there is none of that name; aliases are known too. */
const struct profile *profile_find(const char *name);
/* What loses a bit more than `profile`, and more with every step from 1 on; NULL when there is
 * nothing left to try. For a result of a wanted size. */
const struct profile *profile_lesser(const struct profile *profile, size_t step);
