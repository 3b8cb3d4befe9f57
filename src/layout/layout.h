/*
 * layout: analyses a page: finds its tables, columns and paragraphs, and returns them as a model of
 * a Word document.
 */
#pragma once

#include "base/err.h"
#include "layout/blocks/figures.h"
#include "layout/paragraph/header_footer.h"

struct making;

/* What a pass may claim (layout/page/claim.h). */
enum { LAYOUT_WORDS = 1, LAYOUT_FILLS = 2 };

/* A pass over a page. docs/to-word.md says why they are in their order. */
struct layout_pass {
    const char *name;
    unsigned claims; /* of LAYOUT_... */
    bool flowing;    /* only if paragraphs flow */
    void (*run)(struct making *m);
};

/* Looks at a page after each pass. `last`: no other pass follows. */
struct layout_watch {
    void (*passed)(void *hand, const struct layout_pass *pass, const struct page_content *content,
                   const struct page *page, bool last);
    void *hand; /* first argument of `passed` */
};

struct layout {
    const struct survey *survey;
    struct numbering *numbering;
    bool exact; /* paragraphs keep their places, and nothing needs to flow */
    /* number of the first page that is written; the member below is its index in the file */
    int first_number;
    size_t first;
    struct figures_drawer drawer;
    const struct layout_watch *watch; /* or NULL */
};

/*
 * Analyses a page. Everything in *page lives in the arena, and borrows from the content. New
 * headers and footers are added to *headers. If text would be lost, the page becomes paragraphs in
 * the order of the file: page->plain. ERR_LIMIT_EXCEEDED for memory.
 */
int layout_page(const struct layout *layout, struct arena *arena, struct page_content *content,
                struct page *page, struct header_sets *headers, struct err *err);
/* Makes paragraphs in the order of the file, without analysis. */
int layout_plain(const struct layout *layout, struct arena *arena, struct page_content *content,
                 struct page *page, struct err *err);
/* Adds a page to the statistics of all pages. */
int layout_survey(struct survey *survey, struct arena *arena, const struct page_content *content,
                  struct err *err);
