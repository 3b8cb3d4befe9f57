/*
 * mono: black and white of gray or coloured rows, from the top down. Error diffusion (Floyd and
 * Steinberg, 1976), from left to right, in which what is black or white already stays so and
 * takes no error: text and lines keep clean edges as with a threshold, pictures and tints become
 * dots of the same brightness. Colours count by their luma (Rec. 601); alpha is not looked at.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "image_encode/pixmap.h"

struct mono;

struct mono *mono_new(uint32_t width, struct err *err);
void mono_free(struct mono *mono);
/* Row y of the pixmap, of this width, into (width + 7) / 8 bytes: the highest bit first, 1 for
 * white. What is beyond the width is 0. */
void mono_row(struct mono *mono, const struct pixmap *pixmap, uint32_t y, uint8_t *out);
