/*
 * docx: Word documents (ECMA-376, Part 1, transitional), page after page. A page of the source
 * begins a page of the document, by a break or, where text goes over from one to the next, because
 * the one before it is full.
 */
#pragma once

#include "base/err.h"
#include "reflow/layout.h"

struct docx;

struct docx_options {
    bool exact;         /* paragraphs stand where they stood, in frames */
    const char *family; /* of most text */
    float size;
    bool has_head, has_foot; /* a header and footer will be given */
    bool alternates;         /* and others for pages with even numbers */
    bool mirrored;           /* left and right margins are exchanged on them */
    float head_y, foot_y;    /* where they are, from the edge of the page; 0: not known */
    int first_number;        /* of the first page; 0: it is 1 */
};

/* Into the file at path, which is borrowed. */
struct docx *docx_open(const char *path, const struct docx_options *options, struct err *err);
void docx_free(struct docx *docx);
/* 0: the page was written. 1: its words cannot be read in what was written, which was taken back:
 * try again with another page of the same sheet. A page that is plain is written as it is. */
int docx_page(struct docx *docx, const struct page *page, const struct sheet *sheet,
              struct err *err);
/* The document's lists, header and footer; and reads it, to see that all is there. */
int docx_end(struct docx *docx, const struct numbering *numbering,
             const struct furniture *furniture, const struct sheet_font *fonts, struct err *err);
