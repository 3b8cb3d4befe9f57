/*
 * page_list: which pages a client means by "1-3,7,odd,!2,r1". Our own grammar;
 * engines get plain numbers.
 *
 *     list = item *( "," item )           blanks may separate tokens
 *     item = ["!"] ( N | N-M | N- | -N | "all" | "odd" | "even" )
 *     N    = number from 1 | "r" number (Nth from the end, r1 is the last) | "last"
 *
 * N-M may go backwards; an M beyond the last page means the last page, any other number beyond it
 * is ERR_PAGE_OUT_OF_RANGE. "!" takes its pages out of the whole list; a list of "!" items alone
 * starts from all pages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PAGE_LIST_ITEMS 10000   /* items in one list */
#define PAGE_LIST_PAGES 1000000 /* pages one list may name, repetitions included */

struct page_item {
    size_t *pages; /* page numbers from 0, in order, repetitions kept */
    size_t n;
    char label[24]; /* canonical: "3", "1-3", "odd": for the names of parts */
};

struct page_list {
    struct page_item *items; /* without the "!" items; an item all of whose pages were taken out
                                is left out */
    size_t n_items;
    size_t n_pages; /* over all items */
    bool clamped;   /* an end beyond the last page was taken back to it */
};

/* Judges the syntax. On failure err holds ERR_INVALID_PARAMETER and says what is wrong and where.
 */
int page_list_check(const char *text, struct err *err);

/* Whether it names more than one page whatever the document, as "1,2" and "1-2" do. The list was
 * checked; of one with "!" items only the document can tell. */
bool page_list_is_several(const char *text);

/*
 * Which pages of a document with `n_pages` are meant. ERR_PAGE_OUT_OF_RANGE for an item that
 * starts beyond the last page, or if no page is left; ERR_LIMIT_EXCEEDED over PAGE_LIST_PAGES.
 */
int page_list_resolve(const char *text, size_t n_pages, struct page_list *list, struct err *err);
void page_list_free(struct page_list *list);
#define AUTO_PAGE_LIST __attribute__((cleanup(page_list_free)))

/* The set as a map: map[i] is whether page i is in it. n_pages entries, the caller frees it. */
bool *page_list_map(const struct page_list *list, size_t n_pages, struct err *err);
