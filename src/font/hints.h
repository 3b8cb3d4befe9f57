/* hints: whether the outlines of a TrueType font are correct without its instructions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the instructions of a font can be removed. False for fonts whose instructions assemble
 * their glyphs (some Chinese and Japanese fonts of the 1990s), and for a font that cannot be read.
 */
bool hints_can_go(const void *data, size_t n);
