/* body: blocks as XML, for document.xml and for headers and footers. */
#pragma once

#include "docx/docx.h"
#include "docx/units.h"

struct notes;

struct body {
    struct buf xml;
    struct buf rels;   /* relationships of the part */
    struct buf floats; /* runs that wait for a paragraph to stand in */
    const struct sheet_font *fonts;
    const char *family; /* what needs not be said */
    float size;
    struct buf *comments;           /* comments.xml so far; NULL: there are none here */
    const struct sheet_note *noted; /* the last one that became a comment */
    unsigned n_comments;
    const char *style;           /* of paragraphs that are nothing else; or NULL */
    struct notes *notes;         /* footnotes so far; NULL: there are none here */
    bool noted_by_number;        /* the next run is the mark of a note, which Word counts */
    unsigned n_rels, n_drawings; /* numbers that were used */
    size_t section_at;           /* where the last paragraph takes section properties; 0: there is
                                    none, or something came after it */
    bool exact;                  /* paragraphs and tables stand where they stood */
    bool inside;                 /* what is written is in a cell */
    bool break_before;           /* the next paragraph begins a page */
    unsigned bookmark;           /* number of the page, to be marked in the next paragraph; 0 */
    struct style headings[SURVEY_HEADINGS]; /* as the first of each level is; size 0: none was */
    const struct style *heading;            /* that of what is written; or NULL */
    const struct sheet_picture *pictures;   /* the sheet's */
    const unsigned *picture_rels;           /* of each */
    const struct sheet *sheet;              /* whose links pictures may have; or NULL */
};

void body_free(struct body *body);
void body_paragraph(struct body *body, const struct paragraph *p, float after);
/* More text of the paragraph that was written last; false: none can take it. */
bool body_go_on(struct body *body, const struct paragraph *p);
void body_blocks(struct body *body, const struct block *blocks, size_t n);
/* A paragraph of no text, `height` points high. */
void body_spacer(struct body *body, float height);
void body_table(struct body *body, const struct table *table);
/* A box of text at its place on the page. */
void body_turned(struct body *body, const struct turned *turned);
void body_figure(struct body *body, const struct figure *figure);
/* A relationship to what `target` says; its number. */
unsigned body_relate(struct body *body, const char *type, const char *target, bool outside);
/* What waits for a paragraph. */
void body_waiting(struct body *body);
