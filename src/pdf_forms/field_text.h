/* field_text: the text of a form field as content of its appearance (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "pdf_forms/field_font.h"

#define FIELD_TEXT_OPTIONS 128  /* of a list box are drawn at most */
#define FIELD_TEXT_CELLS   1000 /* of a comb, at most */
#define FIELD_TEXT_MARGIN  2.0  /* points between the border and the text */
#define FIELD_TEXT_LEADING 1.15 /* from line to line, of the font's size */

/* The colour of the selected options of a list box, as in other viewers. */
#define FIELD_TEXT_SELECTED     0x99C1DA
#define FIELD_TEXT_SELECTED_OPS "0.6 0.7569 0.8549 rg"

struct field_text {
    double width, height;          /* of the field, in points */
    double edge;                   /* width of its border, in points */
    double size;                   /* of the font, in points; 0: one that fits */
    const struct field_font *font; /* whose codes a value has that is put out here */
    char font_name[64];            /* of the font in the form's resources, with its slash; "" */
    char colour[64];               /* operands and operator; "" for black */
    uint32_t rgb;                  /* the same as 0xRRGGBB */
    int across;                    /* quadding: 0 left, 1 centre, 2 right */
    long long cells;               /* characters that have a cell each; 0: no comb */
    bool lines;                    /* lines are broken to the width, from the top */
    bool symbols;                  /* the value is the mark of a button, a code of ZapfDingbats */
    size_t n_options;              /* of a list box: each line is one, and none is broken */
    bool selected[FIELD_TEXT_OPTIONS];
};

/* Appends a text string (7.9.2.2) to `out` in UTF-8, lines ended by '\n', without other control
 * characters. False if it is too long or is not valid. */
bool field_text_read(const char *bytes, size_t n, struct buf *out);
/* Takes size, font and colour from a default appearance string, which is not trusted. */
void field_text_style(struct field_text *text, const char *bytes, size_t n);
/* Appends the operators that show `value`, which is in codes of text->font, named /F. */
void field_text_put(const struct field_text *text, const struct buf *value, struct buf *out);
/* The size of the font of a list box, and of one line whose size is given, in points. */
double field_text_list_size(const struct field_text *text);
double field_text_line_size(const struct field_text *text);

/* Whether a paragraph in UTF-8 begins at the right: its first letter says so. */
bool field_text_begins_right(const char *utf8, size_t n);
/* Where the character at `at` ends, with the marks that are drawn on it. */
size_t field_text_cluster(const char *utf8, size_t n, size_t at);
/* The length of the paragraph that begins at `at`, without its end. */
size_t field_text_paragraph(const char *utf8, size_t n, size_t at);
/* The first of the cells of a comb that `count` characters take. */
size_t field_text_first_cell(const struct field_text *text, size_t count);
/* The width there is for text, in points. */
double field_text_room(const struct field_text *text);
/* Where a line of that width begins, in points from the left edge of the field. */
double field_text_start(const struct field_text *text, double width);
