/* odd_words: counts words that no language writes so, as programs make them when they read a page
 * in the wrong script, or noise: "Konn4uecTso", "th~e", "qzxv". */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct odd_words {
    size_t words;   /* tokens with at least two letters or digits */
    size_t odd;     /* of these */
    size_t symbols; /* tokens without any letter or digit */
    size_t unknown; /* characters without a meaning: U+FFFD, controls, private ones */
    size_t known;   /* the other characters */
};

/* Counts a token: n characters without a space. */
void odd_words_count(struct odd_words *words, const uint32_t *token, size_t n);
