/*
 * sfnt: reads the tables and character maps of TrueType and OpenType font files (ISO/IEC 14496-22).
 * Every offset is checked; damaged parts are treated as missing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct sfnt {
    const uint8_t *data;
    size_t n;
};

struct sfnt_table {
    const uint8_t *data; /* NULL: the table is missing */
    size_t n;
};

bool sfnt_open(struct sfnt *font, const void *data, size_t n);
/* Finds a table by its tag, such as "cmap". */
struct sfnt_table sfnt_table(const struct sfnt *font, const char *tag);

/* Called for each character up to U+FFFF that a map of the font assigns a glyph. */
typedef void sfnt_mapped(void *cls, unsigned code, unsigned glyph);
void sfnt_cmap_each(struct sfnt_table cmap, sfnt_mapped *each, void *cls);

/*
 * Appends a `cmap` table that has only the entries for 16-bit characters whose glyphs are in `keep`
 * (65536 bits). False if nothing is left, or when out of memory.
 */
bool sfnt_cmap_subset(struct sfnt_table cmap, const uint64_t *keep, struct buf *out);
