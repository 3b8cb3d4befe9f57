/*
 * sheet: what is on one page, as an engine found it and before anyone knows what it means: glyphs,
 * filled boxes, pictures, links. Plain values; points, y downwards, the page's top left is (0, 0)
 * after its rotation.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct area {
    float x0, y0, x1, y1;
};

static inline float area_width(const struct area *a)
{
    return a->x1 - a->x0;
}

static inline float area_height(const struct area *a)
{
    return a->y1 - a->y0;
}

/* A font as a Word document names it: one that is there wherever Word is, and takes as much room.
 */
struct sheet_font {
    char source[64]; /* the name in the PDF */
    char family[48];
    bool bold, italic;
    bool measured; /* glyphs of it have their width in the family */
};

enum { GLYPH_SPACE = 1, GLYPH_FIRST = 2, GLYPH_HIDDEN = 4, GLYPH_TURNED = 8 };

struct glyph {
    uint32_t code;  /* Unicode */
    uint32_t color; /* 0xRRGGBB */
    float x;        /* of its origin */
    float x0, x1;   /* from its origin to the end of its advance */
    float base;     /* y of the baseline */
    float size;
    float width;    /* its advance in the font's family, if that is measured and has it; or 0 */
    uint16_t font;  /* of the sheet's fonts */
    uint16_t flags; /* FIRST: the engine began a line here. TURNED: it is not upright */
};

/* A box filled with one colour, or a line as the box it covers. */
struct fill {
    struct area area;
    uint32_t color;
    bool stroked; /* part of a line that was drawn */
    bool used;    /* a table, paragraph or word shows it */
};

struct sheet_picture {
    struct area area;
    const char *extension; /* "jpg" or "png" */
    void *bytes;
    size_t n_bytes;
    bool vector; /* drawn of lines and areas */
};

struct sheet_link {
    struct area area;
    char *uri; /* or NULL, and then: */
    size_t page;
};

struct sheet {
    size_t number; /* from 0 */
    float width, height;
    struct glyph *glyphs;
    struct fill *fills;
    struct sheet_picture *pictures;
    struct sheet_link *links;
    struct area *art; /* where something is drawn that is neither box nor line */
    size_t n_glyphs, n_fills, n_pictures, n_links, n_art;
    size_t cap_glyphs, cap_fills, cap_pictures, cap_links, cap_art;
    size_t n_hidden;                /* glyphs that are not seen, as of text over a scan */
    const struct sheet_font *fonts; /* the document's; borrowed */
    size_t n_fonts;
    bool damaged;
};

/* Frees what the sheet holds and empties it. */
void sheet_free(struct sheet *sheet);
