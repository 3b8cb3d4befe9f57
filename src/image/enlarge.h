/*
 * enlarge: a picture drawn larger, each new pixel mixed from the four that are nearest to it.
 * Rounds as MuPDF does, to the same bytes. What is laid out here is upright: rows stay rows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENLARGE_BITS     14 /* places are so many bits of a pixel's part */
#define ENLARGE_MAX_SIDE 100000

/* Bytes; 1 channel or 3. */
struct enlarge_from {
    const uint8_t *samples;
    size_t stride;
    int width, height, channels; /* up to ENLARGE_MAX_SIDE a side */
};

/* As many channels or, of gray, 3; and an opaque alpha, if it is wanted. */
struct enlarge_to {
    uint8_t *samples;
    size_t stride;
    int width, height, channels;
    bool alpha;
};

/* Where a line of new pixels lies in the old picture, counted from the middle of its first one: the
 * first, and how far it is to the next. */
struct enlarge_place {
    int at, step;
};

/* New pixels whose middle is not in the picture are left as they are. False: there is no memory. */
bool enlarge(const struct enlarge_from *from, const struct enlarge_to *to,
             const struct enlarge_place *across, const struct enlarge_place *down);
