/*
 * word_ids: numbers the words of documents so that the same words have the same number: compatible
 * forms of characters (ligatures, wide letters, decomposed accents) are the same.
 */
#pragma once

#include "base/err.h"
#include "layout/difference/text_words.h"

struct word_ids {
    struct buf texts;       /* of the words so far, each of which ends with a NUL */
    size_t *starts;         /* for each number, where its text begins */
    uint32_t *slots;        /* a hash table with open addressing of numbers + 1 */
    size_t n, cap, n_slots; /* number of words; of slots, a power of two */
    bool fold_case, drop_punctuation;
};

/* Sets the `id` of the words of a list; a word of which nothing is left has the number 0. */
int word_ids_set(struct word_ids *ids, struct text_words *list, struct err *err);
void word_ids_free(struct word_ids *ids);
