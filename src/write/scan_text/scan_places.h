/* scan_places: where words, lines and blocks of a page are, in pixels from its top left corner. */
#pragma once

#include "base/buf.h"
#include "write/scan_text/scan_text.h"

#define SCAN_PLACES_LANGUAGE 16

struct scan_box {
    long left, top, right, bottom;
};

/* The size of the page. */
struct scan_box scan_places_page(const struct scan_text_page *page);
struct scan_box scan_places_word(const struct scan_text_page *page, const struct layer_word *word);
/* The box of all words of `n` lines. */
struct scan_box scan_places_lines(const struct scan_text_page *page, const struct layer_line *lines,
                                  size_t n);
/* The baseline of a level line: how much it sinks for each pixel to the right, and how far it is
 * above (negative) the bottom of the line's box at its left edge. False of other lines. */
bool scan_places_baseline(const struct scan_text_page *page, const struct layer_line *line,
                          double *slope, double *offset);
/* How many lines a block, or a paragraph within n lines of a block, has that begins with the first
 * of n lines. */
size_t scan_places_block(const struct layer_line *lines, size_t n);
size_t scan_places_paragraph(const struct layer_line *lines, size_t n);
/* The first of the page's languages as RFC 5646 and XML Schema have it: "chi" of "chi_sim+eng". */
void scan_places_language(const struct scan_text_page *page, char out[static SCAN_PLACES_LANGUAGE]);
/* Appends text for XML 1.0, without the characters that it cannot have. */
void scan_places_put(struct buf *out, const char *text, size_t n);
