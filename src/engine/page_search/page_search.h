/*
 * page_search: finds texts, patterns and areas in a document, with their places: in everything that
 * pages draw, seen or not, and in the strings of the document besides its pages.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_search/search.h"
#include "pdf/redact/redact_hits.h"

struct tool_run;

struct page_search_options {
    const char *password; /* or NULL */
    const char *pages;    /* a page list */
    const char *regions;  /* page_search_check_regions; or NULL */
    struct search_wish wish;
};

/*
 * Appends what is found in the run's only input, in the order of pages, then of the document's
 * other strings, which are searched whatever `pages` is, and sets *n_pages to the number of pages
 * that were searched. Ids depend only on what is found and where. Warnings: no_text_layer,
 * page_damaged, unreadable_text. Errors are those of mupdf_document_open, page_list_resolve,
 * search_open and redact_hits_add; ERR_PAGE_OUT_OF_RANGE and ERR_INVALID_PARAMETER for areas.
 */
int page_search_run(struct tool_run *run, const struct page_search_options *options,
                    struct redact_hits *hits, size_t *n_pages, struct err *err);
/* The same in a document that is open, with its warnings but those of opening it. */
int page_search_document(struct tool_run *run, struct mupdf_document *doc,
                         const struct page_search_options *options, struct redact_hits *hits,
                         size_t *n_pages, struct err *err);
