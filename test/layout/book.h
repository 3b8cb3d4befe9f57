/* book: several pages that a test writes, and what becomes of them together. */
#pragma once

#include "layout/continuation/page_transition.h"
#include "layout/layout.h"
#include "letters.h"

#define PAGES 8 /* at most */
#define LINES 50

struct book {
    struct page_content contents[PAGES];
    struct arena arenas[PAGES];
    struct page pages[PAGES];
    struct survey survey;
    struct numbering numbering;
    struct header_sets headers;
    int n;
    float shift; /* of pages with an odd place */
};

static inline bool understand(struct book *book)
{
    struct layout layout = { .survey = &book->survey, .numbering = &book->numbering };
    struct arena arena = { 0 };
    struct err err;
    float lowest = 0;
    bool good = true;

    book->survey.n_pages = (size_t) book->n;
    for (int i = 0; i < book->n; i++) {
        good = good && layout_survey(&book->survey, &arena, &book->contents[i], &err) == 0;
        arena_free(&arena);
    }
    survey_end(&book->survey);
    layout.first_number = survey_page_number(&book->survey, 0);
    for (int i = 0; good && i < book->n; i++)
        good = layout_page(&layout, &book->arenas[i], &book->contents[i], &book->pages[i],
                           &book->headers, &err) == 0;
    for (int i = 1; good && i < book->n; i++)
        good =
            page_transition_find(&book->survey, &book->arenas[i - 1], book->contents[i - 1].fonts,
                                 &book->pages[i - 1], &book->pages[i], &lowest, &err) == 0;
    return good;
}

static inline void end(struct book *book)
{
    for (int i = 0; i < book->n; i++) {
        arena_free(&book->arenas[i]);
        page_content_free(&book->contents[i]);
    }
    arena_free(&book->headers.arena);
    numbering_free(&book->numbering);
}
