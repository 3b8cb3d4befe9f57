/*
 * extent: how much of a sheet LibreOffice would lay out, from the flat ODF file that it wrote.
 * LibreOffice counts the place of the cursor to the used cells, and does not count print ranges.
 */
#pragma once

#include "base/buf.h"

/* Blanks out, in a flat ODF file, where cursors are and what the windows show. */
void extent_forget_cursors(struct buf *flat);

/* The number of cells of the largest print range of the sheet with this name. 0: it has no print
 * range, or one that cannot be read. */
double extent_print_cells(const struct buf *flat, const char *sheet);
