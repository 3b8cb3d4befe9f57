/*
 * layout: shapes text of any script, in its direction, breaks it into lines, measures and draws it.
 * Other installed fonts supply characters that a font lacks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stamp/draw/drawing.h"

#define LAYOUT_FONT_MAX 2000.0 /* points: larger sizes are clamped */

enum layout_align { LAYOUT_START, LAYOUT_CENTER, LAYOUT_END };

struct layout_style {
    /* "Noto Serif", "DejaVu Sans Bold"; NULL: the default. A font that is not installed is
     * replaced by a similar one (see drawing_has_font) */
    const char *font;
    bool bold;               /* for the default font: other fonts' names include it */
    double size;             /* font size */
    double width;            /* longer lines are broken, within words if necessary; 0: never */
    enum layout_align align; /* of lines; START is the right side for right-to-left text */
};

struct layout;

/*
 * Lays out a text: UTF-8; line breaks are kept. ERR_TEXT_NOT_ENCODABLE, naming the character, if no
 * installed font has a glyph for one: none is ever drawn as a box.
 */
struct layout *layout_new(struct drawing *drawing, const char *text,
                          const struct layout_style *style, struct err *err);
void layout_free(struct layout **layout);
#define AUTO_LAYOUT __attribute__((cleanup(layout_free)))

struct layout_size {
    double width, height;   /* of the lines, with the font's ascent and descent */
    struct drawing_box ink; /* bounds of the ink, relative to the top left corner of the lines */
    double baseline;        /* of the first line, from the top */
    int n_lines;
};

void layout_measure(const struct layout *layout, struct layout_size *size);
/* Draws the text with the top left corner of its lines at x, y. Emoji keep their own colours. */
void layout_draw(const struct layout *layout, double x, double y, uint32_t color);
