/* type1_glyph: Type 1 charstrings as charstrings of Type 2 (Adobe technical note 5177). */
#pragma once

#include "font/type1.h"

/* Appends the charstring of glyph `i`, without its width, which goes into `width`: it belongs
 * before what was appended. False if it has anything in it that is not known. */
bool type1_glyph(const struct type1 *font, size_t i, double *width, struct buf *out);
