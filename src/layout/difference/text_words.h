/*
 * text_words: the words of a document in reading order, each with its place, as two documents are
 * compared by them. A word that a line break divides is one word with several pieces.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "layout/page/page_content.h"

#define TEXT_WORDS_MOST 5000000U /* words of a document that can be compared */

enum {
    WORD_EDGE = 1,  /* of a header or footer */
    WORD_PIECE = 2, /* continues the word before it in the list */
    WORD_BREAK = 4, /* begins a paragraph, cell or the like */
    WORD_NUMBER = 8 /* the number of its page, or that of pages: all of these are the same */
};

struct listed_word {
    uint32_t text; /* where its text begins in `texts`, which ends with a NUL; of pieces "" */
    uint32_t id;   /* of its text as it is compared; set by differences_find */
    uint32_t page; /* from 0 */
    uint32_t flags;
    struct area box; /* in points from the top left corner of the page as seen */
};

struct listed_page {
    size_t number;       /* in the document, from 0 */
    float width, height; /* as seen, in points */
    uint32_t from, n;    /* its words */
};

struct text_words {
    struct listed_word *words; /* those of a page follow one another */
    size_t n_words, cap_words;
    struct listed_page *pages;
    size_t n_pages, cap_pages;
    struct buf texts;
};

static inline const char *text_words_text(const struct text_words *list, size_t word)
{
    return list->texts.data + list->words[word].text;
}

void text_words_free(struct text_words *list);
