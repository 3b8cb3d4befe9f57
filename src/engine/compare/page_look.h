/*
 * page_look: where two pages look different although their words are the same: pictures, drawings,
 * lines, and words in another font or colour. Pages are drawn at a low resolution, and edges that
 * lie a pixel apart are the same.
 */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/mupdf/mupdf_document.h"

#define PAGE_LOOK_AREAS 100 /* of a page, at most */
#define PAGE_LOOK_SIGNS 256 /* bytes of a signature */

struct page_look_box {
    float x0, y0, x1, y1; /* in points from the top left corner of the page as seen */
};

struct page_look {
    struct mupdf_document old, new;
};

/* Opens both documents, each with its password, or NULL. `run` gets no warnings. */
int page_look_open(struct page_look *look, const char *old, const char *new,
                   const char *const passwords[2], struct tool_run *run, struct err *err);
void page_look_close(struct page_look *look);
#define AUTO_PAGE_LOOK __attribute__((cleanup(page_look_close)))

/* The places that are not compared, on both pages: those of words that are compared as text. */
struct page_look_words {
    const struct page_look_box *boxes;
    size_t n;
};

/*
 * Compares two pages, counted from 0. Fills `areas` with the places that differ, and sets *n to
 * their number: beyond PAGE_LOOK_AREAS they are one area around all. Pages of different sizes
 * differ as a whole. *seen: both could be drawn. -1 only out of memory.
 */
int page_look_compare(struct page_look *look, size_t old, size_t new,
                      const struct page_look_words *words,
                      struct page_look_box areas[static PAGE_LOOK_AREAS], size_t *n, bool *seen,
                      struct err *err);
/* Describes how a page looks: the brightness of its parts. False if it cannot be drawn. */
bool page_look_sign(struct mupdf_document *doc, size_t page, uint8_t signs[static PAGE_LOOK_SIGNS]);
/* Whether two signatures are those of pages that look nearly the same. */
bool page_look_is_same(const uint8_t a[static PAGE_LOOK_SIGNS],
                       const uint8_t b[static PAGE_LOOK_SIGNS]);
