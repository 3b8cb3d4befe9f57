/*
 * notes: writes footnotes.xml. Word numbers footnotes whose numbers are consecutive, so that it
 * renumbers them when one is added; other marks are text.
 */
#pragma once

#include "write/docx/body.h"
#include "write/docx/proof.h"
#include "write/opc/package.h"

#define NOTES_PART  "word/footnotes.xml"
#define NOTES_STYLE "FootnoteText"

struct notes {
    struct body body;
    unsigned n;  /* number of footnotes */
    bool counts; /* Word numbers some of them */
    int next;    /* the number that Word gives to the next one */
    int page;    /* the number that it gave to the first one of the page; 0: none so far */
    float gap;   /* between the text and the first footnote, in points */
    bool ruled;  /* the gap contains a line */
    float size;  /* font size of their text; 0: not known */
    struct proof written;
};

/* Begins the part. `family`, `size`: the document's defaults, which need not be written. */
void notes_open(struct notes *notes, const char *family, float size);
void notes_free(struct notes *notes);
/* Begins a page. */
void notes_begin(struct notes *notes, const struct page *page);
/* Writes the footnote, and in the text the run that is its mark. */
void notes_put(struct notes *notes, struct body *text, const struct run *mark);
/* Appends the text of the page's footnotes as Word shows it. */
void notes_read(const struct notes *notes, struct buf *text);
/* Writes out what is verified; `end`: all of it. */
int notes_flush(struct notes *notes, struct package *package, bool end, struct err *err);
