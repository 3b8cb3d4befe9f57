/* body: writes blocks as XML, for document.xml and for headers and footers. */
#pragma once

#include "write/docx/docx.h"
#include "write/docx/units.h"

struct notes;

struct body {
    struct buf xml;
    struct buf rels;   /* relationships of the part */
    struct buf floats; /* runs that wait for a paragraph to be anchored in */
    const struct page_font *fonts;
    const char *family;            /* default font family; runs in it need no font property */
    float size;                    /* default font size in points */
    struct buf *comments;          /* comments.xml so far; NULL: the part has no comments */
    const struct page_note *noted; /* the last one that was written as a comment */
    unsigned n_comments;
    const unsigned
        *note_rels;      /* relationship ids of the pictures of the content's notes; or NULL */
    const char *style;   /* style of paragraphs without another style; or NULL */
    struct notes *notes; /* footnotes so far; NULL: the part has no footnotes */
    /* notes_put(notes, ...), for a mark in the text */
    void (*put_note)(struct notes *notes, struct body *text, const struct run *mark);
    bool noted_by_number;        /* the next run is the mark of a footnote that Word numbers */
    unsigned n_rels, n_drawings; /* how many relationship and drawing ids were used */
    /* offset at which the last paragraph accepts section properties; 0: there is none, or
     * something follows it */
    size_t section_at;
    bool exact;        /* paragraphs and tables keep their places */
    bool inside;       /* the current content is in a cell */
    bool table_open;   /* the last table waits for its rows on the next page */
    bool break_before; /* the next paragraph begins a page */
    /* number of the page to be marked by a bookmark in the next paragraph; 0: none */
    unsigned bookmark;
    /* the style of the first heading of each level; size 0: none so far */
    struct style headings[MODEL_HEADINGS];
    const struct style *heading;         /* the style of the current heading; or NULL */
    const struct page_picture *pictures; /* the content's */
    const unsigned *picture_rels;        /* relationship ids of the pictures */
    const struct page_content *content;  /* the content whose links pictures may have; or NULL */
};

void body_free(struct body *body);
/* Writes a paragraph with `after` points of space below it. */
void body_paragraph(struct body *body, const struct paragraph *p, float after);
/* Appends to the paragraph that was written last; false: that is not possible. */
bool body_go_on(struct body *body, const struct paragraph *p);
void body_blocks(struct body *body, const struct block *blocks, size_t n);
/* Writes an empty paragraph that is `height` points high. */
void body_spacer(struct body *body, float height);
/* Writes a table, or appends it to the table that is open; leaves it open if it continues. */
void body_table(struct body *body, const struct table *table);
/* Ends the table that is open, if any. */
void body_table_end(struct body *body);
/* Writes a text box at its place on the page. */
void body_text_box(struct body *body, const struct text_box *box);
/* Writes a picture: in a line of its own, or at its place on the page. */
void body_figure(struct body *body, const struct figure *figure);
/* Adds a relationship to `target`, and returns its id. */
unsigned body_relate(struct body *body, const char *type, const char *target, bool outside);
/* Writes the runs in body->floats into the paragraph that is open. */
void body_waiting(struct body *body);
