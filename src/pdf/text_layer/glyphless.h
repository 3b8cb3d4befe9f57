/*
 * glyphless: the font of text layers, a composite font (ISO 32000-2, 9.7) all of whose glyphs are
 * blank and equally wide. Its codes of two bytes are given out one by one to pieces of text, to
 * which the font's ToUnicode map leads back.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

/* Thousandths of the font size. */
#define GLYPHLESS_WIDTH   500
#define GLYPHLESS_ASCENT  780
#define GLYPHLESS_DESCENT 220
#define GLYPHLESS_CODES   65535u
#define GLYPHLESS_BYTES   64 /* limit of the UTF-8 of one code; a longer piece is cut */

struct glyphless {
    struct key_map codes; /* from pieces of text */
    unsigned n;           /* codes given out, from 1 on */
    unsigned open;        /* entries of the block of the map that is being written */
    struct buf block, map;
};

/* The code of a piece of n bytes of valid UTF-8, at least 1; 0 if the font is full. */
unsigned glyphless_code(struct glyphless *font, const char *text, size_t n);
/* The font's usual name. */
#define GLYPHLESS_NAME "/PlatenGlyphless"
/* Makes the font in the dictionary `font`, which is empty, with that name, which may say to readers
 * what the letters look like. ERR_LIMIT_EXCEEDED when out of memory. */
int glyphless_write(struct glyphless *glyphless, struct obj font, const char *name,
                    struct err *err);
/* How many codes a font of a document has, if it is one that glyphless_write made: those from 1 on
 * have a glyph. Else 0. */
unsigned glyphless_is_own(struct obj font);
void glyphless_free(struct glyphless *font);
