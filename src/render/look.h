/* look: what a reader sees of a document: how many of its pages show something, and how many words
 * there are. For choosing between two repairs of one file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tool/run.h"

#define LOOK_PAGES   120
#define LOOK_SECONDS 10

struct look_page {
    bool inked; /* shows something */
    bool fault; /* could not be drawn to its end */
    size_t words, letters;
    uint64_t text;      /* a hash of them in their order */
    uint64_t marks[32]; /* bits they set: each word one of 2048 */
};

struct look {
    size_t pages; /* it has */
    size_t seen;  /* of these, were looked at: those that are spread over it, or all */
    size_t inked, words, letters, faults; /* in all that were looked at */
    struct look_page page[LOOK_PAGES];
};

/* Looks at up to LOOK_PAGES pages, spread over the document, for at most LOOK_SECONDS. Errors as
 * document_open. */
int look_at(const char *path, const char *password, struct tool_run *run, struct look *look,
            struct err *err);

/* Whether a reader is better off with `a`: more pages with something on them, then more text, then
 * fewer faults. Text is measured in letters: wrong widths tear words apart. A few of them more or
 * less are chance. */
bool look_is_better(const struct look *a, const struct look *b);
/* The same for one page. */
bool look_page_is_better(const struct look_page *a, const struct look_page *b);
/* Whether nothing speaks against the two being one page, of which one shows less than the other:
 * most words of that one are in the other too. */
bool look_page_may_be(const struct look_page *a, const struct look_page *b);
