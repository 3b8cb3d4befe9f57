/*
 * section: the sections of a document: pages of one size, with the same columns, headers and
 * footers. What they are like is said at their end.
 */
#pragma once

#include "docx/body.h"

/* The section that is being written. */
struct open_section {
    float width, height;
    struct margins margins;
    size_t n_columns;
    struct column columns[MODEL_COLUMNS];
    bool next_page; /* how it begins */
    bool first;     /* of the document */
    bool flows;     /* text goes over from page to page */
    bool full;      /* all columns of its last page, after which nothing goes on */
    bool several;   /* pages */
    bool notes;     /* some of its pages have footnotes, above which there is room */
    bool tight;     /* or none */
    float lowest;   /* where it ends, at most */
    size_t set;     /* of its headers and footers; FURNITURE_NONE: none was there so far */
    bool bare;      /* its first page has none, or */
    bool lone;      /* the number of the page alone */
    int number;     /* of its first page; 0: as it comes */
    int note;       /* of its first footnote; 0: as it comes */
    bool noted;     /* there were others before it */
    bool counts;    /* it has some that Word counts */
    bool chapter;   /* it begins with one */
};

/* Relationships to headers and footers; 0: not there. */
struct section_rels {
    unsigned head[2], foot[2]; /* [1]: of pages with even numbers */
};

struct sections {
    struct body *body;
    const struct document_facts *options;
    struct open_section open;
    bool opened; /* there is one */
    int number;  /* that the last page has in the document */
    int start;   /* of footnotes; 0: 1 */
    struct section_rels *sets;
    size_t n_sets, cap_sets;
    struct section_rels lone, none; /* [0]: of first pages */
};

/* The page's part `from` begins; `new_page`: with it the page. */
void section_begin(struct sections *sections, const struct page *page, const struct section *from,
                   bool new_page);
/* The page begins within a paragraph of the one before it. */
void section_go_on(struct sections *sections, const struct page *page);
/* The properties of the open section (CT_SectPr). */
void section_put(struct sections *sections, struct buf *xml);
/* The space before a section of columns, as a line of that height. */
void section_lift_first(struct body *body, const struct section *section);
/* The name of a part: of a set's header (or footer) for pages with odd (or even) numbers. */
struct section_name {
    char text[40];
};
struct section_name section_part(const char *kind, size_t set, int side);
#define SECTION_LONE SIZE_MAX       /* of pages with their number alone */
#define SECTION_BARE (SIZE_MAX - 1) /* with nothing */
