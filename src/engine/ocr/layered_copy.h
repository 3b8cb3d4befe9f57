/*
 * layered_copy: a copy of a document in which pages that are pictures of text have that text as
 * layers that are not seen, at its places, for a search. Nothing else is changed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "declare/tool_run/run.h"

struct layered_copy {
    const char *path, *password; /* of the document */
    const char *pages;           /* a page list */
    const char *language;        /* LANGUAGE_LIST_AUTO: found page by page */
    /* Pages that have text are read, too: what is on them besides text whose characters are known.
     * Else pages without text, and those whose earlier layer does not fit. */
    bool forced;
};

/* Where a word is seen: the box around its ink, in the default user space of its page: left,
 * bottom, right, top. Within a word, the places of the layer's letters are estimated. */
struct layered_word {
    size_t page; /* from 0 */
    double box[4];
};

struct layered_words {
    struct layered_word *items; /* in the order of pages */
    size_t n, cap;
};

/* Makes the copy: *fd is a file in memory, which the caller closes, or -1 if no words were read.
 * Where they are is appended to `words`, whose items the caller frees. Says in the report and by
 * warnings what was read how well, and what was not. Errors as of page_choice_make and
 * page_processes_run. */
int layered_copy_make(const struct layered_copy *copy, struct tool_run *run,
                      struct layered_words *words, int *fd, struct err *err);
