/*
 * blend: one picture laid over another as ISO 32000-2, 11.3.5.2 has it, for the modes that take
 * each component by itself and are quick to compute. Components are bytes, multiplied by their
 * alpha, which is the last one of a pixel. What is laid has an alpha; what it is laid on may have
 * none, and is then opaque.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum blend_mode {
    BLEND_NORMAL,
    BLEND_MULTIPLY,
    BLEND_SCREEN,
    BLEND_OVERLAY,
    BLEND_DARKEN,
    BLEND_LIGHTEN,
    BLEND_HARD_LIGHT,
    BLEND_DIFFERENCE,
    BLEND_EXCLUSION,
};

/* n pixels of `from`, of colors + 1 bytes, onto those of `to`, of colors bytes, and one with
 * `to_alpha`. colors: 1 or 3. Rounds as MuPDF does, to the same bytes. */
void blend_row(enum blend_mode mode, int colors, bool to_alpha, uint8_t *to, const uint8_t *from,
               size_t n);
/* All n bytes times alpha. */
void blend_fade(uint8_t *bytes, size_t n, uint8_t alpha);
