/*
 * type1: reads Type 1 font programs (Adobe Type 1 Font Format, 1990) as documents embed them: a
 * clear and an encrypted part, no PFB headers. It scans the text and does not interpret PostScript:
 * fonts that are not written in the usual form (multiple masters, fonts with two sets of outlines)
 * are refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define TYPE1_GLYPHS 8192 /* limit of glyphs in a font */
#define TYPE1_VALUES 14   /* limit of numbers in one entry of the private dictionary */

struct type1_text {
    const char *data;
    size_t n;
};

/* An entry of the private dictionary that is kept, in the order of type1_keys. */
struct type1_values {
    double list[TYPE1_VALUES];
    size_t n; /* 0: the entry is missing */
};

struct type1_key {
    const char *name;
    unsigned op; /* its operator in a Private DICT of CFF (Adobe technical note 5176, clause 15) */
    bool delta;  /* written as an array of differences */
};
#define TYPE1_KEYS 14 /* number of the entries in type1_keys */
extern const struct type1_key type1_keys[TYPE1_KEYS];

struct type1_glyph {
    struct type1_text name; /* without its slash */
    struct type1_text code; /* its charstring, decrypted */
};

struct type1 {
    char *secret; /* the private part, decrypted; the texts below point into it or into the data */
    struct type1_text name;
    struct type1_glyph *glyphs; /* the first is .notdef */
    size_t n_glyphs;
    struct type1_text *subrs;
    size_t n_subrs;
    bool standard;                    /* the font uses StandardEncoding */
    struct type1_text encoding[256];  /* otherwise: the glyph name of each code */
    struct type1_values matrix, bbox; /* six and four numbers */
    struct type1_values values[TYPE1_KEYS];
};

/* Whether the data begins like a Type 1 font. */
bool type1_is(const void *data, size_t n);
/* Opens a font; `data` must outlive it. False if it is damaged or not in the usual form, or memory
 * ran out. */
bool type1_open(struct type1 *font, const void *data, size_t n);
void type1_close(struct type1 *font);
#define AUTO_TYPE1 __attribute__((cleanup(type1_close)))

/* The index of the glyph with this name; 0 if there is none. */
size_t type1_find(const struct type1 *font, const char *name, size_t n);

/*
 * Appends the font as CFF, with .notdef and the glyphs whose bit is set in `keep`. Outlines, hints,
 * names and encoding are preserved; composite glyphs are expanded. False if the font contains
 * anything that might not be converted exactly.
 */
bool type1_to_cff(const struct type1 *font, const uint64_t *keep, struct buf *out);
