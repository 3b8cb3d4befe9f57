/*
 * type1: Type 1 font programs (Adobe Type 1 Font Format, 1990) as documents embed them: a clear and
 * an encrypted part, no PFB headers. Read by a scanner, not by an interpreter of PostScript: what
 * is not written as such fonts usually are (multiple masters, fonts with two sets of outlines) is
 * refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define TYPE1_GLYPHS 8192 /* at most */
#define TYPE1_VALUES 14   /* of one entry of the private dictionary */

struct type1_text {
    const char *data;
    size_t n;
};

/* A value of the private dictionary that stays, in the order of type1_keys. */
struct type1_values {
    double list[TYPE1_VALUES];
    size_t n; /* 0: it is not there */
};

struct type1_key {
    const char *name;
    unsigned op; /* in a Private DICT of CFF (Adobe technical note 5176, clause 15) */
    bool delta;  /* as an array of differences */
};
#define TYPE1_KEYS 14
extern const struct type1_key type1_keys[TYPE1_KEYS];

struct type1_glyph {
    struct type1_text name; /* without its slash */
    struct type1_text code; /* its charstring, decrypted */
};

struct type1 {
    char *secret; /* the private part, decrypted; what is said below points there or to the data */
    struct type1_text name;
    struct type1_glyph *glyphs; /* the first is .notdef */
    size_t n_glyphs;
    struct type1_text *subrs;
    size_t n_subrs;
    bool standard;                    /* encoded as StandardEncoding says, */
    struct type1_text encoding[256];  /* or so: names by code */
    struct type1_values matrix, bbox; /* n: 6, 4 */
    struct type1_values values[TYPE1_KEYS];
};

/* Whether it looks like one. */
bool type1_is(const void *data, size_t n);
/* `data` must outlive it. */
bool type1_open(struct type1 *font, const void *data, size_t n);
void type1_close(struct type1 *font);
#define AUTO_TYPE1 __attribute__((cleanup(type1_close)))

/* Its index; 0 if there is none. */
size_t type1_find(const struct type1 *font, const char *name, size_t n);

/*
 * Appends the font as CFF, with those of its glyphs whose bit is set in `keep`, and .notdef.
 * Outlines, hints, names and encoding stay; composed glyphs are written out. False if the font has
 * anything in it that is not known to come out the same.
 */
bool type1_to_cff(const struct type1 *font, const uint64_t *keep, struct buf *out);
