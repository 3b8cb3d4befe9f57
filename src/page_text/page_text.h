/* words: understands the pages of a document and hands them to a writer. */
#pragma once

#include <stdbool.h>

#include "reflow/writer.h"
#include "tool/run.h"

struct page_text_options {
    const char *password; /* or NULL */
    const char *pages;    /* a page list */
    bool exact;           /* nothing needs to flow */
    bool pictures;        /* what is drawn and is neither text nor table is wanted, as pictures */
};

/*
 * Reads the pages of the run's one input, and sets *n_pages to how many there were. The caller then
 * ends the run (tool_done, tool_parts_done). Warns with no_text_layer of pages that are pictures,
 * simplified_layout of pages whose text could not be placed, page_damaged, unreadable_text. Errors
 * as mupdf_document_open, page_list_resolve and the writer have them.
 */
int page_text_convert(struct tool_run *run, const struct page_text_options *options,
                      const struct writer *writer, size_t *n_pages, struct err *err);
