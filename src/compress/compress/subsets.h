/* subsets: unites font programs that are subsets of one font in one program. Each font dictionary
 * keeps its own encoding and widths. */
#pragma once

#include "compress/compress/fonts.h"

/*
 * Adds to the first program of each group, in the document, all glyphs that are needed of the
 * others; the inventory then has it in their place. For documents that are written by pack.h
 * afterwards. Programs that are needed whole are left alone.
 */
int subsets_unite(struct fonts *fonts, struct pdf_doc *doc, struct inventory *objects,
                  struct err *err);
