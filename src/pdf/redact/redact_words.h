/*
 * redact_words: texts that must be nowhere in a document any more, and where they occur in strings.
 * Case (unless it is asked for), compatibility forms (ligatures, full width), invisible characters
 * and the kind and number of white-space characters make no difference.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct redact_words {
    struct redact_word {
        uint32_t *at; /* folded */
        size_t n;
        bool bounded; /* counts only where no letter or digit is next to it */
        char *text;   /* as it was given, UTF-8 */
    } * items;
    size_t n, cap;
    bool exact;  /* case makes a difference; to be set before the first text is added */
    bool joined; /* its words may be joined as in names of files: John_Smith, john.smith, JohnSmith
                  */
    bool failed; /* out of memory; checked at the end */
};

#define REDACT_WORDS_SHORT 3 /* characters: texts that are as short are always bounded */

/* Adds a text in UTF-8, once. Texts without a letter or digit are ignored. */
void redact_words_add(struct redact_words *words, const char *text, bool bounded);
void redact_words_free(struct redact_words *words);

/* A text in which texts are looked for, as it was folded. */
struct redact_folded {
    bool exact; /* as in struct redact_words; to be set before */
    uint32_t *at;
    size_t *from; /* the offset of the character that it is of; one more for the end */
    size_t n, cap, cap_from;
};

/* Folds n bytes of UTF-8; other bytes are skipped. False when out of memory. */
bool redact_words_fold(struct redact_folded *folded, const char *text, size_t n);
void redact_words_unfold(struct redact_folded *folded);
/* The index of a text that occurs from folded character *at on, whose position becomes *at, and its
 * length *n; SIZE_MAX if there is none. */
size_t redact_words_find(const struct redact_words *words, const struct redact_folded *folded,
                         size_t *at, size_t *n);

/* The index of the first text that occurs in n bytes of UTF-8, or SIZE_MAX. */
size_t redact_words_search(struct redact_words *words, const char *text, size_t n);
/* Appends the text with "***" in place of each occurrence; returns their number. */
size_t redact_words_replace(struct redact_words *words, const char *text, size_t n,
                            struct buf *out);
