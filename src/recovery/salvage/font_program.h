/*
 * font_program: a font dictionary for a TrueType font program whose own dictionary is lost
 * (ISO 32000-1, 9.6.3 and 9.7.4; OpenType, "cmap", "head", "hhea", "hmtx"). The program may lack
 * its end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Appends the dictionary, with the widths of the program's own glyphs. Codes are one byte if the
 * program has a table for them, and numbers of glyphs in two bytes if it has none. `descriptor` is
 * the number of the object that is the font's descriptor. False: the program lacks the outlines of
 * its glyphs or their widths; nothing is appended then.
 */
bool font_program_write(const unsigned char *data, size_t n, uint32_t descriptor, struct buf *out);
