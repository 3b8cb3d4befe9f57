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

/* Opens a font of n bytes, which must outlive it. False if it is not of these formats. */
bool sfnt_open(struct sfnt *font, const void *data, size_t n);
/* Finds a table by its tag, such as "cmap". */
struct sfnt_table sfnt_table(const struct sfnt *font, const char *tag);

typedef void sfnt_mapped(void *arg, unsigned code, unsigned glyph);
/* Calls `each` for each character up to U+FFFF to which a map of the font assigns a glyph. */
void sfnt_cmap_each(struct sfnt_table cmap, sfnt_mapped *each, void *arg);
/* The number of maps; 0 if they are damaged. The records of the maps, of 8 bytes each, begin at
 * offset 4 of the table. */
unsigned sfnt_cmap_count(struct sfnt_table cmap);
/* Like sfnt_cmap_each, for the i-th map alone. */
void sfnt_cmap_map(struct sfnt_table cmap, unsigned i, sfnt_mapped *each, void *arg);

/*
 * Appends a `cmap` table that has only the entries for 16-bit characters whose glyphs are in `keep`
 * (65536 bits). False if nothing is left, or when out of memory.
 */
bool sfnt_cmap_subset(struct sfnt_table cmap, const uint64_t *keep, struct buf *out);

struct sfnt_map {
    const uint8_t *row;     /* platform and encoding: 4 bytes */
    const uint16_t *glyphs; /* the glyph of each of 65536 codes, 0 for none */
};

/* Appends a `cmap` table of n maps. False when out of memory. */
bool sfnt_cmap_write(const struct sfnt_map *maps, unsigned n, struct buf *out);
