/*
 * notes: footnotes.xml. Numbers that count on are left to Word, which counts again when somebody
 * adds one; other marks are text.
 */
#pragma once

#include "docx/body.h"
#include "docx/proof.h"
#include "opc/package.h"

#define NOTES_PART  "word/footnotes.xml"
#define NOTES_STYLE "FootnoteText"

struct notes {
    struct body body;
    unsigned n;  /* that are there */
    bool counts; /* some of them Word does */
    int next;    /* number it gives the next one */
    int page;    /* and gave the first one of the page; 0: none so far */
    float gap;   /* between the text and the first note, points */
    bool ruled;  /* with a line in it */
    float size;  /* of their text; 0: not known */
    struct proof written;
};

/* `family`, `size`: what needs not be said of their text. */
void notes_open(struct notes *notes, const char *family, float size);
void notes_free(struct notes *notes);
/* The page comes. */
void notes_begin(struct notes *notes, const struct page *page);
/* Writes the note, and in the text the run that is its mark. */
void notes_put(struct notes *notes, struct body *text, const struct run *mark);
/* Adds the text of those of the page, as Word shows it. */
void notes_read(const struct notes *notes, struct buf *text);
/* What was written can go: it is right; `end`: and all. */
int notes_flush(struct notes *notes, struct package *package, bool end, struct err *err);
