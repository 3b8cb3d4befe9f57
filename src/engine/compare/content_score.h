/* content_score: measures what a reader sees of a document: how many of its pages are not blank,
 * and how many words there are. Used to choose between two repairs of one file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "declare/tool_run/run.h"

#define CONTENT_SCORE_PAGES   120 /* limit of the sampled pages */
#define CONTENT_SCORE_SECONDS 10  /* limit of the time for sampling them */

struct content_score_page {
    bool inked; /* it is not blank */
    bool fault; /* it could not be drawn completely */
    size_t words, letters;
    uint64_t text;    /* a hash of the words in their order */
    uint64_t picture; /* a hash of the drawn page, where it had to be drawn; 0: it had not */
    /* a bit set of hashes of each word with the one before it in its line (a Bloom filter of 2048
     * bits): pages of one document are often made of the same words */
    uint64_t marks[32];
};

struct content_score {
    size_t pages; /* number of pages of the document */
    size_t seen;  /* number of pages that were sampled: some that are spread over it, or all */
    size_t inked, words, letters, faults; /* sums over the sampled pages */
    struct content_score_page page[CONTENT_SCORE_PAGES];
};

/* Samples up to CONTENT_SCORE_PAGES pages, spread over the document, for at most
 * CONTENT_SCORE_SECONDS. Errors as mupdf_document_open. */
int content_score_measure(const char *path, const char *password, struct tool_run *run,
                          struct content_score *score, struct err *err);

/* Whether `a` has more content: more pages that are not blank, then more text, then fewer
 * faults. Text is measured in letters, because wrong widths split words. Small differences are
 * ignored. */
bool content_score_is_better(const struct content_score *a, const struct content_score *b);
/* The same for one page. */
bool content_score_page_is_better(const struct content_score_page *a,
                                  const struct content_score_page *b);
/* Whether the two can be the same page of which one repair shows less: most pairs of consecutive
 * words of the page that shows less are also in the other page. */
bool content_score_page_may_be(const struct content_score_page *a,
                               const struct content_score_page *b);
