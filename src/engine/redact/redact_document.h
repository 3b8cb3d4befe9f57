/* redact_document: removes hits from a document that is opened by qpdf and by MuPDF. */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/mupdf/mupdf_document.h"
#include "engine/redact/redact_fill.h"
#include "engine/redact/redact_width.h"
#include "pdf/document/doc.h"
#include "pdf/redact/redact_clean.h"
#include "pdf/redact/redact_hits.h"
#include "pdf/redact/redact_words.h"

struct redact_options {
    struct redact_fill fill;
    enum redact_width width;
    struct redact_clean_options clean;
    const struct redact_words *texts; /* removed from pages wherever they are */
    const bool *pages;                /* by page: whether that is wanted */
    /* By page: whether it becomes a picture of itself. Those whose content cannot be redacted are
     * added; NULL: they are an error. */
    bool *pictures;
};

struct redact_result {
    uint64_t pages, found, glyphs, images, paths, appearances, annotations, tags;
    /* Letters of other texts that were in the way, and where the first of them are: on this page,
     * left, top, width and height as a region has them. */
    uint64_t others;
    size_t others_page;
    double others_at[4];
    uint64_t orphans; /* pages outside of the page tree that were removed */
    /* Removed texts whose width tells little, and those of which it can be measured, with the
     * numbers of some pages that have them. */
    uint64_t evened, measurable;
    char measurable_pages[80];
    struct redact_cleaned cleaned;
    int64_t *fonts; /* the ids of fonts in which something was shown; the caller frees them */
    size_t n_fonts;
};

/*
 * Removes all hits, and `words` from all that is not on pages. The objects of `doc` have the
 * numbers they have in `shown`. ERR_INVALID_PARAMETER for a hit on a page that there is not, or an
 * area that lies outside of its page; ERR_UNSUPPORTED_CONTENT for pages whose content cannot be
 * read; ERR_LIMIT_EXCEEDED.
 */
int redact_document(struct tool_run *run, struct pdf_doc *doc, struct mupdf_document *shown,
                    const struct redact_hits *hits, struct redact_words *words,
                    const struct redact_options *options, struct redact_result *result,
                    struct err *err);
