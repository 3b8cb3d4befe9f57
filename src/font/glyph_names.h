/* glyph_names: the Latin glyph names that PDF's encodings use (ISO 32000-2, annex D). */
#pragma once

#include <stdint.h>

struct glyph_name {
    const char *name;
    uint16_t unicode;
    uint8_t standard, mac, win; /* codes in the three encodings; 0: none */
};

/* Finds a name; NULL if it is not in the list. */
const struct glyph_name *glyph_name_find(const char *name);
/* The i-th entry in the order of names; NULL past the end. */
const struct glyph_name *glyph_name_at(unsigned i);
/* The character of a glyph name: one of the list, "uni20AC" or "u20AC"; 0 if unknown. */
uint32_t glyph_name_unicode(const char *name);
