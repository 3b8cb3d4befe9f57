/*
 * known_looks: what the letters, digits and punctuation marks of MuPDF's built-in fonts look like:
 * those with which readers replace the 14 standard fonts, and Charis SIL and Noto. A table that the
 * build draws.
 */
#pragma once

#include "engine/page_text/glyph_look.h"

#define KNOWN_LOOK_X 0.7F /* where the x-height is put, the height of capitals being 1 */

struct known_look {
    struct glyph_look look;
    float top, bottom; /* by known_look_place */
    float width;       /* of the ink, in heights of a capital */
    uint16_t code;     /* Unicode */
};

/* Maps a height y to a scale on which fonts of different proportions can be compared: the baseline
 * is at 0, the x-height at KNOWN_LOOK_X, the height of capitals at 1. All in the same unit. */
static inline float known_look_place(float y, float x_height, float cap_height)
{
    return y <= x_height
               ? y / x_height * KNOWN_LOOK_X
               : KNOWN_LOOK_X + (y - x_height) / (cap_height - x_height) * (1 - KNOWN_LOOK_X);
}

struct known_looks {
    const struct known_look *items;
    size_t n;
};

enum known_looks_part {
    KNOWN_LOOKS_ASCII, /* and common punctuation */
    KNOWN_LOOKS_REST,  /* of Latin, Greek and Cyrillic */
    KNOWN_LOOKS_PARTS
};

/* The build makes it (known_looks_table.c). */
extern const struct known_looks known_looks_parts[KNOWN_LOOKS_PARTS];
