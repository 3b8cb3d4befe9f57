/*
 * glyph_look: what a glyph looks like, so that glyphs of different fonts can be compared: its ink,
 * stretched to a grid, and where it is in the font's em square.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"

#define GLYPH_LOOK_COLUMNS 16 /* columns and rows of the grid */
#define GLYPH_LOOK_ROWS    24 /* more, because accents are low */
#define GLYPH_LOOK_CELLS   (GLYPH_LOOK_COLUMNS * GLYPH_LOOK_ROWS)
/* rows and columns of the cells that are added up, for a first comparison */
#define GLYPH_LOOK_SQUARE 4
#define GLYPH_LOOK_COARSE (GLYPH_LOOK_CELLS / (GLYPH_LOOK_SQUARE * GLYPH_LOOK_SQUARE))

struct glyph_look {
    uint8_t cells[GLYPH_LOOK_CELLS];    /* how much of each is ink: 0 to 255 */
    uint16_t coarse[GLYPH_LOOK_COARSE]; /* the sums of squares of cells */
    float width, bottom, top;           /* of the ink, in ems; the baseline is at 0 */
    float advance;                      /* ems */
};

/* Draws a glyph small to see its look. False: the glyph has no outline, or no ink. Ink above
 * `below` ems is ignored. */
bool glyph_look_draw(fz_context *ctx, fz_font *font, int glyph, float below,
                     struct glyph_look *look);
/* How different the ink of two glyphs is: 0 (equal) to 1, or INFINITY if it is more than `most`. */
float glyph_look_distance(const struct glyph_look *a, const struct glyph_look *b, float most);
