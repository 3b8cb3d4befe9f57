/*
 * layout: text of any script, shaped, in the right direction, broken into lines, measured and
 * drawn. Fonts that lack a character are helped out by the others that are installed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/drawing.h"

#define LAYOUT_FONT_MAX 2000.0 /* points; a larger one is taken to be that */

enum layout_align { LAYOUT_START, LAYOUT_CENTER, LAYOUT_END };

struct layout_style {
    const char *font; /* "Noto Serif", "DejaVu Sans Bold"; NULL: ours. What is not installed is
                         replaced by what comes next to it (see drawing_has_font) */
    bool bold;        /* for ours: others say so in their name */
    double size;      /* of the font */
    double width;     /* lines that get longer are broken, within words if need be; 0: never */
    enum layout_align align; /* of lines; START is the right for text that begins from right */
};

struct layout;

/*
 * `text`: UTF-8; line breaks are kept. ERR_TEXT_NOT_ENCODABLE, with the character named, if one has
 * no glyph in any installed font: none is ever drawn as a box.
 */
struct layout *layout_new(struct drawing *drawing, const char *text,
                          const struct layout_style *style, struct err *err);
void layout_free(struct layout **layout);
#define AUTO_LAYOUT __attribute__((cleanup(layout_free)))

struct layout_size {
    double width, height;   /* of the lines, with the room a font wants around its letters */
    struct drawing_box ink; /* what is black, relative to the top left corner of the lines */
    double baseline;        /* of the first line, from the top */
    int n_lines;
};

void layout_measure(const struct layout *layout, struct layout_size *size);
/* Draws it with the top left corner of its lines at x, y. Emoji keep colours of their own. */
void layout_draw(const struct layout *layout, double x, double y, uint32_t color);
