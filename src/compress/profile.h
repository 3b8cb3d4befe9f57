/* profile: what a quality means: how far images are reduced and how well they are kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct profile {
    const char *name;
    double dpi;                      /* of gray and colour images; 0: never reduced */
    double threshold;                /* reduced only if they have so many times as much */
    double mono_dpi, mono_threshold; /* the same of images of one bit */
    int jpeg;                        /* quality, 0: nothing is lost */
    double loss; /* of a page's likeness (image_codec/ssim.h) by one image, at most; 0: not looked
                    at */
};

/* NULL if there is none of that name; aliases are known too. */
const struct profile *profile_find(const char *name);
/* Whether images are reduced to fewer pixels than a printer shows: nobody looks at single pixels of
 * the result. */
bool profile_is_for_screens(const struct profile *profile);
/* The first of the named ones that loses less than `profile`. */
const struct profile *profile_gentler(const struct profile *profile);

#define PROFILE_STEPS 5

/* What reduces and loses less than `profile`, with every step from 1 to PROFILE_STEPS - 1; never
 * less than the next profile there is does. */
struct profile profile_finer(const struct profile *profile, size_t step);
/* From what loses nothing on a bit more with every step; NULL when there is nothing left to try.
 * For a result of a wanted size. */
const struct profile *profile_lesser(size_t step);
