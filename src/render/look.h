/* look: what a reader sees of a document: how many of its pages show something, and how many words
 * there are. For choosing between two repairs of one file. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "tool/run.h"

struct look {
    size_t pages; /* it has */
    size_t inked; /* of those looked at, show something */
    size_t words;
    size_t faults; /* pages that could not be drawn to their end */
};

/* Looks at up to LOOK_PAGES pages, spread over the document, for at most LOOK_SECONDS. Errors as
 * document_open. */
#define LOOK_PAGES   120
#define LOOK_SECONDS 10
int look_at(const char *path, const char *password, struct tool_run *run, struct look *look,
            struct err *err);

/* Whether a reader is better off with `a`: more pages with something on them, then more words, then
 * fewer faults. A few words more or less are chance. */
bool look_is_better(const struct look *a, const struct look *b);
