/* type1_glyph: converts Type 1 charstrings to Type 2 charstrings (Adobe technical note 5177). */
#pragma once

#include "font/type1.h"

/* Appends the charstring of glyph `i` without its width. *width becomes the width of the glyph,
 * which the caller writes in front of the charstring. False if the charstring contains anything
 * unknown. */
bool type1_glyph(const struct type1 *font, size_t i, double *width, struct buf *out);
