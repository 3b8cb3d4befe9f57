/*
 * model: a page as a Word document sees it: sections with columns, in them paragraphs, tables and
 * pictures in reading order. Everything lives in the page's arena; texts are UTF-8 with a NUL.
 * Measures are in points.
 */
#pragma once

#include "layout/page/page_content.h"

enum align { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT, ALIGN_BOTH };
enum script { SCRIPT_NONE, SCRIPT_SUPER, SCRIPT_SUB };

struct style {
    uint16_t font; /* index of the fonts of the content */
    float size;
    uint32_t color;     /* 0xRRGGBB, like all colours here */
    uint32_t highlight; /* or STYLE_PLAIN */
    float spacing;      /* extra space between characters */
    enum script script;
    bool underline, strike, rtl;
    bool number;                    /* a field with the page's number */
    bool total;                     /* a field with the number of pages */
    const struct page_link *link;   /* or NULL */
    const struct page_note *note;   /* or NULL */
    const struct page_field *field; /* or NULL */
    const struct formula *formula;  /* it is all of the run (layout/formula/formula.h); or NULL */
};
#define STYLE_PLAIN UINT32_MAX /* no colour */

struct run {
    char *text; /* "\t" is a tab; never a line break */
    size_t len;
    struct style style;
    const struct footnote *footnote; /* the footnote whose mark in the text this is; or NULL */
};

struct tab {
    float x;    /* from the column's left edge */
    float from; /* where the text at this tab stop begins */
    enum align align;
    bool dots;
};

struct border {
    float width; /* 0: no border */
    uint32_t color;
};

/* A border around a paragraph, or around several that follow each other. */
struct boxed {
    struct border border;
    float side, above, below; /* distances between the border and the text */
    bool first, last;         /* the paragraph is the first, the last inside the border */
    bool under;               /* the border is only a line below the last paragraph */
};

/* The features of a paragraph's first or last line that decide whether it continues on another
 * page. */
struct edge_line {
    float x0; /* distance from the column's edge */
    float size;
    float width;   /* of its first word */
    bool bold;     /* the whole line is */
    uint32_t code; /* the line's first character; for the last line: its last one */
    uint32_t tag;  /* structure tag, or 0 */
    bool space;    /* of the last line: the file has a space at its end */
};

struct paragraph {
    struct run *runs;
    size_t n_runs;
    enum align align;
    float left, right, first; /* indents; the first line's is left + first */
    /* space before; exact height of a line, or the least height if `tall` */
    float before, line;
    bool tall; /* contains formulas that are taller than a line */
    /* points by which formulas exceed the line height: above the first line, and below it in all
     * lines */
    float over, under;
    size_t n_lines; /* number of lines on the page */
    /* these lines; NULL: they are not known, or not all (layout/page/words.h) */
    const struct line *lines;
    struct boxed boxed;
    struct tab *tabs;
    size_t n_tabs;
    int heading;      /* 1 to MODEL_HEADINGS; 0: not a heading */
    int list;         /* its list (layout/page/numbering.h), from 1; 0: not in a list */
    int level;        /* level in the list, from 0 */
    size_t n_label;   /* length of the list label, which is not in the runs */
    struct area area; /* the area on the page; y0 is that of the first line */
    bool rtl;
    bool verbatim;  /* a line of a program or a receipt among others, in a monospaced font */
    uint32_t shade; /* or STYLE_PLAIN */
    struct edge_line head, tail;
    float room; /* free space after the last line, up to where lines end */
};

/* A footnote. */
struct footnote {
    int number;                   /* the number of its mark; 0: the mark is a sign */
    struct paragraph *paragraphs; /* the first run of the first paragraph is the mark */
    size_t n_paragraphs, cap_paragraphs;
};

enum direction { TEXT_UPRIGHT, TEXT_UP, TEXT_DOWN };

struct cell {
    size_t column, row, columns, rows; /* position and span in the grid */
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
    /* distance of its left edge from the column's; of the right edges, if it is read from there */
    float indent;
    float padding; /* inner margin of cells at left and right */
    float before;
    struct cell *cells; /* in order of rows, then columns */
    size_t n_cells;
    size_t n_heads; /* rows from the top that are column headers; set before it is written */
    /* It is read from right to left: for writers, its first column is the rightmost one. */
    bool rtl;
    /* It continues in the first table of the next page, whose first `heads` rows repeat its own. */
    bool continued;
    size_t heads;
    /* It continues the last table of the page before; its first `repeated` rows are the header
     * again, and not to be written. */
    bool continues;
    size_t repeated;
    bool divided; /* its last row is that of both pages */
};

/* A picture in a line of its own, or at a fixed place of the page. */
struct figure {
    const struct page_picture *picture;
    bool floating;
    /* it is in front of the text, because something would cover it behind the text */
    bool front;
    bool pale;            /* a scan with text over it, drawn pale */
    float before, indent; /* space before it, and indent of its line */
};

enum block_kind { BLOCK_PARAGRAPH, BLOCK_TABLE, BLOCK_FIGURE };

struct block {
    enum block_kind kind;
    bool column_break; /* a column begins with this block */
    enum owner owner;  /* of the words that it shows (layout/page/claim.h) */
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

/* Text that is not upright, at a fixed place. */
struct text_box {
    struct paragraph paragraph;
    enum owner owner;    /* of its words */
    float x, y;          /* its centre */
    float width, height; /* extent along and across the text */
    float angle;         /* degrees, clockwise */
};

#define MODEL_COLUMNS  6        /* limit of the columns of a section */
#define MODEL_HEADINGS 3        /* levels of headings */
#define NO_HEADER_SET  SIZE_MAX /* neither header nor footer */

struct section {
    struct column columns[MODEL_COLUMNS];
    size_t n_columns;
    float before; /* space above the section */
    struct block_list blocks;
    size_t begins[MODEL_COLUMNS]; /* the first block of each column */
    float ends[MODEL_COLUMNS];    /* y of the end of each column's text */
    bool brief;                   /* a few lines, which do not show how wide the columns are */
    bool poured;                  /* the text could flow from each column into the next */
    bool even;                    /* the columns end at one height (Word balances them) */
};

struct margins {
    float left, top, right, bottom;
};

struct word;

/* The transition between two pages: a page break, continuous text, a paragraph that continues, or a
 * table that does. */
enum page_transition { TRANSITION_BREAK, TRANSITION_FLOW, TRANSITION_SAME, TRANSITION_TABLE };

struct page {
    float width, height;
    struct margins margins;
    struct section *sections;
    size_t n_sections;
    struct block *floats; /* pictures at fixed places */
    size_t n_floats;      /* the array has room for 2 * PAGE_DRAWINGS more */
    /* the layout was not understood: the page has its lines in the order of the file */
    bool plain;
    struct text_box *text_boxes;
    size_t n_text_boxes;
    struct word *words; /* all words of the page */
    size_t n_words;
    struct {
        struct footnote *last; /* the last footnote, or NULL */
        int first;             /* the number of the first footnote that has one; or 0 */
        float gap;             /* distance between the text and the first footnote */
        bool ruled;            /* a line separates text and footnotes */
        /* The number of blocks at the end of the text that may continue a footnote of the
         * previous page. */
        size_t n_rest;
        bool rest_ruled;       /* a separator line is above these blocks */
        struct area rest_rule; /* that line, unless it is a paragraph's border */
        struct block *moved;   /* the blocks that were moved to the footnote of the previous page */
        size_t n_moved;
        struct boxed rest_boxed; /* the border of these blocks, if the separator line was one */
        struct block rest_float; /* the separator line, if it was a picture */
        size_t float_at;         /* index of rest_float among the floats */
        bool floated;            /* rest_float was moved, too */
    } notes;
    struct block caption; /* "continued", which was above a table that continues; if `captioned` */
    bool captioned;
    bool no_header;   /* it has neither header nor footer */
    bool only_number; /* header and footer contain only a page number, which other pages' do not */
    size_t
        header_set; /* the set of header and footer (layout/page/header_sets.h), or NO_HEADER_SET */
    bool even;      /* the page number is even */
    int number;     /* the page number in header or footer; -1: not known */
    enum page_transition before, after;
    float end;      /* y of the end of the text */
    bool fixed_end; /* text continues in the next column at `end`, not further below */
    bool full;      /* the last column also reaches `end` */
    bool even_end;  /* the columns end at one height, far from the end of the page */
};
