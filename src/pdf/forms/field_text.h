/* field_text: writes the text of a form field as content of its appearance (ISO 32000-2,
 * 12.7.4.3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "pdf/forms/field_font.h"

#define FIELD_TEXT_OPTIONS 128  /* limit of the options of a list box that are drawn */
#define FIELD_TEXT_CELLS   1000 /* limit of the cells of a comb field */
#define FIELD_TEXT_MARGIN  2.0  /* points between the border and the text */
/* The distance of lines in a list, in font sizes. */
#define FIELD_TEXT_LEADING FIELD_FONT_LEADING
/* The height of a single line of an automatic size without its border, in font sizes: as Acrobat
 * and pdf.js have it. */
#define FIELD_TEXT_AUTO 1.35

/* The colour of the selected options of a list box, as in other viewers. */
#define FIELD_TEXT_SELECTED     0x99C1DA
#define FIELD_TEXT_SELECTED_OPS "0.6 0.7569 0.8549 rg"

struct field_text {
    double width, height;          /* of the field, in points */
    double edge;                   /* width of its border, in points */
    double size;                   /* font size in points; 0: one that fits */
    const struct field_font *font; /* the font in whose codes values are written */
    char font_name[64];            /* its name in the form's resources, with a slash; "": none */
    char colour[64];               /* operands and operator; "" for black */
    uint32_t rgb;                  /* the same as 0xRRGGBB */
    int across;                    /* quadding: 0 left, 1 centre, 2 right */
    long long cells;               /* number of cells of a comb field; 0: it is not one */
    bool lines;                    /* lines are broken to the width, from the top */
    bool symbols;                  /* the value is the mark of a button, a code of ZapfDingbats */
    size_t n_options; /* of a list box: its options in the value, one a line, not wrapped; else 0 */
    bool selected[FIELD_TEXT_OPTIONS];
};

/* Appends a text string (7.9.2.2) to `out` as UTF-8, with '\n' as line ends, without other
 * control characters. False if it is too long or invalid. */
bool field_text_read(const char *bytes, size_t n, struct buf *out);
/* Reads size, font and colour from a default appearance string, which is untrusted. */
void field_text_style(struct field_text *text, const char *bytes, size_t n);
/* Appends the operators that show `value`, encoded in text->font, which is named /F. */
void field_text_put(const struct field_text *text, const struct buf *value, struct buf *out);
/* The font size of a list box, and of one line with a given size, in points. */
double field_text_list_size(const struct field_text *text);
double field_text_line_size(const struct field_text *text);

/* Whether a paragraph in UTF-8 is right-to-left, by its first letter. */
bool field_text_begins_right(const char *utf8, size_t n);
/* The end of the character at `at`, with its combining marks. */
size_t field_text_cluster(const char *utf8, size_t n, size_t at);
/* The length of the paragraph that begins at `at`, without its line end. */
size_t field_text_paragraph(const char *utf8, size_t n, size_t at);
/* The first of the cells of a comb field that `count` characters occupy. */
size_t field_text_first_cell(const struct field_text *text, size_t count);
/* The width available for text, in points. */
double field_text_room(const struct field_text *text);
/* Where a line of that width begins, in points from the left edge of the field. */
double field_text_start(const struct field_text *text, double width);
