/* look: what a reader sees of a document: how many of its pages show something, and how many words
 * there are. For choosing between two repairs of one file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tool/run.h"

#define CONTENT_SCORE_PAGES   120
#define CONTENT_SCORE_SECONDS 10

struct content_score_page {
    bool inked; /* shows something */
    bool fault; /* could not be drawn to its end */
    size_t words, letters;
    uint64_t text;      /* a hash of them in their order */
    uint64_t marks[32]; /* bits they set: each word one of 2048 */
};

struct content_score {
    size_t pages; /* it has */
    size_t seen;  /* of these, were looked at: those that are spread over it, or all */
    size_t inked, words, letters, faults; /* in all that were looked at */
    struct content_score_page page[CONTENT_SCORE_PAGES];
};

/* Looks at up to CONTENT_SCORE_PAGES pages, spread over the document, for at most
 * CONTENT_SCORE_SECONDS. Errors as mupdf_document_open. */
int content_score_measure(const char *path, const char *password, struct tool_run *run,
                          struct content_score *look, struct err *err);

/* Whether a reader is better off with `a`: more pages with something on them, then more text, then
 * fewer faults. Text is measured in letters: wrong widths tear words apart. A few of them more or
 * less are chance. */
bool content_score_is_better(const struct content_score *a, const struct content_score *b);
/* The same for one page. */
bool content_score_page_is_better(const struct content_score_page *a,
                                  const struct content_score_page *b);
/* Whether nothing speaks against the two being one page, of which one shows less than the other:
 * most words of that one are in the other too. */
bool content_score_page_may_be(const struct content_score_page *a,
                               const struct content_score_page *b);
