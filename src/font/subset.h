/*
 * subset: removes glyphs from font programs, by HarfBuzz. The remaining glyphs keep their numbers,
 * so that references by number stay valid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SUBSET_GLYPHS 65536 /* limit of the glyphs of a font */

struct subset {
    const uint64_t *keep; /* one bit for each of SUBSET_GLYPHS glyphs */
    bool cmap;            /* the character map (`cmap`) is needed */
    bool names;           /* the glyph names are needed */
    bool unhinted;        /* remove the instructions if the outlines are correct without them */
};

/* Appends the subset font. False if the font cannot be read, or memory ran out. */
bool subset_sfnt(const void *data, size_t n, const struct subset *what, struct buf *out);
/* The same for a bare CFF font (font/cff.h). */
struct cff;
bool subset_cff(const struct cff *font, const struct subset *what, struct buf *out);
/* The names of a font's glyphs, as the font lists them. subset_names_open: NULL if it cannot be
 * read. subset_names_find: the glyph with this name; 0 if there is none. */
struct subset_names;
struct subset_names *subset_names_open(const void *data, size_t n);
void subset_names_close(struct subset_names **names);
#define AUTO_SUBSET_NAMES __attribute__((cleanup(subset_names_close)))
unsigned subset_names_find(const struct subset_names *names, const char *name);
