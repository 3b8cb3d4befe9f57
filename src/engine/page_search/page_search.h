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
    const char *path;     /* of the document; NULL: the run's only input */
    bool layered;         /* scans have layers of what was just recognised in them, which fit */
    bool blind;           /* pictures cannot be read here, which is said where there are some */
    const char *password; /* or NULL */
    const char *pages;    /* a page list */
    const char *regions;  /* page_search_check_regions; or NULL */
    struct search_wish wish;
};

/*
 * Appends what is found in the document, in the order of pages, then of the document's
 * other strings, which are searched whatever `pages` is, and sets *n_pages to the number of pages
 * that were searched. Ids depend only on what is found and where. Warnings: no_text_layer,
 * text_layer_poor, ocr_not_installed, page_damaged, unreadable_text. Errors are those of
 * mupdf_document_open, page_list_resolve, search_open and redact_hits_add; ERR_PAGE_OUT_OF_RANGE
 * and ERR_INVALID_PARAMETER for areas.
 */
int page_search_run(struct tool_run *run, const struct page_search_options *options,
                    struct redact_hits *hits, size_t *n_pages, struct err *err);
/* The same in a document that is open, with its warnings but those of opening it. */
int page_search_document(struct tool_run *run, struct mupdf_document *doc,
                         const struct page_search_options *options, struct redact_hits *hits,
                         size_t *n_pages, struct err *err);

/* The parameters that tools of redaction share, for the table of a tool whose values are a `type`:
 * what is looked for besides texts, for which presets.h is included; and where, and how. */
#define PAGE_SEARCH_WANTED(type)                                                                   \
    TEXT(                                                                                          \
        type, pattern,                                                                             \
        "Regular expressions in the syntax of RE2, one a line: no backreferences, no lookaround.", \
        .min = 1, .max = 20000),                                                                   \
        CHOICES(                                                                                   \
            type, preset,                                                                          \
            "Kinds of data, divided by commas; what has check digits is found only if they are "   \
            "right.",                                                                              \
            .choices = presets_names),                                                             \
        TEXT(type, regions,                                                                        \
             "Areas: PAGES:x,y,width,height in points from the top left corner of the displayed "  \
             "page, "                                                                              \
             "divided by semicolons, as in 1:72,90,200,14;2-3:0,0,300,50.",                        \
             .min = 1, .max = 100000)
#define PAGE_SEARCH_WHERE(type)                                                                    \
    PAGES(type, pages,                                                                             \
          "Which pages are searched for texts, patterns and presets; what is not on a page is "    \
          "searched always.",                                                                      \
          .preset = "all"),                                                                        \
        BOOL(type, matchCase, "Whether texts and patterns distinguish capital letters.",           \
             .preset = "false"),                                                                   \
        BOOL(type, wholeWords, "Whether texts and patterns are found as whole words only.",        \
             .preset = "false")
