/* words: a document's pages as a Word document. */
#pragma once

#include <stdbool.h>

#include "tool/run.h"

struct words_options {
    const char *password; /* or NULL */
    const char *pages;    /* a page list */
    bool exact;
};

/*
 * Does the whole job. Warns with no_text_layer of pages that are pictures, simplified_layout of
 * pages whose text could not be placed, page_damaged. Errors as document_open and page_list_resolve
 * have them.
 */
int words_convert(struct tool_run *run, const struct words_options *options, struct err *err);
