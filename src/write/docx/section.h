/*
 * section: writes the sections of a document: pages of one size, with the same columns, headers and
 * footers. The properties of a section are written at its end.
 */
#pragma once

#include "write/docx/body.h"

/* The section that is being written. */
struct open_section {
    float width, height;
    struct margins margins;
    size_t n_columns;
    struct column columns[MODEL_COLUMNS];
    bool next_page;   /* it begins on a new page */
    bool first;       /* it is the document's first */
    bool flows;       /* text flows from page to page */
    bool full;        /* all columns of its last page are full, after which nothing continues */
    bool several;     /* it has several pages */
    bool notes;       /* some of its pages have footnotes with space above them */
    bool tight;       /* some have footnotes without space above them */
    float lowest;     /* y of the lowest end of text */
    size_t set;       /* index of its headers and footers; NO_HEADER_SET: none so far */
    bool no_header;   /* its first page has no header and footer */
    bool only_number; /* its first page has only the page number */
    int number;       /* page number of its first page; -1: continued */
    int note;         /* number of its first footnote; 0: continued */
    bool noted;       /* there were footnotes before it */
    bool counts;      /* it has footnotes that Word numbers */
    bool chapter;     /* a chapter begins with it */
};

/* Relationships to headers and footers; 0: none. */
struct section_rels {
    unsigned head[2], foot[2]; /* [1]: of even pages */
};

struct sections {
    struct body *body;
    const struct document_facts *options;
    struct open_section open;
    bool opened; /* there is an open section */
    int number;  /* page number of the last page in the document */
    int start;   /* first number of footnotes; 0 means 1 */
    struct section_rels *sets;
    size_t n_sets, cap_sets;
    struct section_rels only_number, none; /* [0]: of first pages */
};

/* Begins part `from` of the page; `new_page`: the page begins with it. */
void section_begin(struct sections *sections, const struct page *page, const struct section *from,
                   bool new_page);
/* Adds to the open section a page that begins within a paragraph or table of the previous page. */
void section_go_on(struct sections *sections, const struct page *page);
/* Writes the properties of the open section (CT_SectPr). */
void section_put(struct sections *sections, struct buf *xml);
/* Writes the space before a section of columns, as an empty line of that height. */
void section_lift_first(struct body *body, const struct section *section);
/* The name of the part for a set's header or footer. `kind`: "header" or "footer"; `side`: 0 for
 * odd pages, 1 for even ones. `set` may be one of the values below. */
struct section_name {
    char text[40];
};
struct section_name section_part(const char *kind, size_t set, int side);
#define SECTION_ONLY_NUMBER SIZE_MAX       /* for pages with only a page number */
#define SECTION_NO_HEADER   (SIZE_MAX - 1) /* for pages without header and footer */
