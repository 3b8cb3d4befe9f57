/*
 * docx: Word documents (ECMA-376, Part 1, transitional), page after page. A page of the source
 * begins a page of the document, by a break or, where text goes over from one to the next, because
 * the one before it is full.
 */
#pragma once

#include "base/err.h"
#include "reflow/layout.h"
#include "reflow/writer.h"

struct docx;

/* Into the file at path, which is borrowed. */
struct docx *docx_open(const char *path, const struct document_facts *options, struct err *err);
void docx_free(struct docx *docx);
/* 0: the page was written. 1: its words cannot be read in what was written, which was taken back:
 * try again with another page of the same sheet. A page that is plain is written as it is. */
int docx_page(struct docx *docx, const struct page *page, const struct sheet *sheet,
              struct err *err);
/* The document's lists, header and footer; and reads it, to see that all is there. */
int docx_end(struct docx *docx, const struct numbering *numbering,
             const struct furniture *furniture, const struct sheet_font *fonts, struct err *err);

/* A writer (reflow/writer.h) of the file at `path`. The caller frees `docx` with docx_free. */
struct docx_target {
    const char *path;
    const struct numbering *numbering;
    struct docx *docx;
};
struct writer docx_writer(struct docx_target *target);
