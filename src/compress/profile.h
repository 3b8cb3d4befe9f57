/* profile: what a quality means: how far images are reduced and how well they are kept. */
#pragma once

#include <stdbool.h>

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
