/*
 * sfnt: TrueType and OpenType font files, as far as their tables and their maps of characters go
 * (ISO/IEC 14496-22). Every offset is checked; what is damaged reads as absent.
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
    const uint8_t *data; /* NULL: there is none */
    size_t n;
};

bool sfnt_open(struct sfnt *font, const void *data, size_t n);
/* tag: "cmap". */
struct sfnt_table sfnt_table(const struct sfnt *font, const char *tag);

/* Called for every character of every map of a font that maps to a glyph, up to U+FFFF. */
typedef void sfnt_mapped(void *cls, unsigned code, unsigned glyph);
void sfnt_cmap_each(struct sfnt_table cmap, sfnt_mapped *each, void *cls);

/*
 * Appends a table with the same maps of at most 16-bit characters, of which only those to glyphs
 * that `keep` holds (65536 bits) are left. False if there is nothing to map or out of memory.
 */
bool sfnt_cmap_subset(struct sfnt_table cmap, const uint64_t *keep, struct buf *out);
