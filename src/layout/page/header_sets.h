/*
 * header_sets: the headers and footers of a document. Pages share one set of them, separate for odd
 * and even page numbers, until their contents change, as from chapter to chapter.
 */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/model.h"

#define HEADER_SET_TEXT   400  /* room for the text by which sets are compared */
#define HEADER_SET_TITLES 4096 /* lines of earlier pages that are remembered */

struct header_set {
    char text[2][HEADER_SET_TEXT]; /* as in struct header_footer; [1]: of even pages, if separate */
    int lines[2];                  /* number of lines that are the same on all pages */
    bool there[2];                 /* whether the set has a header and footer for that side */
    struct block_list head[2], foot[2];
};

struct header_sets {
    struct arena arena; /* owns the contents; freed by the owner of the struct */
    struct header_set *items;
    size_t n, cap;
    struct block_list number_head, number_foot; /* of pages that have only a page number */
    /* The words of short lines of earlier pages (titles_words), the oldest ones overwritten. */
    uint64_t titles[HEADER_SET_TITLES];
    size_t n_titles; /* all that were added */
};

/* The set to use for pages of that side: number `set`, or the nearest earlier one, or else the
 * next later one, that has something for that side; number `set` if none has. NULL: there is no
 * set of that number. */
const struct header_set *header_sets_find(const struct header_sets *sets, size_t set, int side);
