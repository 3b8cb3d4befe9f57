/*
 * cff: reads fonts in the Compact Font Format (Adobe technical note 5176) as far as needed to find
 * the glyph of a name, a CID or a character code. Damaged fonts are refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cff {
    const uint8_t *data;
    size_t n;
    size_t n_glyphs;
    bool by_cid;         /* glyphs have CIDs instead of names */
    uint16_t *charset;   /* for each glyph: its CID, or the number of its name */
    uint16_t codes[256]; /* the built-in encoding: the glyph of each code, 0 for none */
    bool known_codes;    /* the encoding is explicit; else it is a predefined one */
    size_t strings;      /* offset of the String INDEX */
};

/* Reads a font of n bytes, which must live until cff_close. False if it is damaged, or memory ran
 * out. */
bool cff_open(struct cff *font, const void *data, size_t n);
void cff_close(struct cff *font);
#define AUTO_CFF __attribute__((cleanup(cff_close)))

/* The glyph with that name; 0 if there is none. */
unsigned cff_glyph_of_name(const struct cff *font, const char *name);

/* Overwrites the names of glyphs outside the set `keep`, which must have a bit for each glyph, in a
 * font of n bytes: the bytes stay, of one value that compresses well. */
void cff_blank_names(uint8_t *data, size_t n, const uint64_t *keep);

/* The number of a standard string (appendix A), of which there are CFF_STRINGS; 0 if the text is
 * not one. */
#define CFF_STRINGS 391
size_t cff_standard_string(const char *text, size_t n);

/* Appends the font wrapped in an OpenType font, for libraries that read nothing else. False when
 * out of memory. */
bool cff_wrap(const struct cff *font, struct buf *out);
