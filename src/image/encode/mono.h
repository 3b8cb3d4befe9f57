/*
 * mono: converts gray or coloured rows to black and white, from top to bottom, by error diffusion
 * (Floyd and Steinberg, 1976) from left to right. Pixels that are black or white already stay so
 * and receive no error: text and lines keep clean edges as with a threshold, and pictures and tints
 * become dots of the same brightness. Colours count by their luma (Rec. 601); alpha is ignored.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "image/encode/pixmap.h"

struct mono;

/* `width`: of the rows, in pixels. NULL with ERR_INTERNAL without memory. */
struct mono *mono_new(uint32_t width, struct err *err);
void mono_free(struct mono *mono);
/* Converts row y of the pixmap, of this width, to (width + 7) / 8 bytes: highest bit first, 1
 * for white, 0 beyond the width. */
void mono_row(struct mono *mono, const struct pixmap *pixmap, uint32_t y, uint8_t *out);
