/*
 * page_count: how many pages there are, whatever the page tree says. MuPDF believes its /Count:
 * pages beyond that are not found, and where it is too large there are pages that show nothing.
 */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stddef.h>

struct page_count {
    size_t pages;
    bool mended;     /* the tree had other numbers, or kids that are none */
    pdf_obj **nodes; /* that were changed, kept: pdf_clear_xref would forget it */
    size_t n_nodes, cap_nodes;
};

/*
 * Counts up to max + 1 pages, without those that are too deep in the tree for MuPDF to draw, and
 * sets right, for as long as the document is open, what the nodes say. Throws, with nothing mended,
 * what MuPDF throws of a tree it cannot read.
 */
void page_count(fz_context *ctx, pdf_document *pdf, size_t max, struct page_count *count);
/* Before the document is closed. */
void page_count_free(fz_context *ctx, struct page_count *count);
