/* glyph_names: the Latin glyph names that PDF's encodings use (ISO 32000-2, annex D). */
#pragma once

#include <stdint.h>

struct glyph_name {
    const char *name;
    uint16_t unicode;
    uint8_t standard, mac, win; /* its codes; 0: none */
};

/* NULL if it is none of them. */
const struct glyph_name *glyph_name_find(const char *name);
/* The i-th of them, in the order of names; NULL past the end. */
const struct glyph_name *glyph_name_at(unsigned i);
/* The character that a name stands for: one of those above, "uni20AC" or "u20AC"; 0 if unknown. */
uint32_t glyph_name_unicode(const char *name);
