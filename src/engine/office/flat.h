/* flat: writes flat ODF for plain text, and changes the page layout in flat ODF that LibreOffice
 * wrote. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

/* Begins a text document. */
void flat_begin_text(FILE *file);
/* Writes one line; blanks and tabs are preserved. */
void flat_paragraph(FILE *file, const char *text, size_t n, bool new_page);
void flat_end_text(FILE *file);

/* Begins a document with one sheet. `widths`: of the columns, in characters. */
void flat_begin_sheet(FILE *file, const size_t *widths, size_t n);
void flat_begin_row(FILE *file);
void flat_cell(FILE *file, const char *text, size_t n);
void flat_end_row(FILE *file);
void flat_end_sheet(FILE *file);

/* Names of paper sizes: those of ISO 216, and letter, legal and tabloid (ANSI Y14.1). */
extern const char *const flat_papers[];

struct flat_page {
    bool one_wide, one_high; /* scale everything to one page across, or down */
    const char *orientation; /* "portrait", "landscape"; NULL: unchanged */
    const char *paper;       /* one of flat_papers; NULL: unchanged */
};

/* Reads a flat ODF document. ERR_LIMIT_EXCEEDED if it is too large to be changed. */
int flat_read(const char *path, struct buf *text, struct err *err);
int flat_write(const char *path, const struct buf *text, struct err *err);

/* Copies a flat ODF document that LibreOffice wrote, without hidden sheets: they are shown. */
int flat_show_sheets(const char *from, const char *to, struct err *err);
/* Copies a flat ODF document that LibreOffice wrote and changes the layout of all its pages. */
int flat_relayout(const char *from, const char *to, const struct flat_page *page, struct err *err);
