/*
 * unite: makes one TrueType font (ISO/IEC 14496-22) of several subsets of one font whose glyphs
 * have kept their numbers. All that a part needs, glyphs and entries of character maps, is in the
 * result as it is in that part, and missing if it is missing there. Parts that contradict each
 * other are not united.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define UNITE_CODES 65536 /* number of the codes of two bytes */

struct unite_part {
    const void *data; /* a font file of n bytes, not needed after the call */
    size_t n;
    const uint64_t *keep;  /* the glyphs that are needed: one bit for each of SUBSET_GLYPHS */
    const uint64_t *codes; /* the codes that are looked up in its character maps: one bit for each
                              of UNITE_CODES; NULL if its maps are not used */
    bool names;            /* glyphs are also found by their names */
};

struct unite;

/* Begins with the first part. NULL if the font is damaged or has something that unite cannot
 * combine, or memory ran out. */
struct unite *unite_open(const struct unite_part *part);
/* Adds a part. False if it contradicts the parts before, or memory ran out; then nothing has
 * changed. */
bool unite_add(struct unite *unite, const struct unite_part *part);
/* Appends the font. False when out of memory. */
bool unite_write(const struct unite *unite, struct buf *out);
void unite_close(struct unite **unite);
#define AUTO_UNITE __attribute__((cleanup(unite_close)))
