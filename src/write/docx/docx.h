/*
 * docx: writes Word documents (ECMA-376, Part 1, transitional), page after page. A page of the
 * source begins a page of the document, by a page break or, if text continues from page to page,
 * because the one before it is full.
 */
#pragma once

#include "base/err.h"
#include "layout/page/writer.h"

struct docx;

/* Writes to the file at path, which is borrowed. */
struct docx *docx_open(const char *path, const struct document_facts *options, struct err *err);
void docx_free(struct docx *docx);
/* Writes a page. Returns 0, or 1 if read-back verification failed: nothing was written then;
 * call again with a simpler layout of the same content. A plain page is always written. */
int docx_page(struct docx *docx, const struct page *page, const struct page_content *content,
              struct err *err);
/* Writes the lists, headers and footers, then reads the document to verify that it is complete. */
int docx_end(struct docx *docx, const struct numbering *numbering,
             const struct header_sets *headers, const struct page_font *fonts, struct err *err);

/* Makes a writer (layout/page/writer.h) of the file at `path`, which needs a target that outlives
 * it. The writer sets `numbering` and `docx`; the caller frees `docx` with docx_free. */
struct docx_target {
    const char *path;
    const struct numbering *numbering;
    struct docx *docx;
};
struct writer docx_writer(struct docx_target *target);
