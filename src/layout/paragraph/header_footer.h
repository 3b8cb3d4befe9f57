/* header_footer: finds the header and footer of a page. */
#pragma once

#include "layout/page/header_sets.h"
#include "layout/paragraph/flow.h"

/* The header and footer of one page. */
struct header_footer {
    struct word_list head, foot;
    /* the lines that change from chapter to chapter, without blanks; digits are '#' */
    char text[HEADER_SET_TEXT];
    bool only_number; /* the text is only the page number */
    int number;       /* the page number; -1: not known */
    int lines;        /* number of lines that are the same on all pages */
    bool reserved;    /* a table has words in the area of headers and footers */
};

/* Finds the page's header and footer, and claims their words. The sets remember lines of the page,
 * whose words can be in the headers of later ones. */
void header_footer_claim(const struct survey *survey, struct header_sets *headers,
                         struct arena *arena, struct page_content *content, struct word *words,
                         size_t n, struct header_footer *found);
/* Whether the header and footer become text of their page, before and after all other. */
bool header_footer_is_text(const struct survey *survey);
/* Makes paragraphs of words of one of them, unless they are the number of the only page. */
void header_footer_flow(const struct flow *page, struct page_content *content,
                        const struct word_list *words, size_t n_words, struct block_list *blocks);
/* Sets `header_set`, `no_header`, `only_number` and `number` of the page. `side`: 1 for even pages
 * if they have others (survey.alternates). New contents are kept in the arena of the sets. */
void header_footer_put(struct header_sets *headers, const struct flow *flow,
                       const struct header_footer *found, int side, struct page *page);
