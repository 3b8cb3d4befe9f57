/* profile: the meaning of a quality: how far images are reduced and how much they may lose. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct profile {
    const char *name;
    double dpi; /* of gray and colour images; 0: never reduced */
    /* images are reduced only if they have more than this many times the resolution */
    double threshold;
    double mono_dpi, mono_threshold; /* the same for one-bit images */
    int jpeg;                        /* JPEG quality, 0: lossless */
    /* limit of the similarity (image/codec/ssim.h) that a page loses by images; 0: no limit */
    double loss;
};

/* Finds a profile by its name or an alias; NULL if there is none. */
const struct profile *profile_find(const char *name);
/* Whether images are reduced to fewer pixels than a printer shows: the result is for screens, where
 * differences of single pixels are not seen. */
bool profile_is_for_screens(const struct profile *profile);
/* For streams of pages that did not look as before. At PROFILE_GENTLER: the first of the named
 * profiles that loses less than `profile`, or the lossless one if there is no other; at any other
 * level the lossless one. */
#define PROFILE_GENTLER  1
#define PROFILE_LOSSLESS 2
const struct profile *profile_kept(const struct profile *profile, size_t level);

#define PROFILE_STEPS 5 /* number of steps, the first with step 0, `profile` itself */
#define PROFILE_MORE  2 /* number of steps that follow, for what these do not show well */

/* A profile that reduces and loses less than `profile`, with every step from 1 to PROFILE_STEPS
 * + PROFILE_MORE - 1; never less than the next named profile. */
struct profile profile_finer(const struct profile *profile, size_t step);
/* A profile for reaching a target size: lossless at step 0, and losing a bit more with every step;
 * NULL when there is none left to try. */
const struct profile *profile_lesser(size_t step);
