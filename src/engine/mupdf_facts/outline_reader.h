/* outline_reader: the outline of a document (ISO 32000-2, 12.3.3), as a list. */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

#include "layout/page/writer.h"

#define OUTLINE_READER_ITEMS 50000 /* limit of the items that are read */

struct outline_list {
    struct outline_entry *items;
    size_t n, cap;
    bool cut; /* the outline has more items, or is damaged */
};

/* Reads the outline; what can be read of a damaged one. Pages are numbered below n_pages. */
struct outline_list outline_reader_read(fz_context *ctx, pdf_document *pdf, size_t n_pages);
void outline_reader_free(struct outline_list *list);
