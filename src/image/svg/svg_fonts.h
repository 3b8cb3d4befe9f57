/* svg_fonts: whether the fonts that a drawing names are installed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the list of families, as CSS has it (CSS Fonts 4, 3.1), names fonts, and none of them is
 * installed, so that another font is used. `name` becomes the first of them, printable, cut to `n`
 * bytes. A generic family (serif) is not a name: a list of these alone is never missing.
 */
bool svg_fonts_missing(const char *list, char *name, size_t n);
