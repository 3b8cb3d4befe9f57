/*
 * furniture: the headers and footers of a document. Pages share one set of them, for pages with odd
 * and with even numbers, until what is in it changes, as from chapter to chapter.
 */
#pragma once

#include "paragraph/flow.h"

/* A page's header and footer. */
struct furniture_taken {
    struct word_list head, foot;
    char text[2 * SURVEY_TEXT]; /* of what changes from chapter to chapter */
    bool lone;                  /* there is nothing but the number of the page */
    int number;                 /* of the page; 0: not known */
};

struct furniture_set {
    char text[2][2 * SURVEY_TEXT]; /* [1]: of pages with even numbers where they have others */
    bool there[2];
    struct block_list head[2], foot[2];
};

struct furniture {
    struct arena arena; /* holds it; freed by who has it */
    struct furniture_set *items;
    size_t n, cap;
    struct block_list lone_head, lone_foot; /* of pages that have but a number */
};

/* Marks the words of the page's header and footer as used. */
void furniture_take(const struct survey *survey, struct arena *arena, struct sheet *sheet,
                    struct word *words, size_t n, struct furniture_taken *taken);
/* Sets the page's set, bare and lone. `side`: 1 for pages with even numbers, where they have others
 * (survey.alternates). What is new is kept in the furniture's arena. */
void furniture_put(struct furniture *furniture, const struct flow *flow,
                   const struct furniture_taken *taken, int side, struct page *page);
/* The set with what pages of that side have: it, or the one before it where it has none. NULL:
 * there is no such set. */
const struct furniture_set *furniture_find(const struct furniture *furniture, size_t set, int side);
