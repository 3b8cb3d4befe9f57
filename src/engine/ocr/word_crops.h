/* word_crops: the pictures of words that were read with little confidence, cut out of the page as
 * it was read, upright and level. */
#pragma once

#include "engine/ocr/recognizer.h"

#define WORD_CROPS       100 /* limit of a page's; words after them have no picture */
#define WORD_CROPS_BYTES (1 << 20)

struct word_crop {
    uint32_t word, at, width, height; /* where its pixels begin, in gray */
};

struct word_crops {
    struct word_crop crops[WORD_CROPS]; /* by rising words */
    uint32_t n, n_pixels;
    uint8_t pixels[WORD_CROPS_BYTES];
};

/* Whether a word is one that somebody has to compare with its picture. */
bool word_crops_wants(const struct layer_word *word);
/* Cuts the pictures of a page's words. What there is no memory or room for is left out. */
void word_crops_cut(struct scan *scan, const struct recognition *read, struct word_crops *crops);
/* Whether crops of a process that is not trusted fit a page of `n_words`. */
bool word_crops_are_sound(const struct word_crops *crops, uint32_t n_words);
