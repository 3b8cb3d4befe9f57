/*
 * page_list: the pages that a client selects, such as "1-3,7,odd,!2,r1".
 *     list = item *( "," item )           blanks may separate tokens
 *     item = ["!"] ( N | N-M | N- | -N | "all" | "odd" | "even" )
 *     N    = number from 1 | "r" number (Nth from the end, r1 is the last) | "last"
 * N-M may go backwards; an M beyond the last page means the last page, any other number beyond it
 * is ERR_PAGE_OUT_OF_RANGE. "!" removes its pages from the whole list; a list with only "!" items
 * starts from all pages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PAGE_LIST_ITEMS 10000   /* limit of items in one list */
#define PAGE_LIST_PAGES 1000000 /* limit of pages that one list may name, repetitions included */

struct page_item {
    size_t *pages; /* page indexes from 0, in order, repetitions kept */
    size_t n;
    char label[24]; /* canonical form, for the names of parts: "3", "1-3", "odd" */
};

struct page_list {
    struct page_item *items; /* without "!" items, and without items whose pages were all removed */
    size_t n_items;
    size_t n_pages; /* sum over all items */
    bool clamped;   /* an end beyond the last page was replaced by the last page */
};

/* Checks the syntax. Fails with ERR_INVALID_PARAMETER, whose message says what is wrong and
 * where. */
int page_list_check(const char *text, struct err *err);

/* Whether a checked list names more than one page in any document, as "1,2" and "1-2" do. False
 * for lists with "!" items, which depend on the document. */
bool page_list_is_several(const char *text);

/*
 * Resolves the list for a document with `n_pages` pages. ERR_PAGE_OUT_OF_RANGE for an item that
 * starts beyond the last page, or if no page is left; ERR_LIMIT_EXCEEDED over PAGE_LIST_PAGES.
 */
int page_list_resolve(const char *text, size_t n_pages, struct page_list *list, struct err *err);
void page_list_free(struct page_list *list);
#define AUTO_PAGE_LIST __attribute__((cleanup(page_list_free)))

/* Converts the list to n_pages flags: map[i] is whether page i is in it. The caller frees the
 * map. */
bool *page_list_map(const struct page_list *list, size_t n_pages, struct err *err);
