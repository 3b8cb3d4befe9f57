/*
 * merge: combines several documents, with all that they have besides pages: outlines, named
 * destinations, links, forms, attachments, page labels, layers, structure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "declare/value/arrangement.h"
#include "pdf/document/doc.h"
#include "pdf/forms/field_painter.h"

enum merge_bookmarks {
    MERGE_BOOKMARKS_KEEP,  /* one entry for each file, its own outline below it */
    MERGE_BOOKMARKS_FILES, /* one entry for each file */
    MERGE_BOOKMARKS_FLAT,  /* the outlines one after another */
    MERGE_BOOKMARKS_NONE,
};

/* Makes the documents of a merge, in place of the inputs of the run. */
struct merge_sources {
    size_t n;
    /* Opens document `number`, from 0; the merge closes it. */
    int (*open)(void *arg, size_t number, struct pdf_doc *doc, struct err *err);
    void *arg;
    const char *what; /* is one of them, in errors: "row" */
};

struct merge_options {
    enum merge_bookmarks bookmarks;
    bool flatten;         /* forms become page content */
    const char *password; /* tried on every file; may be NULL */
    /* The pages of the files and their order; NULL: all, in the order of the files. */
    const struct arrangement *arrangement;
    /* for forms that become content (pdf/forms/flatten.h); may be NULL */
    struct field_painter *painter;
    const struct merge_sources *sources; /* NULL: the inputs of the run */
};

/*
 * Merges the inputs of `run` in their order into run->output; *pages is the number of its pages.
 * Warns about what could not be preserved. An error says which file it is about.
 */
int merge_files(struct tool_run *run, const struct merge_options *options, size_t *pages,
                struct err *err);
