/* letters: estimates the font size of a line from the heights of the ink of its words, and from
 * which letters they have. */
#pragma once

#include <stddef.h>

#define LETTERS_WORDS 256 /* limit of the words of a line that count */

/* Of usual fonts, in parts of their size. */
#define LETTERS_ASCENT  0.78
#define LETTERS_DESCENT 0.22

struct letters_sizes {
    double sizes[LETTERS_WORDS];
    int weights[LETTERS_WORDS];
    size_t n;
};

/* Notes a word of n bytes of UTF-8 whose ink is `above` and `below` pixels from the baseline. */
void letters_note(struct letters_sizes *sizes, const char *text, size_t n, double above,
                  double below);
/* Notes a word of a vertical line, whose ink is `width` pixels wide. */
void letters_note_width(struct letters_sizes *sizes, double width);
/* The size in pixels, at least 1. */
double letters_size(struct letters_sizes *sizes);
