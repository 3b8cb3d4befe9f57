/*
 * subset: font programs with only some of their glyphs, by HarfBuzz. Glyphs keep their numbers, so
 * that whatever refers to them by number still does.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SUBSET_GLYPHS 65536

struct subset {
    const uint64_t *keep; /* a bit for each of SUBSET_GLYPHS */
    bool cmap;            /* its map of characters is used */
    bool names;           /* its names of glyphs are used */
    bool unhinted;        /* its instructions go, where its outlines are right without */
};

/* Appends the font. False if it cannot be read, or memory ran out. */
bool subset_sfnt(const void *data, size_t n, const struct subset *what, struct buf *out);
/* The same for a font that is CFF alone (font/cff.h). */
struct cff;
bool subset_cff(const struct cff *font, const struct subset *what, struct buf *out);
/* The glyph with a name in the font's own list; 0 if there is none. */
struct subset_names;
struct subset_names *subset_names_open(const void *data, size_t n);
void subset_names_close(struct subset_names **names);
#define AUTO_SUBSET_NAMES __attribute__((cleanup(subset_names_close)))
unsigned subset_names_find(const struct subset_names *names, const char *name);
