/*
 * model: a page as a Word document sees it: sections of columns, in them paragraphs, tables and
 * pictures in reading order. Everything lives in the page's arena; texts are UTF-8 with a NUL.
 * Measures are points.
 */
#pragma once

#include "page/sheet.h"

enum align { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT, ALIGN_BOTH };
enum script { SCRIPT_NONE, SCRIPT_SUPER, SCRIPT_SUB };

struct style {
    uint16_t font;
    float size;
    uint32_t color;
    uint32_t highlight; /* 0xRRGGBB, or STYLE_PLAIN */
    float spacing;      /* between characters */
    enum script script;
    bool underline, strike, rtl;
    bool number, total;            /* of the page; of how many there are */
    const struct sheet_link *link; /* or NULL */
    const struct sheet_note *note; /* or NULL */
    const struct formula *formula; /* it is all of the run (formula/formula.h); or NULL */
};
#define STYLE_PLAIN UINT32_MAX

struct run {
    char *text; /* "\t" is a tab; never a line break */
    size_t len;
    struct style style;
    const struct footnote *footnote; /* which it is the mark of, in the text; or NULL */
};

struct tab {
    float x;    /* from the column's left edge */
    float from; /* where what stands at it begins */
    enum align align;
    bool dots;
};

struct border {
    float width; /* 0: none */
    uint32_t color;
};

/* A border around a paragraph, or around several that follow each other. */
struct boxed {
    struct border border;
    float side, above, below; /* between it and the text */
    bool first, last;         /* of those it goes around */
    bool under;               /* it is a line below the last one alone */
};

/* A paragraph's first or last line, as what goes over the end of a page is judged by. */
struct rim {
    float x0; /* from the column's edge */
    float size;
    float width;   /* of its first word */
    bool bold;     /* all of it */
    uint32_t code; /* of its first character; of the last line: the last one */
    uint32_t tag;  /* of the sheet's, or 0 */
};

struct paragraph {
    struct run *runs;
    size_t n_runs;
    enum align align;
    float left, right, first; /* indents; first is added to left in the first line */
    float before, line;       /* line: exact height of one; the least, if it is tall */
    bool tall;                /* it has formulas that are taller than a line, */
    float over, under;        /* its first one by so much above, and by so much all that is below */
    size_t n_lines;           /* on the page */
    struct boxed boxed;
    struct tab *tabs;
    size_t n_tabs;
    int heading;      /* 1 to 3; 0 */
    int list;         /* a numbering (page/numbering.h), from 1; 0 */
    int level;        /* in the list, from 0 */
    size_t n_label;   /* characters of the label, which is not in the runs */
    struct area area; /* on the page; y0: of the first line */
    bool rtl;
    uint32_t shade; /* or STYLE_PLAIN */
    struct rim head, tail;
    float room; /* after its last line, to where lines end */
};

/* What is said at the end of the page. */
struct footnote {
    int number;                   /* its mark; 0: that is a sign */
    struct paragraph *paragraphs; /* the first run of the first is the mark */
    size_t n_paragraphs, cap_paragraphs;
};

enum direction { TEXT_UPRIGHT, TEXT_UP, TEXT_DOWN };

struct cell {
    size_t column, row, columns, rows; /* place and span; the grid's */
    struct border top, left, bottom, right;
    uint32_t shade; /* or STYLE_PLAIN */
    bool middle;    /* contents are centred vertically */
    enum direction direction;
    struct block *blocks;
    size_t n_blocks;
};

struct table {
    struct area area;
    float *widths, *heights; /* of columns and rows */
    size_t n_columns, n_rows;
    float indent;  /* of its left edge from the column's */
    float padding; /* left and right in cells */
    float before;
    struct cell *cells; /* in order of rows, then columns */
    size_t n_cells;
};

/* A picture in a line of its own, or at a place of the page. */
struct figure {
    const struct sheet_picture *picture;
    bool floating;
    bool front;           /* it is before the text: behind it something would hide it */
    bool pale;            /* a scan, whose text stands over it */
    float before, indent; /* in its line */
};

enum block_kind { BLOCK_PARAGRAPH, BLOCK_TABLE, BLOCK_FIGURE };

struct block {
    enum block_kind kind;
    bool column_break; /* it begins a column */
    union {
        struct paragraph paragraph;
        struct table table;
        struct figure figure;
    };
};

struct block_list {
    struct block *items;
    size_t n, cap;
};

struct column {
    float x0, x1;
};

/* Text that is not upright, where the page does not flow. */
struct turned {
    struct paragraph paragraph;
    float x, y;          /* its middle */
    float width, height; /* along and across it */
    float angle;         /* degrees, clockwise */
};

#define MODEL_COLUMNS  6
#define FURNITURE_NONE SIZE_MAX

struct section {
    struct column columns[MODEL_COLUMNS];
    size_t n_columns;
    float before; /* above it */
    struct block_list blocks;
    size_t begins[MODEL_COLUMNS]; /* the first block of each column */
    float ends[MODEL_COLUMNS];    /* y where its text ends */
    bool poured;                  /* text could go from each of the columns to the next by itself */
    bool even;                    /* and does, ending at one height in all of them */
};

struct margins {
    float left, top, right, bottom;
};

struct word;

/* What is between two pages: a break; nothing; a paragraph that is on both. */
enum seam { SEAM_BREAK, SEAM_FLOW, SEAM_SAME };

struct page {
    float width, height;
    struct margins margins;
    struct section *sections;
    size_t n_sections;
    struct block *floats; /* figures */
    size_t n_floats;      /* there is room for 2 * ART_CLUSTERS more (reflow/art.h) */
    bool plain;           /* it was not understood: its lines in the order of the file */
    struct turned *turned;
    size_t n_turned;
    struct word *words; /* all that are on it */
    size_t n_words;
    struct {
        struct footnote *last; /* or NULL */
        int first;             /* number of the first one that has one; or 0 */
        float gap;             /* between the text and the first one */
        bool ruled;            /* there is a line */
        /* Blocks at the end of the text that may go on with a note of the page before. */
        size_t n_rest;
        bool rest_ruled;       /* a line is above them, */
        struct area rest_rule; /* if it is not a paragraph's border */
        struct block *taken;   /* of them, those that went there */
        size_t n_taken;
        struct boxed rest_boxed; /* that border, and that line as a picture, */
        struct block rest_float; /* which went with them, */
        size_t float_at;         /* and where it was among the floats; */
        bool floated;            /* if it was */
    } notes;
    bool bare;  /* it has no header and no footer */
    bool lone;  /* it has but a number there, which others have not */
    size_t set; /* of the furniture (reflow/furniture.h), or FURNITURE_NONE */
    bool even;  /* its number */
    int number; /* in its header or footer; 0: not known */
    enum seam before, after;
    float end;      /* y where its text ends */
    bool fixed_end; /* columns go on in the next where it ends, and not below */
    bool full;      /* and so does the last one of them */
    bool even_end;  /* columns end there at one height, far from the end of the page */
};
