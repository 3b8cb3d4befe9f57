/*
 * pages: does a list of operations on the pages of a document, one after the other. Links, fields,
 * tags, annotations and destinations move with the content of their pages.
 */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "declare/value/page_operations.h"
#include "pdf/document/doc.h"

struct pages_job {
    struct tool_run *run;
    const char *name; /* of the parameter, for errors */
    const struct page_operations *operations;
    const char *password;           /* of the document; may be NULL */
    const struct tool_input *other; /* for PAGE_COMPOSE; may be NULL */
    /* Measures what is drawn on the pages with a true in `wanted`: left, top, width and height in
     * points from the top left corner of the page as it is shown; a width of 0 for a blank page. */
    int (*measure)(const struct pages_job *job, struct pdf_doc *doc, const bool *wanted,
                   double (*areas)[4], struct err *err);
};

/* Does the whole job into run->output; *n_pages is the number of pages of the result. */
int pages_make(const struct pages_job *job, size_t *n_pages, struct err *err);
