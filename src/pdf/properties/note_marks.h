/*
 * note_marks: marks on pages, as annotations that every reader shows and lists: highlights, carets
 * and frames, each with a note (ISO 32000-1, 12.5.6.10, 12.5.6.11, 12.5.6.8).
 */
#pragma once

#include "pdf/document/doc.h"

enum note_kind {
    NOTE_HIGHLIGHT, /* of each of its boxes */
    NOTE_CARET,     /* at the left edge of its box */
    NOTE_FRAME,     /* around its box */
};

struct note_box {
    double x0, y0, x1, y1; /* in points from the top left corner of the page as seen */
};

struct note_mark {
    enum note_kind kind;
    size_t page; /* from 0 */
    const struct note_box *boxes;
    size_t n_boxes;
    double color[3];   /* red, green, blue: 0 to 1 */
    const char *title; /* UTF-8: what readers show as its author */
    const char *text;  /* UTF-8 */
};

/* Adds a mark to its page. */
int note_marks_add(struct pdf_doc *doc, const struct note_mark *mark, struct err *err);
