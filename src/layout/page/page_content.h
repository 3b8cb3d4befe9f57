/*
 * content: the content of one page as the reader found it, before any layout analysis: glyphs,
 * filled boxes, pictures, links. Plain values in points; y grows downwards, and (0, 0) is the top
 * left corner of the page after its rotation. What is drawn later hides what was drawn before:
 * `order` is a number that grows from mark to mark of a page.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/language_tags.h"
#include "layout/page/claim.h"

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

/* A font as a Word document names it: one that exists wherever Word does, and has similar
 * widths. */
struct page_font {
    char source[64]; /* the name in the PDF */
    char family[48];
    bool bold, italic;
    bool hollow;   /* only the outlines of its letters are drawn */
    bool measured; /* the widths of the family's glyphs are known */
    bool type3;    /* its glyphs are drawn by content streams (ISO 32000-2, 9.6.4) */
};

/* How the names of the fonts of recognised text begin (tools/ocr/transcribe.c). */
#define PAGE_FONT_SCANNED "PlatenScan"

enum {
    GLYPH_SPACE = 1,   /* white space */
    GLYPH_FIRST = 2,   /* MuPDF began a line here */
    GLYPH_HIDDEN = 4,  /* invisible, such as the recognised text of a scan */
    GLYPH_ROTATED = 8, /* not upright */
    GLYPH_NUMBER = 16, /* a digit of the page number */
    GLYPH_TOTAL = 32,  /* a digit of the number of pages */
    GLYPH_MORE = 64    /* one more character of the glyph before, or a mark over that */
};

/* The role of text in a tagged PDF. */
enum tag_kind { TAG_NONE, TAG_TEXT, TAG_HEADING, TAG_LABEL };

struct page_tag {
    enum tag_kind kind;
    int level;   /* of a heading, from 1 */
    bool listed; /* inside an item of a list */
    /* the table's number, from 1; 0: not in a table. The members below are set in a table */
    uint32_t table;
    int row, column, rows, columns;
};

struct glyph {
    uint32_t code;  /* Unicode */
    uint32_t color; /* 0xRRGGBB */
    /* direction of its line in radians, clockwise; coordinates are those before the rotation */
    float angle;
    float x0, x1; /* from its origin to the end of its advance */
    float base;   /* y of the baseline */
    float size;
    float width;    /* its advance in the font's family, or 0 if that is not known */
    uint16_t font;  /* index of the page's fonts */
    uint16_t reach; /* index of the page's reaches */
    uint32_t tag;   /* index of the page's tags, which are in reading order; 0: none */
    uint16_t flags; /* of GLYPH_... */
    /* how unsure it is that the character is this one, in percent; or GLYPH_DOUBT_UNKNOWN */
    uint8_t doubt;
    uint8_t language; /* number of the page's languages; 0: the file states none for it */
};

/* The text was recognised, and the file does not say how sure that is. */
#define GLYPH_DOUBT_UNKNOWN 255

/* How far glyphs reach above and below their baseline, by their font, and the height of the font's
 * own size, where letters are narrower or wider than usual: in sizes. */
struct reach {
    float above, below, tall;
};

/* A box filled with one colour, or a line as the box that it covers. */
struct fill {
    struct area area;
    uint32_t color;
    bool stroked; /* a part of a stroked path */
    bool marker;  /* an annotation that highlights text */
    uint32_t order;
    enum owner claimed_by; /* what shows it already (layout/page/claim.h) */
};

/* A place where something is drawn that is neither box nor line. */
struct drawing {
    struct area area;
    uint32_t order;
};

/* Limits of the pictures that are made of a page after it was read: charts with their labels,
 * drawings, and glyphs whose characters are not known. */
#define PAGE_CHARTS         ((size_t) 12)
#define PAGE_DRAWINGS       ((size_t) 40) /* of each of the two kinds */
#define PAGE_ADDED_PICTURES (PAGE_CHARTS + 2 * PAGE_DRAWINGS)

struct page_picture {
    struct area area;
    const char *extension; /* "jpg" or "png" */
    void *bytes;           /* NULL: it is not wanted */
    size_t n_bytes;
    int columns, rows; /* pixels of the image in the file; 0: it is drawn */
    uint32_t order;
    bool vector;      /* drawn with lines and areas */
    bool whole;       /* it shows all pictures in its area, but not the text */
    bool chart;       /* a chart; the words in it are in `text` */
    bool border;      /* lines around most of the page and between its parts */
    const char *text; /* UTF-8, or NULL; borrowed */
};

struct page_link {
    struct area area;
    char *uri;   /* the target's address; NULL: a page of the document */
    size_t page; /* that page, from 0 */
};

/* A field of a form that can be filled in. */
enum field_kind {
    FIELD_NONE,
    FIELD_TEXT,
    FIELD_CHOICE,
    FIELD_CHECK,
    FIELD_RADIO,
    /* the following are only listed (PAGE_FIELDS_LISTED) */
    FIELD_LIST, /* of choices, of which several are visible */
    FIELD_BUTTON,
    FIELD_SIGNATURE,
};

struct page_field {
    struct area area;
    enum field_kind kind;
    bool on;        /* it is ticked */
    bool captioned; /* of a box: a text is drawn in it, which is text of the page */
    char *name;     /* UTF-8 */
    char *options;  /* of a choice: texts that end with a NUL each, and one NUL more; or NULL */
    char *value;    /* UTF-8; NULL: it is not known, or there is none */
    bool read_only;
};

/* Which fields a reader lists: none, so that they are what they look like; check boxes and radio
 * buttons, whose characters say whether they are ticked; or all, with blanks where nothing is
 * filled in. Listed: all kinds with their values, while the page keeps the text that it has. */
enum page_fields { PAGE_FIELDS_NONE, PAGE_FIELDS_BOXES, PAGE_FIELDS_ALL, PAGE_FIELDS_LISTED };

/* The characters that show a check box (square) or a radio button (round), and the font in which
 * Word shows them. */
#define PAGE_FIELD_FONT "MS Gothic"
static inline uint32_t page_field_sign(enum field_kind kind, bool on)
{
    return kind == FIELD_RADIO ? (on ? 0x25c9 : 0x25cb) : on ? 0x2612 : 0x2610;
}

/* An annotation with a comment. */
struct page_note {
    struct area area;
    char *author, *text; /* UTF-8 */
    void *picture;       /* of what it is about, a PNG; or NULL */
    size_t n_picture;
    int columns, rows; /* pixels of the picture */
};

struct page_content {
    size_t number; /* from 0 */
    float width, height;
    struct glyph *glyphs;
    struct fill *fills;
    struct page_picture *pictures;
    struct page_link *links;
    struct page_note *notes;
    struct page_field *fields;
    size_t n_fields, cap_fields;
    uint32_t content_order; /* `order` of the last mark before annotations and fields */
    struct area *unread;    /* visible glyphs whose characters are not known */
    /* n_unreadable: visible unknown glyphs for which the array had no room */
    size_t n_unread, cap_unread, n_unreadable;
    struct drawing *drawings;
    size_t n_glyphs, n_fills, n_pictures, n_links, n_drawings, n_notes;
    size_t cap_glyphs, cap_fills, cap_pictures, cap_links, cap_drawings, cap_notes;
    size_t n_hidden;               /* invisible glyphs, such as text over a scan */
    size_t n_clipped;              /* glyphs that a clip hides, which are not among the glyphs */
    const struct page_font *fonts; /* the document's fonts, borrowed */
    size_t n_fonts;
    struct page_font *own_fonts; /* the page's fonts, until they are added to the document's */
    size_t n_own_fonts, cap_own_fonts;
    struct reach *reaches; /* the first is that of glyphs that are added later */
    size_t n_reaches, cap_reaches;
    /* The page was rotated so that its text is upright; its /Rotate is now `rotate` (degrees). */
    bool rotated;
    int rotate;
    int turn;    /* by how many degrees, clockwise, it was rotated so: 0, 90 or 270 */
    float scale; /* the length of a point of the page, which is smaller if the page is too large */
    const struct page_tag *tags;    /* the document's tags; NULL: it is not tagged */
    bool tagged_headings;           /* the tags include headings */
    struct language_tags languages; /* of parts of its text */
    bool vertical;                  /* turned, because it is vertical writing (vertical_text.h) */
    bool rtl;                       /* most of its letters are read from right to left */
    bool damaged;
    char damage[120]; /* which objects of it, in words; "" if that is not known */
};

/* Frees what the content owns and empties it. */
void page_content_free(struct page_content *content);
