/* flat: the flat ODF that plain text becomes, and one thing changed in what LibreOffice writes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

void flat_begin_text(FILE *file);
/* One line; blanks and tabs stay as they are. */
void flat_paragraph(FILE *file, const char *text, size_t n, bool new_page);
void flat_end_text(FILE *file);

/* `widths`: of the columns, in characters. */
void flat_begin_sheet(FILE *file, const size_t *widths, size_t n);
void flat_begin_row(FILE *file);
void flat_cell(FILE *file, const char *text, size_t n);
void flat_end_row(FILE *file);
void flat_end_sheet(FILE *file);

/* Names of papers: those of ISO 216, and letter, legal and tabloid (ANSI Y14.1). */
extern const char *const flat_papers[];

struct flat_page {
    bool one_wide, one_high; /* everything on so many pages */
    const char *orientation; /* "portrait", "landscape", NULL: as it is */
    const char *paper;       /* one of flat_papers; NULL: as it is */
};

/* Copies a flat ODF document with the layout of all its pages changed so. */
int flat_relayout(const char *from, const char *to, const struct flat_page *page, struct err *err);
