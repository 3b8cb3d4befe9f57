/*
 * page_count: counts the pages and corrects the page tree. MuPDF relies on its /Count: pages beyond
 * that are not found, and if it is too large, blank pages appear.
 */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stddef.h>

struct page_count {
    size_t pages;
    bool mended;     /* the tree had wrong counts or parents, or kids that are not pages */
    pdf_obj **nodes; /* the nodes that were changed, kept because pdf_clear_xref would drop them */
    size_t n_nodes, cap_nodes;
};

/*
 * Counts up to max + 1 pages, without those that are too deep in the tree for MuPDF to draw, and
 * corrects the nodes for as long as the document is open. Throws, with nothing corrected, what
 * MuPDF throws for a tree that it cannot read.
 */
void page_count(fz_context *ctx, pdf_document *pdf, size_t max, struct page_count *count);
/* Frees the nodes; to be called before the document is closed. */
void page_count_free(fz_context *ctx, struct page_count *count);
