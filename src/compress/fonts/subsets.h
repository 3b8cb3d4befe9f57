/* subsets: unites font programs that are subsets of one font in one program. Each font dictionary
 * keeps its own encoding and widths. */
#pragma once

#include "compress/fonts/fonts.h"
#include "compress/object_graph/node_values.h"

/*
 * Adds to the first program of each group, in the document, all glyphs that are needed of the
 * others, and makes the others equal to it. `values` get its dictionary. For documents that are
 * written by pack.h afterwards. Programs that are needed whole are left alone.
 */
int subsets_unite(struct fonts *fonts, struct pdf_doc *doc, struct equal_objects *objects,
                  struct node_values *values, struct err *err);
