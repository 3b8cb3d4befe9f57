/* layer_words: the words of a page, seen or not, with their places in a picture of it. */
#pragma once

#include "engine/layer_fit/odd_words.h"
#include "engine/mupdf/mupdf_document.h"

/* In pixels of the picture. */
struct layer_words_box {
    double left, top, right, bottom;
    size_t letters; /* characters of the word */
    uint32_t hash;  /* layer_words_hash of it */
    bool followed;  /* the next word is to its right in the same line */
};

struct layer_words {
    struct layer_words_box *boxes; /* owned */
    size_t n, cap;
    struct odd_words counts;
};

/* Reads a page; `zoom`: pixels in a point. ERR_LIMIT_EXCEEDED for a page that needs too much work
 * or memory. Must be called by the thread that owns the document. */
int layer_words_read(struct mupdf_document *doc, size_t page, double zoom, struct layer_words *out,
                     struct err *err);
/* A hash of a word, by which words are compared that were read twice. */
uint32_t layer_words_hash(const uint32_t *word, size_t n);
void layer_words_free(struct layer_words *words);
