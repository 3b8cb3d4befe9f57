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
    bool hollow;   /* the outlines of its letters alone are drawn */
    bool measured; /* glyphs of it have their width in the family */
};

enum {
    GLYPH_SPACE = 1,
    GLYPH_FIRST = 2,
    GLYPH_HIDDEN = 4,
    GLYPH_TURNED = 8,
    GLYPH_NUMBER = 16,
    GLYPH_TOTAL = 32
};

/* What a tagged PDF says of text. */
enum tag_kind { TAG_NONE, TAG_TEXT, TAG_HEADING, TAG_LABEL };

struct sheet_tag {
    enum tag_kind kind;
    int level;      /* of a heading, from 1 */
    bool listed;    /* in an item of a list */
    uint32_t table; /* its number, from 1; 0: in none. And then: */
    int row, column, rows, columns;
};

struct glyph {
    uint32_t code;  /* Unicode */
    uint32_t color; /* 0xRRGGBB */
    float angle;    /* of its line, clockwise in radians; places are those before it was turned */
    float x0, x1;   /* from its origin to the end of its advance */
    float base;     /* y of the baseline */
    float size;
    float width;    /* its advance in the font's family, if that is measured and has it; or 0 */
    uint16_t font;  /* of the sheet's fonts */
    uint32_t tag;   /* of the sheet's tags, which are in their order of reading; 0: none */
    uint16_t flags; /* FIRST: the engine began a line here. TURNED: it is not upright.
                       NUMBER: of the number of the page. TOTAL: of how many there are */
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
    bool vector;      /* drawn of lines and areas */
    bool chart;       /* with the words in it, which are: */
    const char *text; /* UTF-8, or NULL; borrowed */
};

struct sheet_link {
    struct area area;
    char *uri; /* or NULL, and then: */
    size_t page;
};

/* What somebody noted at a place. */
struct sheet_note {
    struct area area;
    char *author, *text; /* UTF-8 */
};

struct sheet {
    size_t number; /* from 0 */
    float width, height;
    struct glyph *glyphs;
    struct fill *fills;
    struct sheet_picture *pictures;
    struct sheet_link *links;
    struct sheet_note *notes;
    struct area *unread; /* glyphs that are seen, but whose characters nobody knows */
    size_t n_unread, cap_unread, n_unreadable; /* the last: with those there was no room for */
    struct area *art; /* where something is drawn that is neither box nor line */
    size_t n_glyphs, n_fills, n_pictures, n_links, n_art, n_notes;
    size_t cap_glyphs, cap_fills, cap_pictures, cap_links, cap_art, cap_notes;
    size_t n_hidden;                /* glyphs that are not seen, as of text over a scan */
    const struct sheet_font *fonts; /* the document's; borrowed */
    size_t n_fonts;
    struct sheet_font *own_fonts; /* the page's, until it has the document's */
    size_t n_own_fonts, cap_own_fonts;
    const struct sheet_tag *tags; /* the document's; NULL: it is not tagged */
    bool tagged_headings;         /* there are headings among them */
    bool damaged;
};

/* Frees what the sheet holds and empties it. */
void sheet_free(struct sheet *sheet);
