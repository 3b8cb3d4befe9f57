/* subsets: font programs that are subsets of one font become one program, which each of their fonts
 * uses with its own encoding and widths. */
#pragma once

#include "compress/fonts.h"

/*
 * Gives the first of such programs, in the document, all that is needed of the others, which become
 * equal to it in the inventory. For documents that are then written by pack.h. Programs that are
 * needed whole stay apart.
 */
int subsets_unite(struct fonts *fonts, struct pdf_doc *doc, struct inventory *objects,
                  struct err *err);
