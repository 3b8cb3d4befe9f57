/*
 * furniture: the headers and footers of a document. Pages share one set of them, separate for odd
 * and even page numbers, until their contents change, as from chapter to chapter.
 */
#pragma once

#include "paragraph/flow.h"

/* The header and footer of one page. */
struct furniture_taken {
    struct word_list head, foot;
    /* the lines that change from chapter to chapter, without blanks; digits are '#' */
    char text[2 * SURVEY_TEXT];
    bool lone;  /* the text is only the page number */
    int number; /* the page number; 0: not known */
    int lines;  /* number of lines that are the same on all pages */
    bool held;  /* a table has words in the area of headers and footers */
};

struct furniture_set {
    char text[2][2 * SURVEY_TEXT]; /* [1]: of even pages, if they have others */
    int lines[2];                  /* like furniture_taken.lines */
    bool there[2];                 /* whether the set has a header and footer for that side */
    struct block_list head[2], foot[2];
};

struct furniture {
    struct arena arena; /* owns the contents; freed by the owner of the struct */
    struct furniture_set *items;
    size_t n, cap;
    struct block_list lone_head, lone_foot; /* of pages that have only a number */
};

/* Finds the page's header and footer, and claims their words. */
void furniture_take(const struct survey *survey, struct arena *arena, struct sheet *sheet,
                    struct word *words, size_t n, struct furniture_taken *taken);
/* Sets `set`, `bare`, `lone` and `number` of the page. `side`: 1 for even pages if they have others
 * (survey.alternates). New contents are kept in the furniture's arena. */
void furniture_put(struct furniture *furniture, const struct flow *flow,
                   const struct furniture_taken *taken, int side, struct page *page);
/* The set to use for pages of that side: number `set`, or the nearest earlier one, or else the
 * next later one, that has something for that side; number `set` if none has. NULL: there is no
 * set of that number. */
const struct furniture_set *furniture_find(const struct furniture *furniture, size_t set, int side);
