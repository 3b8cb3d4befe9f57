/*
 * known_looks: what the letters, digits and punctuation marks of MuPDF's built-in fonts look like:
 * those with which readers replace the 14 standard fonts, and Charis SIL and Noto. Made once in
 * each process, when the first glyph has to be recognised by its look.
 */
#pragma once

#include "page_text/glyph_look.h"

struct known_face {
    float x_height, cap_height; /* ems */
};

struct known_look {
    struct glyph_look look;
    uint16_t code; /* Unicode */
    uint16_t face; /* index of its font */
};

struct known_looks {
    struct known_face *faces;
    struct known_look *items;
    size_t n_faces, n, cap_faces, cap;
};

enum known_looks_part {
    KNOWN_LOOKS_ASCII, /* and common punctuation */
    KNOWN_LOOKS_REST,  /* of Latin, Greek and Cyrillic */
    KNOWN_LOOKS_PARTS
};

/* Returns the looks of one part. Never NULL; has no items if there is no memory. Any thread may
 * call it. */
const struct known_looks *known_looks_find(fz_context *ctx, enum known_looks_part part);
